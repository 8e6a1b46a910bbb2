// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a tone or noise from a source node, made by a type or a closure. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Plays a tone or noise.
enum SignalGenerator {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard let options = Options(words) else {
            print(Options.usage)
            exit(2)
        }
        do {
            try await run(options)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The source for the options.
    static func source(_ options: Options, sampleRate: Double) -> AudioSourceNode {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: 2)
        guard options.isClosure else { return AudioSourceNode(Oscillator(options, sampleRate: sampleRate), format: format) }
        var oscillator = Oscillator(options, sampleRate: sampleRate)
        // It sounds the same. But no check keeps the closure from making the render thread wait.
        return AudioSourceNode(format: format) { isSilence, sampleTime, output in
            isSilence = oscillator.render(output, at: sampleTime)
        }
    }

    /// Plays, or renders into a file.
    static func run(_ options: Options) async throws {
        let engine = AudioEngine()
        let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)
        if options.output != nil { try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512) }
        let source = source(options, sampleRate: stereo.sampleRate)
        engine.attach(source)
        try engine.connect(source, to: engine.mainMixerNode, format: stereo)
        try engine.start()
        guard let output = options.output else {
            try await Task.sleep(nanoseconds: UInt64(options.seconds * 1e9))
            return engine.stop()
        }
        let writer = try AudioFileWriter(path: output, sampleRate: stereo.sampleRate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512) else { return }
        var left = Int(options.seconds * stereo.sampleRate)
        while left > 0 {
            try engine.renderOffline(min(512, left), to: block)
            try writer.write(block)
            left -= block.frameLength
        }
        engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
