// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records two players and a reverb from the main mixer while their levels change. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Makes a performance, and records it.
enum RecordPerformance {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 3 || words.count == 4 else {
            print(
                "usage: RecordPerformance LOOP LOOP RECORDING [OUTPUT]\nWithout OUTPUT it plays; the recording is made either way.")
            exit(2)
        }
        do {
            let loops = [try AudioPCMBuffer(contentsOf: words[0]), try AudioPCMBuffer(contentsOf: words[1])]
            try await run(loops, words[2], words.count > 3 ? words[3] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Plays and records; or does so offline, and also writes the rendered sound.
    static func run(_ loops: [AudioPCMBuffer], _ recordingPath: String, _ output: String?) async throws {
        let performance = Performance()
        let engine = performance.engine
        let stereo = AudioFormat(sampleRate: loops[0].format.sampleRate, channelCount: 2)
        var writer: AudioFileWriter?
        if let output {
            try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512)
            writer = try AudioFileWriter(path: output, sampleRate: stereo.sampleRate, channelCount: 2)
        }
        try performance.connect(loops)
        let recording = try engine.mainMixerNode.record(onBus: 0, to: recordingPath)
        try engine.start()
        for (words, act) in performance.steps() {
            print(words)
            try act()
            guard let writer else {
                try await Task.sleep(nanoseconds: 1_000_000_000)
                continue
            }
            try render(engine, frameCount: Int(stereo.sampleRate), stereo, into: writer)
        }
        engine.stop()
        try await recording.finish()
        print("Recorded \(recording.frameCount) frames into \(recordingPath).")
        guard let writer, let output else { return }
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }

    static func render(_ engine: AudioEngine, frameCount: Int, _ format: AudioFormat, into writer: AudioFileWriter) throws {
        guard let block = AudioPCMBuffer(pcmFormat: format, frameCapacity: 512) else { return }
        var left = frameCount
        while left > 0 {
            try engine.renderOffline(min(512, left), to: block)
            try writer.write(block)
            left -= block.frameLength
        }
    }
}
