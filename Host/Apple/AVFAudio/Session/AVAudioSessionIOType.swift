// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How input and output are served. Any thread.

extension AVAudioSession {
    /// How input and output are served; PipeWire serves both in one cycle.
    public enum IOType: UInt, Sendable {
        /// In any way.
        case notSpecified = 0
        /// In one cycle.
        case aggregated = 1
    }
}
