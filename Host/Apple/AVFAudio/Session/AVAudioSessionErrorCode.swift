// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The codes of errors of a session. Any thread.

extension AVAudioSession {
    /// The code of an error of a session, in the domain `NSOSStatusErrorDomain`.
    public enum ErrorCode: Int, Sendable {
        /// No error.
        case none = 0
        /// PipeWire has failed.
        case mediaServicesFailed = 0x6D73_7276
        /// The session is in use.
        case isBusy = 0x2161_6374
        /// The category does not allow it.
        case incompatibleCategory = 0x2163_6174
        /// Other programs cannot be interrupted.
        case cannotInterruptOthers = 0x2169_6E74
        /// The program lacks a permission.
        case missingEntitlement = 0x656E_743F
        /// Another program records.
        case siriIsRecording = 0x7369_7269
        /// Playing cannot begin.
        case cannotStartPlaying = 0x2170_6C61
        /// Recording cannot begin.
        case cannotStartRecording = 0x2172_6563
        /// A parameter is wrong.
        case badParam = -50
        /// Other programs have priority.
        case insufficientPriority = 0x2170_7269
        /// The device is not available.
        case resourceNotAvailable = 0x2172_6573
        /// Another error.
        case unspecified = 0x7768_6174
        /// The session has ended.
        case expiredSession = 0x2173_6573
        /// The session is not active.
        case sessionNotActive = 0x696E_6163
    }
}
