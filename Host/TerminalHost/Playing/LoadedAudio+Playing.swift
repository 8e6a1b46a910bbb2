// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts files in memory for a plan that plays them. Main thread.

import AudioFiles
import AudioGraph
import PluginHosting

extension LoadedAudio {
    /// The same audio at another rate; itself if the rate is the same.
    func converted(to sampleRate: Double) throws(AudioFileError) -> LoadedAudio {
        guard sampleRate != self.sampleRate else { return self }
        return try RateConverter.convert(self, to: sampleRate, quality: .medium, path: "the file") { _ in }
    }
}

extension LoadedAudio {
    /// The frames as a buffer with this many channels; nil if memory is short.
    func buffer(channelCount: Int) -> AudioPCMBuffer? {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount, layout: channelLayout)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: max(1, frameCount)) else { return nil }
        buffer.frameLength = frameCount
        let samples = buffer.samples
        for channel in 0..<min(channelCount, self.channelCount) {
            guard let source = self[channel].baseAddress else { continue }
            samples[channel].update(from: source, count: buffer.frameLength)
        }
        return buffer
    }
}
