// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The policy for sharing devices. Any thread.

extension AVAudioSession {
    /// The policy for sharing devices; it is kept, but changes nothing on Linux.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The usual devices.
        case `default` = 0
        /// The devices for music and talks.
        case longFormAudio = 1
        /// The devices that the system chooses.
        case independent = 2
        /// The devices for films.
        case longFormVideo = 3
    }
}
