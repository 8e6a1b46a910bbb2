// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a session is activated. Any thread.

extension AVAudioSession {
    /// How a session is activated.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Options of these bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Other programs are told that they may go on; PipeWire stopped none.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }
}
