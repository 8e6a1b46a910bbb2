// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a playing command for the metronome and for recordings. Main thread.

import AudioFiles
import AudioGraph
import Rendering

/// The options of recordings and of the metronome.
struct SoundArguments {
    /// A tempo for the metronome.
    struct Tempo: Equatable {
        var beatsPerMinute: Double
        var beatsPerBar: UInt16
    }

    /// The file to record to; nil for no recording.
    private(set) var recordPath: String?
    private(set) var hasMetronome = false
    /// The folder to capture the performance into; nil for no capture.
    private(set) var capturePath: String?
    /// The tempo of the metronome; nil for the song's, or the default one.
    private(set) var tempo: Tempo?
    private(set) var recordsMetronome = false

    /// The row for recordings.
    static var recordTable: [OptionReader<SoundArguments>] {
        [
            .text("--record", "FILE", offering: .file, "Record what is heard, as it plays, in the format that the name ends in") {
                $0.recordPath = try Self.checked($1)
            }
        ]
    }

    /// The row for captures.
    static var captureTable: [OptionReader<SoundArguments>] {
        [
            .text("--capture", "FOLDER", offering: .folder, "Keep the performance in a new folder, for bulkhead-replay(1)") {
                $0.capturePath = $1
            }
        ]
    }

    /// Checks that a replay can render the capture.
    func checkCapture(isPipelined: Bool) throws(CommandError) {
        guard capturePath != nil else { return }
        let obstacle = hasMetronome ? "--metronome" : isPipelined ? "--pipeline" : nil
        guard let obstacle else { return }
        throw .usage("A replay does not know \(obstacle); leave it out, or --capture.", command: nil)
    }

    /// The rows for the metronome.
    static var metronomeTable: [OptionReader<SoundArguments>] {
        let help = "Click at each beat; BPM or BPM/BEATS may follow, such as 96/3"
        let metronome = OptionReader<SoundArguments>(
            option: Option("--metronome", nil, help, default: "120/4, or as the song says")
        ) {
            (sound, arguments) throws(CommandError) in
            sound.hasMetronome = true
            sound.tempo = try arguments.tempo() ?? sound.tempo
        }
        return [
            metronome,
            .flag("--record-metronome", "Let the clicks be in the recording, too") { $0.recordsMetronome = true },
        ]
    }

    private static func checked(_ path: String) throws(CommandError) -> String {
        guard AudioFileWriter.knownExtensions.contains(where: { path.lowercased().hasSuffix(".\($0)") }) else {
            let known = AudioFileWriter.knownExtensions.map { ".\($0)" }.joined(separator: " ")
            throw .usage("--record takes the name of a file that ends in one of \(known), not \"\(path)\".", command: nil)
        }
        return path
    }

    /// Connects the metronome behind all other nodes, and begins to record; call it before the engine starts.
    func connect(in engine: AudioEngine, _ format: AudioFormat, beside source: SessionSource) throws -> ConnectedSound {
        var sound = ConnectedSound()
        var recorded: AudioNode = engine.mainMixerNode
        if hasMetronome {
            let (metronome, both) = (AudioMetronomeNode(), AudioMixerNode())
            try engine.edit {
                _ = try engine.attach(metronome).get()
                _ = try engine.attach(both).get()
                try engine.connect(engine.mainMixerNode, to: both, format: format)
                try engine.connect(metronome, to: both, format: format)
                try engine.connect(both, to: engine.outputNode, format: format)
            }
            sound.metronome = metronome
            if recordsMetronome { recorded = both }
            try setTempo(of: engine, beside: source)
        }
        sound.recorder = try recordPath.map { try SoundRecorder($0, of: recorded, format) }
        return sound
    }

    private func setTempo(of engine: AudioEngine, beside source: SessionSource) throws {
        if case .song = source {
            guard tempo == nil else {
                throw CommandError.failed("The MIDI file has its own tempo: leave the one behind --metronome out.")
            }
            return
        }
        let tempo = tempo ?? Tempo(beatsPerMinute: 120, beatsPerBar: 4)
        let map = TempoMap(
            tempos: [.init(beat: 0, beatsPerMinute: tempo.beatsPerMinute)],
            signatures: [.init(beat: 0, numerator: tempo.beatsPerBar, denominator: 4)])
        if let map { engine.transport.tempoMap = map }
        engine.transport.play()
    }
}

/// The metronome beside the chain, and the recordings.
struct ConnectedSound {
    var metronome: AudioMetronomeNode?
    var recorder: SoundRecorder?
}

extension Arguments {
    /// The next argument if it is BPM or BPM/BEATS; nil for another one.
    fileprivate mutating func tempo() throws(CommandError) -> SoundArguments.Tempo? {
        guard let text = remaining.first else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let tempo = Double(parts[0]) else { return nil }
        _ = next()
        let beats = parts.count == 2 ? UInt16(parts[1]) : 4
        guard TempoMap.tempos.contains(tempo), let beats, (1...64).contains(beats) else {
            throw usage("\(option) takes 1 to 1000 beats a minute and 1 to 64 beats in a bar, such as 96/3, not \"\(text)\".")
        }
        return SoundArguments.Tempo(beatsPerMinute: tempo, beatsPerBar: beats)
    }
}
