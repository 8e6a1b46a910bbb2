// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The kinds of sound of a program. Any thread.

extension AVAudioSession {
    /// The kind of sound of a program; it is kept, but changes nothing on Linux.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name of Apple's constant.
        public let rawValue: String

        /// Makes a category from a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sound that may be silenced.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound that may be silenced, and that silences other programs.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Music, and other sound that matters.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Only recording.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Playing and recording.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Playing to several devices at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
        /// Neither playing nor recording.
        public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    }
}
