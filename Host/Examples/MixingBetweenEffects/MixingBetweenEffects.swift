// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays one loop by two players, one through Reverb and one through Distortion, with a fader between them. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Two players of one loop, each through an effect of its own, and a fader between them.
final class MixingBetweenEffects {
    let engine = AudioEngine()
    private let players = [AudioPlayerNode(), AudioPlayerNode()]
    private let loop: AudioPCMBuffer

    /// The loop's format.
    var format: AudioFormat { loop.format }

    init(loop: AudioPCMBuffer) { self.loop = loop }

    /// Connects each player to an effect in a process of its own, and both to the mixer.
    func connect() async throws {
        for (player, name) in zip(players, ["Reverb", "Distortion"]) {
            let effect = try await AudioUnitEffect.instantiate(named: name)
            try effect.unit.setValue(100, of: "mix")
            engine.attach(player)
            engine.attach(effect)
            try engine.connect(player, to: effect, format: loop.format)
            try engine.connect(effect, to: engine.mainMixerNode, format: loop.format)
            player.scheduleBuffer(loop, options: .loops)
        }
        // Leaves headroom for two loops and for the distortion.
        engine.mainMixerNode.outputVolume = 0.4
    }

    /// Starts both players.
    func play() { for player in players { player.play() } }

    /// The fader: 0 is all reverb, 1 all distortion.
    func setFader(_ position: Float) {
        // Equal power, because the two signals differ.
        players[0].volume = (1 - position).squareRoot()
        players[1].volume = position.squareRoot()
    }
}

extension MixingBetweenEffects {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 2 else {
            print("usage: MixingBetweenEffects LOOP [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(words[0], words.count > 1 ? words[1] : nil, seconds: 8)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Plays for some seconds, or renders them into a file, while the fader moves once there and back.
    static func run(_ input: String, _ output: String?, seconds: Double) async throws {
        let example = MixingBetweenEffects(loop: try AudioPCMBuffer(contentsOf: input))
        let format = example.format
        let steps = Int(seconds * 20)
        func position(_ step: Int) -> Float { 1 - abs(1 - 2 * Float(step) / Float(steps)) }

        guard let output else {
            try await example.connect()
            try example.engine.start()
            example.play()
            for step in 0..<steps {
                example.setFader(position(step))
                try await Task.sleep(nanoseconds: 50_000_000)
            }
            example.engine.stop()
            return
        }
        let frameCount = Int(format.sampleRate / 20)
        let stereo = AudioFormat(sampleRate: format.sampleRate, channelCount: 2)
        try example.engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: frameCount)
        try await example.connect()
        try example.engine.start()
        example.play()
        let writer = try AudioFileWriter(path: output, sampleRate: format.sampleRate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: frameCount) else { return }
        for step in 0..<steps {
            example.setFader(position(step))
            try example.engine.renderOffline(frameCount, to: block)
            try writer.write(block)
        }
        example.engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
