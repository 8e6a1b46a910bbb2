// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options for activating a session. Any thread.

extension AVAudioSession {
    /// The options for activating a session.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Makes options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Tells other programs that they may continue; PipeWire stopped none.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }
}
