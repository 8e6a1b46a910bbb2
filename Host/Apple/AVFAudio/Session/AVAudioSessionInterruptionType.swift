// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The begin and the end of interruptions. Any thread.

extension AVAudioSession {
    /// The begin and the end of an interruption.
    ///
    /// PipeWire never interrupts a program.
    public enum InterruptionType: UInt, Sendable {
        /// It is over.
        case ended = 0
        /// It begins.
        case began = 1
    }
}
