// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options at the end of an interruption. Any thread.

extension AVAudioSession {
    /// The options at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// The bits of Apple's headers.
        public let rawValue: UInt

        /// Makes options from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program may continue.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
}
