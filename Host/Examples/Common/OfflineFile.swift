// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders an engine into a sound file of two channels, for several examples. Main thread.

import AudioFiles
import AudioGraph

/// A sound file that an engine is rendered into, piece by piece.
struct OfflineFile {
    private let path: String
    private let engine: AudioEngine
    private let writer: AudioFileWriter
    private let block: AudioPCMBuffer

    /// Lets the engine be rendered by hand; it is started after this.
    init(_ path: String, of engine: AudioEngine, sampleRate: Double = 48_000) throws {
        let stereo = AudioFormat(sampleRate: sampleRate, channelCount: 2)
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512)
        guard let block = AudioPCMBuffer(pcmFormat: stereo, frameCapacity: 512) else {
            throw AudioEngineError.wrongState(act: "render into \"\(path)\"", state: "at an impossible rate")
        }
        (self.path, self.engine, self.block) = (path, engine, block)
        writer = try AudioFileWriter(path: path, sampleRate: sampleRate, channelCount: 2)
    }

    /// Renders so many frames.
    func render(_ frameCount: Int) throws {
        var left = frameCount
        while left > 0 {
            try engine.renderOffline(min(512, left), to: block)
            try writer.write(block)
            left -= block.frameLength
        }
    }

    /// Stops the engine, and completes the file.
    func finish() throws {
        engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(path).")
    }
}
