// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a sound in place of the microphone, for several examples. The thread that renders.

import AudioGraph

extension AudioInputNode {
    /// Takes a sound in place of the microphone, from the first frame that the engine renders by hand; silence follows it.
    func take(_ voice: AudioPCMBuffer, of engine: AudioEngine) {
        setManualRenderingInputPCMFormat(voice.format) { [unowned engine] input in
            let start = Int(engine.manualRenderingSampleTime)
            let count = max(0, min(input.frameCount, voice.frameLength - start))
            for channel in 0..<input.channelCount {
                for frame in 0..<count { input[channel][frame] = voice.samples[channel][start + frame] }
            }
            input.silence(from: count)
            return true
        }
    }
}
