// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The purposes of a session. Any thread.

extension AVAudioSession {
    /// The purpose of a session; it is kept, but changes nothing on Linux.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name of Apple's constant.
        public let rawValue: String

        /// Makes a mode from a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No particular purpose.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Calls.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Voice chat in games.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Recording of films.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measurements, without any processing.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Playback of films.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Video calls.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that is better paused than ducked.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Announcements.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Two devices at once.
        public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
        /// Short films.
        public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
    }
}
