// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records what a command plays, tells of what goes wrong, and lets it play on. Main thread; a thread of the tap writes.

import AudioFiles
import AudioGraph

/// A recording of what is heard.
///
/// A thread of its own writes. The file has its name at once, and is right as it grows.
final class SoundRecorder {
    private let path: String
    private let recording: AudioRecording
    private var hasToldOfFailure = false
    private var hasToldOfLoss = false

    /// Begins the file; what an output bus of the node plays is in it from its first cycle on.
    ///
    /// A format with rates of its own, such as Opus, gets the nearest one.
    init(_ path: String, of node: AudioNode, bus: Int = 0, _ format: AudioFormat) throws {
        self.path = path
        let rate = AudioFileWriter.rate(nearest: format.sampleRate, path: path)
        recording = try node.recordLive(
            onBus: bus, to: path, format: AudioFormat(sampleRate: rate, channelCount: format.channelCount, layout: format.layout))
    }

    /// What has gone wrong since the last call, as sentences.
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
    /// Throws what went wrong at any time, or how many frames are missing.
    func finish() throws {
        try recording.finishNow()
        let lost = recording.droppedFrameCount
        guard lost == 0 else {
            throw CommandError.failed(
                "The recording \"\(path)\" lacks \(lost) frames, because the disk was too slow. Record to a faster one.")
        }
    }
}
