// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// --capture: keeps how a session began, what came in, what was heard, and what happened when. Main thread.

import AudioGraph
import Console
import Control
import LinuxSystem
import PluginHosting

/// A performance that is captured while it plays.
final class PerformanceRecorder {
    private let folder: CaptureFolder
    private let capture: SessionCapture
    /// What was heard, and what came in at each bus where the graph reads it.
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
        if session.graph.document.usesFurtherOutputs {
            Terminal.printError(
                "The capture keeps what the main output plays, and not what the graph leads to further buses of the output.")
        }
        var sounds = [try SoundRecorder(folder.output, of: output, format)]
        if let input, session.graph.document.readsInput {
            // A bus that leads nowhere is kept, too: an edit may connect it.
            for bus in 0...session.graph.document.inputBuses.count {
                let path = bus == 0 ? folder.input : folder.input(ofBus: bus)
                sounds.append(try SoundRecorder(path, of: input, bus: bus, input.outputFormat(forBus: bus) ?? format))
            }
        }
        self.sounds = sounds
        capture = try SessionCapture(session, into: folder, facts)
        if let complaint = capture.sealComplaint { Terminal.printError(complaint) }
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
