// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// System-exclusive messages reach an instrument on each of their ways, at their frames, whole. Test thread.

import AudioUnits
import Foundation
import HostingTestSupport
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct SystemExclusiveTests {
    private let folder = ScratchFolder()
    /// Master volume 16 of 127: 36 dB below full.
    private let quiet: [UInt8] = [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, 16, 0xF7]
    /// All notes of the octave 50 cents higher, on all channels: 33 bytes, three pieces.
    private var higher: [UInt8] {
        [0xF0, 0x7F, 0x7F, 0x08, 0x09, 3, 127, 127] + (0..<12).flatMap { _ in [96, 0] as [UInt8] } + [0xF7]
    }

    private func bench() throws -> (engine: AudioEngine, sampler: AudioUnitSampler) {
        let (engine, sampler) = (try AudioEngine.offline(), AudioUnitSampler())
        try sampler.loadInstrument(at: folder.write("sines.sf2", SineBank.bytes))
        engine.attach(sampler)
        try engine.connect(sampler, to: engine.mainMixerNode)
        try engine.start()
        return (engine, sampler)
    }

    private func level(_ sound: ArraySlice<Float>) -> Double {
        10 * log10(sound.reduce(1e-20) { $0 + Double($1) * Double($1) } / Double(sound.count))
    }

    /// The frequency of a tone, as its rising zero crossings tell.
    private func frequency(_ sound: ArraySlice<Float>) -> Double {
        let rising = sound.indices.dropFirst().filter { sound[$0 - 1] < 0 && sound[$0] >= 0 }
        return Double(rising.count - 1) * 48_000 / Double((rising.last ?? 1) - (rising.first ?? 0))
    }

    /// A note of two seconds, and one second in both messages.
    private func expect(_ sound: [Float], _ way: String) {
        let (before, after) = (sound[24_000..<48_000], sound[72_000..<95_000])
        #expect(abs(level(after) - level(before) - 40 * log10(2048.0 / 16_383)) < 0.3, "\(way)")
        #expect(abs(1200 * log2(frequency(after) / frequency(before)) - 50) < 2, "\(way)")
        #expect(abs(frequency(before) - 440) < 1, "\(way)")
    }

    @Test(arguments: [64, 512, 1000]) func throughATrack(block: Int) throws {
        let (engine, sampler) = try bench()
        let sequencer = AudioSequencer(audioEngine: engine)
        let track = sequencer.createAndAppendTrack()
        track.destinationAudioUnit = sampler
        track.addEvent(.note(channel: 0, key: 69, velocity: 100, duration: 4), at: 0)
        for bytes in [quiet, higher] { track.addEvent(.systemExclusive(bytes), at: 2) }
        // Nothing that is no message reaches a unit.
        for bytes in [[0xF0, 0x90, 0xF7], [0xF0, 1], []] as [[UInt8]] { track.addEvent(.systemExclusive(bytes), at: 1) }
        sequencer.start()
        expect(try engine.render(96_000, block: block)[0], "blocks of \(block)")
    }

    @Test func throughMIDIInput() throws {
        let (engine, sampler) = try bench()
        engine.midiInput.connect(port: 2, to: sampler, mapping: MIDIMapping(channels: [0]))
        engine.midiInput.send([0x90, 69, 100], port: 2, at: 0)
        // A message of another port is not heard, nor one without an end.
        #expect(engine.midiInput.send(quiet, port: 1, at: 10) && !engine.midiInput.send(Array(quiet.dropLast()), port: 2, at: 10))
        for bytes in [quiet, higher] { #expect(engine.midiInput.send(bytes, port: 2, at: 48_000)) }
        expect(try engine.render(96_000)[0], "input")
    }

    /// A driver hands over packets; one with a lone end belongs to a message of four bytes more than a multiple of three.
    @Test func throughPacketsThatOtherMessagesInterrupt() throws {
        let (engine, sampler) = try bench()
        engine.midiInput.connect(to: sampler)
        engine.midiInput.send([0x90, 69, 100], at: 0)
        for bytes in [quiet, higher] {
            for start in stride(from: 0, to: bytes.count, by: 3) {
                engine.midiInput.send(Array(bytes[start..<min(start + 3, bytes.count)]), at: 48_000)
                engine.midiInput.send([0xB5, 1, UInt8(start)], at: 48_000)
                engine.midiInput.send([0xF8], at: 48_000)
            }
        }
        expect(try engine.render(96_000)[0], "packets")
    }

    /// The messages come by both ways; the next process hears them before its first note.
    @Test(arguments: [true, false]) func afterACrash(byInput: Bool) throws {
        let (engine, sampler) = try bench()
        engine.midiInput.connect(to: sampler)
        engine.midiInput.send([0x90, 69, 100], at: 0)
        var sound = try engine.render(48_000)[0]
        for bytes in [quiet, higher] {
            if byInput { engine.midiInput.send(bytes) } else { sampler.sendMIDISysExEvent(bytes) }
        }
        _ = try engine.render(4800)
        kill(try #require(sampler.unit?.processIdentifier), SIGKILL)
        _ = try engine.render(48_000)
        engine.midiInput.send([0x90, 69, 100])
        sound += try engine.render(48_000)[0]
        expect(sound, byInput ? "input" : "function")
        #expect(sampler.unit?.restartCount == 1)
    }

    /// 500 pieces do not hold up or interrupt one another: what comes behind them is heard as well.
    @Test func manyLongMessagesAfterACrash() throws {
        let (engine, sampler) = try bench()
        engine.midiInput.connect(to: sampler)
        let long: [[UInt8]] = (0..<3).map { kind in [0xF0, 0x7D, kind] + Array(repeating: 1, count: 8000) + [0xF7] }
        for bytes in long { sampler.sendMIDISysExEvent(bytes) }
        for bytes in [quiet, higher] { engine.midiInput.send(bytes) }
        _ = try engine.render(48_000)
        kill(try #require(sampler.unit?.processIdentifier), SIGKILL)
        _ = try engine.render(48_000)
        engine.midiInput.send([0x90, 69, 100])
        let sound = try engine.render(48_000)[0]
        #expect(abs(1200 * log2(frequency(sound[24_000..<47_000]) / 440) - 50) < 2)
        #expect(sampler.unit?.restartCount == 1)
    }

    /// A new process gets 1,600 pieces of state, and commands that change the state in each block do not make that begin anew.
    @Test func commandsDoNotHoldUpTheStateAfterACrash() throws {
        let (engine, sampler) = try bench()
        engine.midiInput.connect(to: sampler)
        let long: [[UInt8]] = (0..<3).map { kind in [0xF0, 0x7D, kind] + Array(repeating: 1, count: 8000) + [0xF7] }
        for bytes in long { sampler.sendMIDISysExEvent(bytes) }
        _ = try engine.render(48_000)
        kill(try #require(sampler.unit?.processIdentifier), SIGKILL)
        var sound: [Float] = []
        for block in 0..<300 {
            sampler.sendMIDISysExEvent([0xF0, 0x7D, 9, UInt8(block & 1), 0xF7])
            if block == 150 { engine.midiInput.send([0x90, 69, 100]) }
            sound += try engine.render(480)[0]
        }
        #expect(abs(frequency(sound[96_000..<143_000]) - 440) < 1)
        #expect(sampler.unit?.restartCount == 1)
    }

    @Test func throughTheInstrumentsOwnFunction() throws {
        let (engine, sampler) = try bench()
        sampler.startNote(69, withVelocity: 100, onChannel: 0)
        var sound = try engine.render(48_000)[0]
        for bytes in [quiet, higher, [0xF0, 0x90]] { sampler.sendMIDISysExEvent(bytes) }
        sound += try engine.render(48_000)[0]
        expect(sound, "function")
    }

    /// A capture keeps them as they came, and a replay sends them again.
    @Test func throughALogAndBack() throws {
        var (sounds, events) = ([[Float]](), [MIDIInputMessage]())
        for isReplay in [false, true] {
            let (engine, sampler) = try bench()
            engine.midiInput.connect(to: sampler)
            engine.eventLog.begin()
            if isReplay {
                for event in events { engine.midiInput.send(event.bytes, port: Int(event.port), at: event.sampleTime) }
            } else {
                engine.midiInput.send([0x90, 69, 100], at: 0)
                for bytes in [quiet, higher] { engine.midiInput.send(bytes, at: 48_000) }
            }
            sounds.append(try engine.render(96_000)[0])
            events = engine.eventLog.take().filter { $0.kind == .midi }.map { MIDIInputMessage($0) }
        }
        expect(sounds[0], "log")
        #expect(sounds[0] == sounds[1] && events.count == 1 + 3 + 11)
    }

    /// A file of a sequencer has them.
    @Test func aFileHasThem() throws {
        let sequencer = AudioSequencer(audioEngine: AudioEngine())
        let track = sequencer.createAndAppendTrack()
        track.addEvent(.systemExclusive(higher), at: 1)
        track.addEvent(.note(channel: 0, key: 60, velocity: 100, duration: 1), at: 1)
        let bytes = try sequencer.data()
        // The number of bytes after F0 comes before them.
        let wanted = [0xF0, UInt8(higher.count - 1)] + higher.dropFirst()
        #expect(bytes.indices.contains { bytes[$0...].starts(with: wanted) })
    }
}
