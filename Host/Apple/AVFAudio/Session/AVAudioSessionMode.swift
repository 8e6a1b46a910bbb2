// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a session is used for. Any thread.

extension AVAudioSession {
    /// What a session is used for; it is kept, and changes nothing on Linux.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name of Apple's constant.
        public let rawValue: String

        /// A value of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nothing in particular.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Calls.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Talk in games.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Films that are being made.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measurements, without any processing.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Films.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Calls with pictures.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Speech that is better paused than made softer.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Announcements.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Two devices at once.
        public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
        /// Short films.
        public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
    }
}
