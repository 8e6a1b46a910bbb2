// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons for an interruption. Any thread.

extension AVAudioSession {
    /// The reason for an interruption.
    ///
    /// PipeWire never interrupts a program.
    public enum InterruptionReason: UInt, Sendable {
        /// Another program.
        case `default` = 0
        /// The program was suspended.
        case appWasSuspended = 1
        /// The microphone was muted.
        case builtInMicMuted = 2
        /// The device was disconnected.
        case routeDisconnected = 4
    }
}
