// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Carries out --capture: keeps the first session, the input, the output, and all events. Main thread.

import AudioGraph
import Console
import Control
import LinuxSystem
import PluginHosting

/// A recorder of a performance, while it plays.
final class PerformanceRecorder {
    private let folder: CaptureFolder
    private let capture: SessionCapture
    /// The recordings of the output, and of each input bus if the graph has an input.
    private let sounds: [SoundRecorder]
    private var hasToldOfFailure = false

    /// Begins a capture; call it before the engine starts.
    ///
    /// `input` is the node of the graph's input, and `output` the node of the whole output.
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
            // A bus without a connection is kept, too, because an edit may connect it.
            for bus in 0...session.graph.document.inputBuses.count {
                let path = bus == 0 ? folder.input : folder.input(ofBus: bus)
                sounds.append(try SoundRecorder(path, of: input, bus: bus, input.outputFormat(forBus: bus) ?? format))
            }
        }
        self.sounds = sounds
        capture = try SessionCapture(session, into: folder, facts)
        if let complaint = capture.sealComplaint { Terminal.printError(complaint) }
    }

    /// Takes the sentences about failures since the last call.
    func takeMessages() -> [String] {
        var messages = sounds.flatMap { $0.takeMessages() }
        if !hasToldOfFailure, let failure = capture.failure {
            hasToldOfFailure = true
            messages.append("\(failure) The capture has ended there; what plays goes on.")
        }
        return messages
    }

    /// Completes the capture once the engine has stopped.
    ///
    /// Throws the first error of the whole capture.
    func finish() throws {
        let results = sounds.map { sound in Result { try sound.finish() } }
        try capture.finish()
        for result in results { try result.get() }
    }
}
