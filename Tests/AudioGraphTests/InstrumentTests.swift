// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Instruments as nodes: notes, messages, banks, the sampler's properties, and what happens without the plug-in. Test thread.

import AudioFiles
import AudioUnits
import Glibc
import HostingTestSupport
import PluginHosting
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct InstrumentTests {
    private let folder = ScratchFolder()
    private var sines: String { folder.write("sines.sf2", SineBank.bytes) }

    private func engine(with node: AudioNode) throws -> AudioEngine {
        let engine = try AudioEngine.offline()
        engine.attach(node)
        try engine.connect(node, to: engine.mainMixerNode)
        return engine
    }

    private func sampler() throws -> AudioUnitSampler {
        let sampler = AudioUnitSampler()
        try sampler.loadInstrument(at: sines)
        return sampler
    }

    /// The frames of a tone's period, as its zero crossings tell.
    private func period(_ sound: ArraySlice<Float>) -> Double {
        let rising = sound.indices.dropFirst().filter { sound[$0 - 1] < 0 && sound[$0] >= 0 }
        return Double((rising.last ?? 0) - (rising.first ?? 0)) / Double(max(1, rising.count - 1))
    }

    @Test func aNoteSoundsFromTheCycleThatFollowsItToItsEnd() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        try engine.start()
        #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
        sampler.startNote(69, withVelocity: 100, onChannel: 0)
        let sound = try engine.render(4000)[0]
        #expect(try #require(sound.firstIndex { $0 != 0 }) <= 1)
        #expect(abs(period(sound[1000...]) - 48_000 / 440) < 0.2)
        sampler.stopNote(69, onChannel: 0)
        _ = try engine.render(1000)
        #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
    }

    @Test func aMessageMayBeSentForALaterFrame() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        try engine.start()
        try sampler.unit?.send(MIDIMessage(0x90, 69, 100), at: 1337)
        let onset = try #require(try engine.render(4000)[0].firstIndex { $0 != 0 })
        #expect(onset == 1337 || onset == 1338)
    }

    @Test func whatIsSentBeforeTheEngineStartsIsHeardAtItsFirstFrame() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        sampler.sendProgramChange(1, onChannel: 3)
        sampler.startNote(69, withVelocity: 100, onChannel: 3)
        try engine.start()
        let sound = try engine.render(4000)[0]
        #expect(try #require(sound.firstIndex { $0 != 0 }) <= 1)
        #expect(abs(period(sound[1000...]) - 48_000 / 880) < 0.2)
    }

    @Test func inAndOutOfProcessAreTheSameBits() throws {
        func sound(inProcess: Bool) throws -> [[Float]] {
            let unit = PluginUnit(try Build.unit("Sampler", inProcess: inProcess))
            let instrument = AudioUnitMIDIInstrument(unit)
            let engine = try engine(with: instrument)
            try engine.start()
            for (note, frame) in [(60, 0), (64, 700), (67, 1511), (72, 3001)] as [(UInt8, Int64)] {
                try unit.send(MIDIMessage(0x90, note, 100), at: frame)
            }
            return try engine.render(9600)
        }
        let apart = try sound(inProcess: false)
        #expect(apart[0].contains { abs($0) > 0.001 })
        #expect(try sound(inProcess: true) == apart)
    }

    @Test func bankAndProgramSurviveTheDeathOfTheProcess() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        try engine.start()
        let unit = try #require(sampler.unit)
        sampler.sendProgramChange(1, onChannel: 2)
        _ = try engine.render(4800)
        #expect(waitUntil(milliseconds: 5000) { unit.value(of: "channel3.program") == 1 })
        kill(try #require(unit.processIdentifier), SIGKILL)
        // Offline the new process is waited for.
        _ = try engine.render(4800)
        #expect(unit.restartCount == 1)
        sampler.startNote(69, withVelocity: 100, onChannel: 2)
        _ = try engine.render(1000)
        #expect(try abs(period(engine.render(4000)[0][...]) - 48_000 / 880) < 0.2)
        #expect(unit.textValues == ["soundBank": folder.file("sines.sf2")])
    }

    /// The process is killed while a note is held: the note is gone, and its release is nobody's.
    @Test(arguments: [("Synth", 69), ("Drums", 49)] as [(String, UInt8)])
    func afterTheDeathOfTheProcessNoNoteHangsAndTheNextOneSounds(name: String, note: UInt8) throws {
        let unit = PluginUnit(try Build.unit(name))
        let instrument = AudioUnitMIDIInstrument(unit)
        let engine = try engine(with: instrument)
        try engine.start()
        func isHeard() throws -> Bool { try engine.render(4800)[0].contains { abs($0) > 0.01 } }
        instrument.startNote(note, withVelocity: 110, onChannel: 0)
        #expect(try isHeard())
        kill(try #require(unit.processIdentifier), SIGKILL)
        // Offline the new process is waited for.
        _ = try engine.render(4800)
        #expect(unit.restartCount == 1)
        #expect(try engine.render(4800)[0].allSatisfy { $0 == 0 })
        instrument.stopNote(note, onChannel: 0)
        #expect(try engine.render(4800)[0].allSatisfy { $0 == 0 })
        instrument.startNote(note, withVelocity: 110, onChannel: 0)
        #expect(try isHeard())
    }

    @Test func everyMessageIsUnderstood() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        try engine.start()
        func peak() throws -> Float { try engine.render(2400)[0].map(abs).max() ?? 0 }
        sampler.startNote(69, withVelocity: 127, onChannel: 0)
        let loud = try peak()
        sampler.sendController(7, withValue: 40, onChannel: 0)
        _ = try engine.render(2400)
        #expect(try peak() < loud * 0.5)
        sampler.sendPitchBend(16_383, onChannel: 0)
        _ = try engine.render(480)
        #expect(abs(period(try engine.render(4000)[0][...]) - 48_000 / 440 / pow(2, 2.0 / 12)) < 0.3)
        sampler.sendPressure(80, onChannel: 0)
        sampler.sendPressure(forKey: 69, withValue: 80, onChannel: 0)
        sampler.sendController(123, withValue: 0, onChannel: 0)
        _ = try engine.render(2400)
        #expect(try peak() == 0)
        sampler.sendProgramChange(1, bankMSB: 0x79, bankLSB: 0, onChannel: 1)
        sampler.sendMIDIEvent(0x91, data1: 69, data2: 100)
        _ = try engine.render(480)
        #expect(abs(period(try engine.render(4000)[0][...]) - 48_000 / 880) < 0.2)
    }

    @Test func numbersBeyondTheirRangeNeverTrap() throws {
        let sampler = try sampler()
        let engine = try engine(with: sampler)
        try engine.start()
        sampler.startNote(255, withVelocity: 255, onChannel: 255)
        sampler.stopNote(255, onChannel: 99)
        sampler.sendController(255, withValue: 255, onChannel: 255)
        sampler.sendPitchBend(.max, onChannel: 16)
        sampler.sendPressure(forKey: 200, withValue: 200, onChannel: 200)
        sampler.sendProgramChange(255, bankMSB: 255, bankLSB: 255, onChannel: 255)
        for status in UInt8.min...UInt8.max {
            sampler.sendMIDIEvent(status, data1: 255)
            sampler.sendMIDIEvent(status, data1: 255, data2: 255)
        }
        _ = try engine.render(4800)
        #expect(sampler.unit?.faults.isEmpty == true && sampler.unit?.restartCount == 0)
        let waiting = try self.sampler()
        for _ in 0..<2 * AudioUnitMIDIInstrument.mostWaiting { waiting.startNote(60, withVelocity: 0, onChannel: 0) }
        let other = try self.engine(with: waiting)
        try other.start()
        _ = try other.render(480)
    }

    @Test func thePropertiesHaveTheirDefaultsAndRanges() throws {
        let sampler = AudioUnitSampler()
        #expect(sampler.overallGain == 0 && sampler.globalTuning == 0 && sampler.stereoPan == 0)
        (sampler.masterGain, sampler.globalTuning, sampler.stereoPan) = (50, -9000, .infinity)
        #expect(sampler.overallGain == 12 && sampler.globalTuning == -2400 && sampler.stereoPan == 100)
        (sampler.overallGain, sampler.stereoPan) = (-200, .nan)
        #expect(sampler.masterGain == -90 && sampler.stereoPan == 100)
    }

    @Test func anInstrumentOfABankPlaysOnAllChannels() throws {
        let sampler = AudioUnitSampler()
        try sampler.loadSoundBankInstrument(
            at: sines, program: 1, bankMSB: AudioUnitSampler.defaultMelodicBankMSB, bankLSB: AudioUnitSampler.defaultBankLSB)
        let engine = try engine(with: sampler)
        try engine.start()
        for channel in [0, 9, 15] as [UInt8] {
            sampler.startNote(69, withVelocity: 100, onChannel: channel)
            _ = try engine.render(1000)
            #expect(abs(period(try engine.render(4000)[0][...]) - 48_000 / 880) < 0.2)
            sampler.stopNote(69, onChannel: channel)
            _ = try engine.render(2000)
        }
    }

    @Test func aBankThatCannotBeLoadedIsToldAndChangesNothing() throws {
        let sampler = try sampler()
        for path in ["/nowhere/at.sf2", folder.write("text.sf2", Array("not a bank".utf8)), folder.path] {
            let error = #expect(throws: AudioEngineError.self) { try sampler.loadInstrument(at: path) }
            guard case .unit(node: "Sampler", .refused)? = error else {
                Issue.record("\(error as Any)")
                return
            }
        }
        let engine = try engine(with: sampler)
        try engine.start()
        sampler.startNote(69, withVelocity: 100, onChannel: 0)
        #expect(try abs(period(engine.render(4000)[0][1000...]) - 48_000 / 440) < 0.2)
        #expect(throws: AudioEngineError.self) { try sampler.loadInstrument(at: folder.write("other.sf2", SineBank.bytes)) }
        try sampler.loadInstrument(at: "/usr/share/sounds/sf2/TimGM6mb.sf2")
        sampler.startNote(69, withVelocity: 100, onChannel: 0)
        #expect(try engine.render(9600)[0].contains { abs($0) > 0.001 })
    }

    /// A sine of 480 Hz sounds so at middle C, and at double the frequency an octave higher.
    @Test(arguments: [1, 2]) func aSoundFileIsPlayedOverTheKeyboard(channelCount: Int) throws {
        let path = folder.file("sine.wav")
        let writer = try AudioFileWriter(path: path, sampleRate: 48_000, channelCount: channelCount)
        let buffer = try Sounds.buffer(48_000, channelCount: channelCount) { channel, frame in
            channel == 0 ? 0.5 * sin(Float(frame) * 2 * .pi / 100) : 0
        }
        try writer.write(buffer.samples.channels, frameCount: 48_000)
        try writer.finish()
        let sampler = AudioUnitSampler()
        try sampler.loadAudioFiles(at: [path])
        let engine = try engine(with: sampler)
        try engine.start()
        for (note, expected) in [(60, 100), (72, 50)] as [(UInt8, Double)] {
            sampler.startNote(note, withVelocity: 127, onChannel: 0)
            _ = try engine.render(480)
            let sound = try engine.render(4000)
            #expect(abs(period(sound[0][...]) - expected) < 0.1)
            #expect(channelCount == 1 ? sound[1] == sound[0] : sound[1].allSatisfy { abs($0) < 1e-4 })
            sampler.stopNote(note, onChannel: 0)
            _ = try engine.render(9600)
            #expect(try engine.render(480)[0].allSatisfy { $0 == 0 })
        }
        for paths in [[], [path, path]] {
            #expect(throws: AudioEngineError.self) { try sampler.loadAudioFiles(at: paths) }
        }
    }

    @Test func withoutThePlugInTheEngineSaysWhatIsMissing() throws {
        let node = AudioUnitMIDIInstrument(starting: "aumu:none:blkh", name: "Nothing")
        node.startNote(60, withVelocity: 100, onChannel: 0)
        #expect(node.unit == nil && node.numberOfInputs == 0 && node.numberOfOutputs == 1)
        let engine = try engine(with: node)
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        guard case .unit(node: "Nothing", .unknownComponent)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        engine.detach(node)
        try engine.start()
    }
}
