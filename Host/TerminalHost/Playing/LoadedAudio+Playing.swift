// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files in memory as a plan plays them. Main thread.

import AudioFiles
import Rendering

extension LoadedAudio {
    /// The same audio at another rate; itself when the rate is the same.
    func converted(to sampleRate: Double) throws(AudioFileError) -> LoadedAudio {
        guard sampleRate != self.sampleRate else { return self }
        return try RateConverter.convert(self, to: sampleRate, quality: .medium, path: "the file") { _ in }
    }
}

extension SamplePlayer {
    /// Plays audio in memory, which it keeps alive.
    convenience init(playing audio: LoadedAudio, isLooping: Bool) {
        let channels = (0..<audio.channelCount).compactMap { UnsafePointer(audio[$0].baseAddress) }
        self.init(channels: channels, frameCount: audio.frameCount, isLooping: isLooping, owner: audio)
    }
}
