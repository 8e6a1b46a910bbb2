// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the frames of an output bus into a sound file. Any thread but the render thread.

import AudioFiles
import LinuxSystem
import Synchronization

/// Records an output bus into a sound file.
public final class AudioRecording: Sendable {
    private struct State: @unchecked Sendable {
        // SAFETY: the writer is used only with the lock held.
        let writer: AudioFileWriter
        var failure: AudioFileError?
    }

    private let state: Mutex<State>
    private let tap = Mutex<AudioTap?>(nil)

    init(_ node: AudioNode, bus: Int, path: String, format: AudioFormat?, isPublished: Bool = false) throws {
        guard let busFormat = format ?? node.outputFormat(forBus: bus) else {
            throw AudioEngineError.noSuchBus(node: NamedNode(node), bus: bus, isInput: false, count: node.numberOfOutputs)
        }
        let writer = try AudioFileWriter(
            path: path, sampleRate: busFormat.sampleRate, channelCount: busFormat.channelCount, layout: busFormat.layout)
        if isPublished { try writer.publish() }
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

    /// The error of the file; nil as long as all is well.
    ///
    /// Nothing is recorded after an error.
    public var failure: AudioFileError? { state.withLock { $0.failure } }

    /// The number of frames in the file so far.
    public var frameCount: Int { state.withLock { $0.writer.frameCount } }

    /// The number of frames lost because the disk was too slow.
    public var droppedFrameCount: UInt64 { tap.withLock { $0?.droppedFrameCount ?? 0 } }

    /// Ends the recording and completes the file.
    ///
    /// Throws an error of the file at any time since the beginning. A second call does nothing.
    public func finish() async throws(AudioFileError) {
        guard let tap = tap.withLock({ $0 }) else { return }
        tap.remove()
        await tap.finished()
        try complete()
    }

    /// Ends the recording and waits for the disk; for callers that may block.
    package func finishNow() throws(AudioFileError) {
        guard let tap = tap.withLock({ $0 }) else { return }
        tap.remove()
        while !tap.hasFinished { Futex.pause(microseconds: 1000) }
        try complete()
    }

    private func complete() throws(AudioFileError) {
        try state.withLock { state throws(AudioFileError) in
            if let failure = state.failure {
                try state.writer.abandon(after: failure)
                throw failure
            }
            try state.writer.finish()
        }
    }
}

extension AudioNode {
    /// Records an output bus into a sound file, from the next cycle on until `finish`; the file's extension chooses its kind.
    ///
    /// The file has the rate and channels of `format`; by default those of a tap without a format. Throws `AudioFileError` if the file
    /// cannot be begun, and the errors of `installTap`.
    public func record(onBus bus: Int = 0, to path: String, format: AudioFormat? = nil) throws -> AudioRecording {
        try AudioRecording(self, bus: bus, path: path, format: format)
    }

    /// Records into a file that has its name at once, and stays valid as it grows: it survives the end of the process.
    ///
    /// A former file of this name is lost at the start. After a failure the frames recorded before stay.
    public func recordLive(onBus bus: Int = 0, to path: String, format: AudioFormat? = nil) throws -> AudioRecording {
        try AudioRecording(self, bus: bus, path: path, format: format, isPublished: true)
    }
}
