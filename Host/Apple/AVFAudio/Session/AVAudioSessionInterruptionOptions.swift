// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What comes with the end of an interruption. Any thread.

extension AVAudioSession {
    /// What comes with the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Options of these bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program may go on.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
}
