// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of a recorder, written by its tap. The tap's thread, and the threads of the program.

import AudioGraph
import Synchronization

/// The destination of a tap's thread.
///
/// It does not hold the recorder: the recorder's end waits for that thread.
final class RecordedFile: Sendable {
    struct State {
        var file: AudioFile?
        var isPaused = false
        var frameCount: Int64 = 0
        /// The number of frames after which the recording ends; nil for no limit.
        var lastFrame: Int64?
        var failure: AudioFileError?
    }

    let state: Mutex<State>

    init(_ file: AudioFile) { state = Mutex(State(file: file)) }

    /// Writes a buffer; true if the recording is over.
    func take(_ buffer: AudioPCMBuffer) -> Bool {
        state.withLock { state in
            guard !state.isPaused, state.failure == nil, let file = state.file else { return false }
            if let last = state.lastFrame { buffer.frames = Int(min(Int64(buffer.frames), max(0, last - state.frameCount))) }
            do throws(AudioFileError) { try file.write(from: buffer) } catch { state.failure = error }
            state.frameCount += Int64(buffer.frames)
            return state.failure != nil || state.lastFrame.map { state.frameCount >= $0 } ?? false
        }
    }
}

/// A weak reference to a recorder.
final class WeakRecorder: Sendable {
    // SAFETY: it is set once, before it is handed on.
    nonisolated(unsafe) weak var recorder: AVAudioRecorder?

    init(_ recorder: AVAudioRecorder) { self.recorder = recorder }
}
