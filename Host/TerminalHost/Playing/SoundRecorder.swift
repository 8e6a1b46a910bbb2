// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records the output of a command, and reports errors without stopping it. Main thread; a thread of the tap writes.

import AudioFiles
import AudioGraph

/// A recording of the output.
///
/// A thread of its own writes. The file has its name at once, and is valid as it grows.
final class SoundRecorder {
    private let path: String
    private let recording: AudioRecording
    private var hasToldOfFailure = false
    private var hasToldOfLoss = false

    /// Begins the file, which holds the sound of the node's output bus from its first cycle on.
    ///
    /// A format with fixed rates, such as Opus, gets the nearest one.
    init(_ path: String, of node: AudioNode, bus: Int = 0, _ format: AudioFormat) throws {
        self.path = path
        let rate = AudioFileWriter.rate(nearest: format.sampleRate, path: path)
        recording = try node.recordLive(
            onBus: bus, to: path, format: AudioFormat(sampleRate: rate, channelCount: format.channelCount, layout: format.layout))
    }

    /// Takes the sentences about failures since the last call.
    func takeMessages() -> [String] {
        var messages: [String] = []
        if !hasToldOfFailure, let failure = recording.failure {
            hasToldOfFailure = true
            messages.append("\(failure) The recording has ended there; what plays goes on.")
        }
        if !hasToldOfLoss, recording.droppedFrameCount > 0 {
            hasToldOfLoss = true
            messages.append("The disk is too slow for the recording \"\(path)\": a part is missing there.")
        }
        return messages
    }

    /// Completes the file.
    ///
    /// Throws the first error of the whole recording, or the number of missing frames.
    func finish() throws {
        try recording.finishNow()
        let lost = recording.droppedFrameCount
        guard lost == 0 else {
            throw CommandError.failed(
                "The recording \"\(path)\" lacks \(lost) frames, because the disk was too slow. Record to a faster one.")
        }
    }
}
