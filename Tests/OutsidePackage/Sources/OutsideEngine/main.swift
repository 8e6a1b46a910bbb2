// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An audio program of another package: a buffer through a mixer, rendered by hand. Main thread.

import AudioGraph

let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
let engine = AudioEngine()
let player = AudioPlayerNode()
guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: 64) else { fatalError("no buffer") }
buffer.frameLength = 64
buffer.samples[0][63] = 0.5
try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 64)
engine.attach(player)
try engine.connect(player, to: engine.mainMixerNode, format: format)
player.scheduleBuffer(buffer)
try engine.start()
player.play()
try engine.renderOffline(64, to: buffer)
print("The last frame is \(buffer.samples[0][63]).")
