// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a loop, and patches in an effect meanwhile, which gets a preset, dies, and comes back. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Plays a loop, through an effect or without one.
final class SimplePlayEngine {
    let engine = AudioEngine()
    private let player = AudioPlayerNode()
    private let loop: AudioPCMBuffer
    /// The effect that the loop plays through.
    private(set) var effect: AudioUnitEffect?

    init(loop: AudioPCMBuffer) { self.loop = loop }

    /// Connects the player to the mixer.
    func connect() throws {
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode, format: loop.format)
        player.scheduleBuffer(loop, options: .loops)
    }

    /// Starts the engine and the player.
    func start() throws {
        try engine.start()
        player.play()
    }

    /// Plays through another effect, or through none: one edit fades the old effect into the new one.
    func selectEffect(_ name: String?) async throws {
        let new = if let name { try await AudioUnitEffect.instantiate(named: name) } else { nil as AudioUnitEffect? }
        try engine.edit {
            if let effect { engine.detach(effect) }
            guard let new else {
                try engine.connect(player, to: engine.mainMixerNode, format: loop.format)
                return
            }
            engine.attach(new)
            try engine.connect(player, to: new, format: loop.format)
            try engine.connect(new, to: engine.mainMixerNode, format: loop.format)
        }
        effect = new
    }
}

extension SimplePlayEngine {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 2 || words.count == 3 else {
            print("usage: SimplePlayEngine LOOP EFFECT [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(words[0], effect: words[1], words.count > 2 ? words[2] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The steps of the example, second by second; `wait` lets a second pass.
    static func perform(_ example: SimplePlayEngine, effect: String, wait: () async throws -> Void) async throws {
        try await wait()
        try await example.selectEffect(effect)
        print("\"\(effect)\" is patched in.")
        try await wait()
        guard let unit = example.effect?.unit else { return }
        if let preset = unit.factoryPresets.last {
            try unit.selectPreset(preset.name)
            print("It has the preset \"\(preset.name)\".")
        }
        try await wait()
        if let process = unit.processIdentifier {
            kill(process, SIGKILL)
            print("Its process is dead; the loop plays on.")
        }
        try await wait()
        for record in unit.faults { print("\"\(unit.name)\" \(record.fault), and was started again.") }
        try await example.selectEffect(nil)
        print("It is taken out.")
        try await wait()
    }

    /// Plays, or renders into a file.
    static func run(_ input: String, effect: String, _ output: String?) async throws {
        let loop = try AudioPCMBuffer(contentsOf: input)
        let example = SimplePlayEngine(loop: loop)
        guard let output else {
            try example.connect()
            try example.start()
            try await perform(example, effect: effect) { try await Task.sleep(nanoseconds: 1_000_000_000) }
            example.engine.stop()
            return
        }
        let (rate, stereo) = (loop.format.sampleRate, AudioFormat(sampleRate: loop.format.sampleRate, channelCount: 2))
        try example.engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512)
        try example.connect()
        try example.start()
        let writer = try AudioFileWriter(path: output, sampleRate: rate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512) else { return }
        try await perform(example, effect: effect) {
            for _ in 0..<Int(rate) / 512 {
                try example.engine.renderOffline(512, to: block)
                try writer.write(block)
            }
        }
        example.engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
