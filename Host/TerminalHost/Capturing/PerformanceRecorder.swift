// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// --capture: keeps how a session began, what came in, what was heard, and what happened when. Main thread.

import AudioGraph
import Control
import LinuxSystem
import PluginHosting

/// A performance that is captured while it plays.
final class PerformanceRecorder {
    private let folder: CaptureFolder
    private let capture: SessionCapture
    /// What was heard, and what came in where the graph reads it.
    private let sounds: [SoundRecorder]
    private var hasToldOfFailure = false

    /// Begins; call it before the engine starts.
    ///
    /// `input` is what the graph hears of outside, and `output` what is heard of all.
    init(
        _ path: String, of session: Session, input: AudioNode?, output: AudioNode, _ format: AudioFormat, _ facts: CaptureFacts
    ) throws {
        folder = CaptureFolder(path)
        try folder.make()
        var sounds = [try SoundRecorder(folder.output, of: output, format)]
        if let input, session.graph.document.readsInput {
            let format = input.outputFormat(forBus: 0) ?? format
            sounds.append(try SoundRecorder(folder.input, of: input, format))
        }
        self.sounds = sounds
        capture = try SessionCapture(session, into: folder, facts)
    }

    /// What has gone wrong since the last call, as sentences.
    func takeMessages() -> [String] {
        var messages = sounds.flatMap { $0.takeMessages() }
        if !hasToldOfFailure, let failure = capture.failure {
            hasToldOfFailure = true
            messages.append("\(failure) The capture has ended there; what plays goes on.")
        }
        return messages
    }

    /// Completes the capture once nothing plays any more.
    ///
    /// Throws the first thing that went wrong at any time.
    func finish() throws {
        let results = sounds.map { sound in Result { try sound.finish() } }
        try capture.finish()
        for result in results { try result.get() }
    }
}
