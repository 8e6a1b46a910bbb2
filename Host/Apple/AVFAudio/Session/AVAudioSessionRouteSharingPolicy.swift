// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The devices programs share. Any thread.

extension AVAudioSession {
    /// The devices programs share; it is kept, and changes nothing on Linux.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The usual ones.
        case `default` = 0
        /// Those for music and talks.
        case longFormAudio = 1
        /// Those that the system chooses.
        case independent = 2
        /// Those for films.
        case longFormVideo = 3
    }
}
