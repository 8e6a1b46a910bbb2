// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where sound goes whatever is plugged in. Any thread.

extension AVAudioSession {
    /// Where sound goes whatever is plugged in.
    public enum PortOverride: UInt, Sendable {
        /// Where the user wants it.
        case none = 0
        /// To the speakers of the machine.
        case speaker = 0x7370_6B72
    }
}
