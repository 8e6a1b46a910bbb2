// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a file through a node of your own, in the program's own process. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Plays a file through a tremolo, or through a granulator together with the dry sound.
enum OwnNodes {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count > 1, let graph = Graph(words) else {
            print("usage: OwnNodes tremolo|granulator MUSIC [REVERSED-PERCENT] [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(graph, try AudioPCMBuffer(contentsOf: words[1]))
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The arguments of the command line.
    struct Graph {
        let node: AudioProcessorNode
        /// True if the dry music is heard too: the engine delays it as much as the node does.
        let isBeside: Bool
        let output: String?

        init?(_ words: [String]) {
            var rest = words.dropFirst(2)
            switch words[0] {
            case "tremolo": (node, isBeside) = (AudioProcessorNode(Tremolo(), name: "Tremolo"), false)
            case "granulator": (node, isBeside) = (AudioProcessorNode(Granulator(), name: "Granulator"), true)
            default: return nil
            }
            if let reverse = node.parameter("reverse"), let share = rest.first.flatMap({ Double($0) }) {
                reverse.value = share
                rest.removeFirst()
            }
            output = rest.first
        }

        func connect(_ player: AudioPlayerNode, in engine: AudioEngine, _ format: AudioFormat) throws {
            engine.attach(node)
            let node = AudioConnectionPoint(node: node)
            let mixer = AudioConnectionPoint(node: engine.mainMixerNode)
            try engine.connect(player, to: isBeside ? [node, mixer] : [node], fromBus: 0, format: format)
            try engine.connect(self.node, to: engine.mainMixerNode)
        }
    }

    /// Plays the music, or renders it into a file without the delay.
    static func run(_ graph: Graph, _ music: AudioPCMBuffer) async throws {
        let (engine, player) = (AudioEngine(), AudioPlayerNode())
        let stereo = AudioFormat(sampleRate: music.format.sampleRate, channelCount: 2)
        if graph.output != nil { try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512) }
        engine.attach(player)
        try graph.connect(player, in: engine, music.format)
        player.scheduleBuffer(music)
        try engine.start()
        player.play()
        guard let output = graph.output else {
            let frameCount = music.frameLength + engine.latencyFrameCount
            try await Task.sleep(nanoseconds: UInt64(Double(frameCount) / stereo.sampleRate * 1e9))
            return engine.stop()
        }
        let writer = try AudioFileWriter(path: output, sampleRate: stereo.sampleRate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512) else { return }
        func render(_ frameCount: Int, _ use: (AudioPCMBuffer) throws -> Void) throws {
            var left = frameCount
            while left > 0 {
                try engine.renderOffline(min(512, left), to: block)
                try use(block)
                left -= block.frameLength
            }
        }
        try render(engine.latencyFrameCount) { _ in }
        try render(music.frameLength, writer.write)
        engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
