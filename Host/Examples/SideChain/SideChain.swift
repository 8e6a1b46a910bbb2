// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays two files into one effect: it processes one, and the other is its side chain. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Plays two files into one effect.
enum SideChain {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 3 || words.count == 4 else {
            print("usage: SideChain MUSIC KEY EFFECT [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            let effect = try await AudioUnitEffect.instantiate(named: words[2])
            try await run(
                try AudioPCMBuffer(contentsOf: words[0]), try AudioPCMBuffer(contentsOf: words[1]), through: effect,
                words.count > 3 ? words[3] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Plays `music` through `effect`, which listens to `key`; or renders the sound into a file.
    static func run(_ music: AudioPCMBuffer, _ key: AudioPCMBuffer, through effect: AudioUnitEffect, _ output: String?) async throws
    {
        let engine = AudioEngine()
        let stereo = AudioFormat(sampleRate: music.format.sampleRate, channelCount: 2)
        if output != nil { try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512) }
        let players = [AudioPlayerNode(), AudioPlayerNode()]
        try engine.edit {
            for node in players + [effect] { engine.attach(node) }
            try engine.connect(players[0], to: effect, fromBus: 0, toBus: 0, format: music.format)
            try engine.connect(players[1], to: effect, fromBus: 0, toBus: 1, format: key.format)
            try engine.connect(effect, to: engine.mainMixerNode, format: music.format)
        }
        for (player, buffer) in zip(players, [music, key]) { player.scheduleBuffer(buffer) }
        try engine.start()
        for player in players { player.play() }
        guard let output else {
            try await Task.sleep(nanoseconds: UInt64(Double(music.frameLength) / stereo.sampleRate * 1e9))
            return engine.stop()
        }
        let writer = try AudioFileWriter(path: output, sampleRate: stereo.sampleRate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512) else { return }
        var left = music.frameLength
        while left > 0 {
            let count = min(512, left)
            try engine.renderOffline(count, to: block)
            try writer.write(block)
            left -= count
        }
        engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
