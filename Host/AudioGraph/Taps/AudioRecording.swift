// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes what passes an output bus into a sound file. Any thread but the render thread.

import AudioFiles
import PluginHosting
import Synchronization

/// A recording of what passes an output bus, on its way into a sound file.
public final class AudioRecording: Sendable {
    private struct State: @unchecked Sendable {
        // SAFETY: the writer is used with the lock held.
        let writer: AudioFileWriter
        var failure: AudioFileError?
    }

    private let state: Mutex<State>
    private let tap = Mutex<AudioTap?>(nil)

    init(_ node: AudioNode, bus: Int, path: String, format: AudioFormat?) throws {
        guard let busFormat = format ?? node.outputFormat(forBus: bus) else {
            throw AudioEngineError.noSuchBus(node: node.name, bus: bus, isInput: false, count: node.numberOfOutputs)
        }
        let writer = try AudioFileWriter(
            path: path, sampleRate: busFormat.sampleRate, channelCount: busFormat.channelCount, layout: busFormat.layout)
        state = Mutex(State(writer: writer))
        do throws(AudioEngineError) {
            let tap = try node.installTap(onBus: bus, bufferSize: 4096, format: busFormat) { [weak self] buffer, _ in
                self?.write(buffer)
            }
            self.tap.withLock { $0 = tap }
        } catch {
            writer.cancel()
            throw error
        }
    }

    private func write(_ buffer: AudioPCMBuffer) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do throws(AudioFileError) { try state.writer.write(buffer) } catch { state.failure = error }
        }
    }

    /// The frames that are in the file so far.
    public var frameCount: Int { state.withLock { $0.writer.frameCount } }

    /// The frames that were lost because the disk was too slow.
    public var droppedFrameCount: UInt64 { tap.withLock { $0?.droppedFrameCount ?? 0 } }

    /// Ends the recording and completes the file.
    ///
    /// Throws what went wrong with the file at any time since the beginning. A second call does nothing.
    public func finish() async throws(AudioFileError) {
        guard let tap = tap.withLock({ $0 }) else { return }
        tap.remove()
        await tap.finished()
        try state.withLock { state throws(AudioFileError) in
            if let failure = state.failure {
                state.writer.cancel()
                throw failure
            }
            try state.writer.finish()
        }
    }
}

extension AudioNode {
    /// Records what passes an output bus into a sound file, whose kind its extension says, from the next cycle on until `finish`.
    ///
    /// The file has the rate and channels of `format`; without one those of a tap without a format. Throws `AudioFileError` when the file cannot be
    /// begun, or what `installTap` throws.
    public func record(onBus bus: Int = 0, to path: String, format: AudioFormat? = nil) throws -> AudioRecording {
        try AudioRecording(self, bus: bus, path: path, format: format)
    }
}
