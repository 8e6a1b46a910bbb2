// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A fixed output, independent of plugged-in devices. Any thread.

extension AVAudioSession {
    /// A fixed output, independent of plugged-in devices.
    public enum PortOverride: UInt, Sendable {
        /// The output that the user has chosen.
        case none = 0
        /// The speakers of the machine.
        case speaker = 0x7370_6B72
    }
}
