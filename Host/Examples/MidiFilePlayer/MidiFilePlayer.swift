// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a MIDI file with an instrument, or renders it into a sound file. Main thread.

import AudioFiles
import AudioGraph
import Glibc
import PipeWireIO

/// Plays a MIDI file with an instrument.
enum MidiFilePlayer {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 2 || words.count == 3 else {
            print("usage: MidiFilePlayer FILE.mid INSTRUMENT [OUTPUT]\nWithout OUTPUT it plays.")
            exit(2)
        }
        do {
            try await run(
                words[0], with: try await AudioUnitMIDIInstrument.instantiate(named: words[1]), words.count > 2 ? words[2] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// The longest time that the instrument may go on after the last note, in seconds.
    static let tail = 2.0

    /// Shows the position in the song on one line of a terminal.
    static func show(_ sequencer: AudioSequencer) {
        guard isatty(STDOUT_FILENO) == 1 else { return }
        let share = min(1, max(0, sequencer.currentPositionInBeats / max(1e-9, sequencer.lengthInBeats)))
        let bar = String(repeating: "#", count: Int(share * 40)) + String(repeating: ".", count: 40 - Int(share * 40))
        print("\r\(bar) beat \(Int(sequencer.currentPositionInBeats))", terminator: share < 1 ? "" : "\n")
        fflush(nil)
    }

    /// Renders until a number of seconds have passed.
    static func render(_ engine: AudioEngine, _ sequencer: AudioSequencer, seconds: Double, into output: String) throws {
        let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
        let writer = try AudioFileWriter(path: output, sampleRate: format.sampleRate, channelCount: 2)
        guard let block = AudioPCMBuffer(pcmFormat: format, frameCapacity: 512) else { return }
        var left = Int(seconds * format.sampleRate)
        while left > 0 {
            try engine.renderOffline(min(512, left), to: block)
            try writer.write(block)
            left -= block.frameLength
            show(sequencer)
        }
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }

    /// Plays `file` with the instrument of that name, or renders it into a file.
    static func run(_ file: String, with instrument: AudioUnitMIDIInstrument, _ output: String?) async throws {
        let engine = AudioEngine()
        let stereo = AudioFormat(sampleRate: 48_000, channelCount: 2)
        if output != nil { try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 512) }
        engine.attach(instrument)
        try engine.connect(instrument, to: engine.mainMixerNode)
        let sequencer = AudioSequencer(audioEngine: engine)
        try sequencer.load(contentsOf: file)
        for track in sequencer.tracks { track.destinationAudioUnit = instrument }
        let seconds = sequencer.seconds(forBeats: sequencer.lengthInBeats)
        print(
            "\(sequencer.tracks.count) tracks, \(Int(sequencer.lengthInBeats.rounded(.up))) beats, \(Int(seconds.rounded(.up))) s.")
        try engine.start()
        sequencer.start()
        if let output {
            try render(engine, sequencer, seconds: seconds + tail, into: output)
        } else {
            while sequencer.isPlaying {
                show(sequencer)
                try await Task.sleep(nanoseconds: 100_000_000)
            }
            try await Task.sleep(nanoseconds: UInt64(tail * 1e9))
        }
        sequencer.stop()
        engine.stop()
    }
}
