// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The start and the end of interruptions. Any thread.

extension AVAudioSession {
    /// The start or the end of an interruption.
    ///
    /// PipeWire never interrupts a program.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption has ended.
        case ended = 0
        /// The interruption begins.
        case began = 1
    }
}
