// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The cycles of input and output. Any thread.

extension AVAudioSession {
    /// The cycles of input and output; PipeWire always serves both in one cycle.
    public enum IOType: UInt, Sendable {
        /// Any cycles.
        case notSpecified = 0
        /// One cycle for both.
        case aggregated = 1
    }
}
