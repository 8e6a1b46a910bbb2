// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI that comes in while an engine plays: each message at its frame, along its routes, and kept for the program. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import MIDIFiles
import PluginHosting
import Realtime
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct MIDIInputTests {
    private func connected(_ mapping: MIDIMapping = MIDIMapping(), port: Int? = nil) async throws -> SequencerBench {
        let bench = try await SequencerBench()
        bench.engine.midiInput.connect(port: port, to: bench.instrument, mapping: mapping)
        return bench
    }

    @Test(arguments: [32, 256, 1024, 37]) func aMessageSoundsAtExactlyItsFrame(block: Int) async throws {
        let bench = try await connected()
        let input = bench.engine.midiInput
        // Sent in another order than that of their frames.
        input.send([0x80, 60, 64], at: 5000)
        input.send([0x90, 60, 100], at: 1337)
        input.send([0x90, 61, 100], at: 4999)
        input.send([0xC0, 7], at: 100)
        let heard = try bench.render(8000, block: block)
        #expect(heard.beginnings == [1337, 4999] && heard.ends == [5000])
        #expect(heard.state[99] == 0 && heard.state[100...].allSatisfy { $0 == 7 })
    }

    @Test func aMessageWithoutAFrameSoundsAtTheNextCycle() async throws {
        let bench = try await connected()
        _ = try bench.render(1000)
        bench.engine.midiInput.send([0x90, 60, 100])
        #expect(try bench.render(1000).beginnings == [0])
    }

    @Test func aRouteLetsItsChannelsAndKeysPassAndMovesThem() async throws {
        let bench = try await connected(MIDIMapping(channels: [1], keys: 40...60, transpose: 12, toChannel: 0), port: 2)
        let input = bench.engine.midiInput
        let messages: [(port: Int, bytes: [UInt8])] = [
            (2, [0x91, 50, 100]), (2, [0x90, 50, 100]), (2, [0x91, 61, 100]), (2, [0x91, 39, 100]), (0, [0x91, 50, 100]),
            (2, [0xC1, 9]), (2, [0xC0, 3]),
        ]
        for message in messages { input.send(message.bytes, port: message.port, at: 10) }
        let heard = try bench.render(100)
        #expect(heard.begun == [10: Float(100 + 128 * 62)] && heard.state.last == 9)
    }

    @Test func aRouteGivesItsMessagesACable() async throws {
        let bench = try await SequencerBench()
        let input = bench.engine.midiInput
        let connection = input.connect(port: 1, to: bench.instrument, mapping: MIDIMapping(channels: [0], cable: 255))
        input.connect(port: 2, to: bench.instrument)
        input.send([0xB0, 20, 1], port: 1, at: 10)
        input.send([0x90, 60, 100], port: 1, at: 10)
        input.send([0xB0, 20, 1], port: 2, at: 20)
        let heard = try bench.render(100)
        #expect(heard.state[19] == 255 && heard.state.last == 0 && heard.sounding.last == 1)
        input.disconnect(connection)
        #expect(try bench.render(100).sounding.last == 0)
    }

    @Test func aTransposedKeyBeyondTheKeyboardIsLeftOut() async throws {
        let bench = try await connected(MIDIMapping(channels: Set(0...15), transpose: 100))
        bench.engine.midiInput.send([0x90, 60, 100], at: 0)
        bench.engine.midiInput.send([0x90, 20, 100], at: 1)
        #expect(try bench.render(100).beginnings == [1])
    }

    @Test func aRouteThatGoesEndsTheNotesThatItHeld() async throws {
        let bench = try await connected()
        let input = bench.engine.midiInput
        input.send([0x90, 60, 100], at: 0)
        input.send([0xB0, 64, 127], at: 0)
        #expect(try bench.render(1000).sounding.last == 1)
        input.disconnect(bench.instrument)
        let heard = try bench.render(1000)
        #expect(heard.ends == [0] && heard.sounding.last == 0 && heard.state.last == 0)
        // A route that is new is no other one's: the end of its note is not sent twice.
        input.connect(to: bench.instrument)
        input.send([0x80, 60, 64])
        #expect(try bench.render(1000).ends.isEmpty)
    }

    @Test func aRouteThatStaysKeepsItsNotesWhenOthersCome() async throws {
        let bench = try await connected()
        let input = bench.engine.midiInput
        input.send([0x90, 60, 100], at: 0)
        _ = try bench.render(1000)
        input.connect(port: 5, to: bench.instrument)
        let heard = try bench.render(1000)
        #expect(heard.ends.isEmpty && heard.sounding.last == 1)
        input.send([0x80, 60, 64])
        #expect(try bench.render(1000).sounding.last == 0)
    }

    @Test func afterACrashNoNoteHangsAndTheNextOneSounds() async throws {
        let bench = try await connected()
        let input = bench.engine.midiInput
        for bytes in [[0xC0, 5], [0xB0, 1, 3], [0xE0, 0, 70], [0x90, 60, 100]] as [[UInt8]] { input.send(bytes) }
        let before = try bench.render(4800)
        #expect(before.sounding.last == 1)
        kill(try #require(bench.instrument.unit.processIdentifier), SIGKILL)
        let heard = try bench.render(48_000)
        #expect(heard.sounding.last == 0 && heard.state.last == before.state.last)
        input.send([0x80, 60, 64])
        input.send([0x90, 62, 100])
        let after = try bench.render(4800)
        #expect(after.begun == [0: Float(100 + 128 * 62)] && after.sounding.last == 1)
    }

    @Test func afterACrashAnInstrumentHasWhatAKeyboardHadSetThatIsGone() async throws {
        let bench = try await connected()
        let input = bench.engine.midiInput
        for bytes: [UInt8] in [[0xC0, 5], [0xB0, 1, 3]] { input.send(bytes) }
        let before = try bench.render(4800)
        input.disconnect(bench.instrument)
        _ = try bench.render(4800)
        kill(try #require(bench.instrument.unit.processIdentifier), SIGKILL)
        #expect(try bench.render(48_000).state.last == before.state.last)
    }

    /// A program may be a parameter, too, as those of the sampler are.
    @Test func afterACrashTheParameterThatWasSetLastWins() async throws {
        let bench = try await connected()
        bench.engine.midiInput.send([0xC0, 5])
        #expect(try bench.render(4800).state.last == 5)
        try bench.instrument.unit.setValue(9, of: "program")
        #expect(try bench.render(4800).state.last == 9)
        kill(try #require(bench.instrument.unit.processIdentifier), SIGKILL)
        #expect(try bench.render(48_000).state.last == 9)
        #expect(bench.instrument.unit.restartCount == 1)
    }

    @Test func aSongAndAKeyboardPlayOneInstrumentInTheOrderOfTheirFrames() async throws {
        let bench = try await connected()
        try bench.sequencer.load(data: Songs.file((0..<40).map { Songs.Note(tick: $0 * 20, length: 10) }))
        bench.sequencer.start()
        for index in 0..<40 { bench.engine.midiInput.send([0x90, 72, 100], at: Int64(index * 1000 + 500)) }
        let heard = try bench.render(40_000, block: 1024)
        let song = (0..<40).map { Songs.frame(ofTick: $0 * 20) }
        let keyboard = (0..<40).map { $0 * 1000 + 500 }
        #expect(heard.beginnings == (song + keyboard).sorted())
        #expect(bench.sequencer.lateEventCount == 0 && bench.engine.midiInput.droppedCount == 0)
    }

    @Test func routesMayChangeFromAnotherThreadWhileNotesComeIn() async throws {
        let bench = try await SequencerBench()
        let (input, instrument) = (bench.engine.midiInput, bench.instrument)
        try await withThrowingTaskGroup(of: Void.self) { group throws in
            group.addTask {
                while !Task.isCancelled {
                    let connections = (0..<4).map { input.connect(port: $0, to: instrument, channels: [0, $0], transpose: $0) }
                    Futex.pause(microseconds: 50)
                    for connection in connections { input.disconnect(connection) }
                }
            }
            group.addTask {
                var number: UInt8 = 0
                while !Task.isCancelled {
                    number = (number + 1) & 63
                    _ = input.send([number & 1 == 0 ? 0x90 : 0x80, number / 2, 100], port: Int(number & 3))
                    Futex.pause(microseconds: 20)
                }
            }
            for _ in 0..<300 { _ = try bench.render(512) }
            group.cancelAll()
        }
        input.disconnect(instrument)
        _ = try bench.render(512)
        let last = try bench.render(512)
        #expect(input.connections.isEmpty && last.sounding.last == 0)
    }

    @Test func theProgramReadsWhatCameIn() async throws {
        let bench = try await connected()
        let received = bench.engine.receivedMIDI
        received.listen()
        bench.engine.midiInput.send([0xB3, 7, 90], port: 4, at: 77)
        bench.engine.midiInput.send([0xF8], at: 78)
        _ = try bench.render(100)
        let messages = received.take()
        #expect(messages.map(\.bytes) == [[0xB3, 7, 90], [0xF8]] && messages.map(\.port) == [4, 0])
        #expect(messages.map(\.sampleTime) == [77, 78] && received.take().isEmpty)
    }

    @Test func whatTheProgramDoesNotReadIsCountedAndNothingElseIsLost() async throws {
        let bench = try await connected()
        bench.engine.receivedMIDI.listen()
        var notes = 0
        for round in 0..<3 {
            for index in 0..<500 {
                let isTaken = bench.engine.midiInput.send([0x90, UInt8(index & 127), 1], at: Int64(round * 1000 + index))
                notes += isTaken ? 1 : 0
            }
            #expect(try bench.render(1000).beginnings == Array(0..<500))
        }
        #expect(notes == 1500 && bench.engine.receivedMIDI.droppedCount == 476)
        #expect(bench.engine.receivedMIDI.take(atMost: 10).count == 10 && bench.engine.receivedMIDI.take().count == 1014)
    }

    @Test func moreThanFindsRoomIsRefused() async throws {
        let bench = try await connected()
        let taken = (0..<2000).count { _ in bench.engine.midiInput.send([0x90, 60, 1]) }
        #expect(taken == 1024)
        #expect(!bench.engine.midiInput.send([]) && !bench.engine.midiInput.send([0xF0, 1, 2, 3]))
        #expect(!bench.engine.midiInput.send([0x90, 60, 1], port: 256))
    }

    @Test func bytesThatAreNoMessageReachNoInstrument() async throws {
        let bench = try await connected()
        for bytes in [[0x90], [0x90, 60], [0x40, 1, 2], [0xC0, 1, 2], [0x90, 200, 100], [0xF2, 1, 2]] as [[UInt8]] {
            bench.engine.midiInput.send(bytes, at: 0)
        }
        let heard = try bench.render(100)
        #expect(heard.beginnings.isEmpty && heard.state.allSatisfy { $0 == 0 })
    }

    @Test(arguments: [32, 256, 1024]) func whatADriverHandsOverSoundsAtItsFrame(length: Int) async throws {
        let driver = KeyboardDriver()
        let engine = AudioEngine(driver: driver)
        let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe")))
        engine.attach(unit)
        try engine.connect(unit, to: engine.mainMixerNode, format: Sounds.format(4))
        engine.midiInput.connect(port: 1, to: unit)
        engine.midiInput.portNames = ["Keys", "Pads"]
        try engine.start()
        defer { engine.stop() }
        #expect(driver.midiPortNames == ["Keys", "Pads"])
        let messages = [
            MIDIInputMessage(sampleTime: 3, port: 1, byteCount: 3, 0x90, 60, 100),
            MIDIInputMessage(sampleTime: 5, port: 0, byteCount: 3, 0x90, 61, 100),
            MIDIInputMessage(sampleTime: Int64(length) - 1, port: 1, byteCount: 3, 0x80, 60, 64),
            MIDIInputMessage(sampleTime: 1 << 40, port: 1, byteCount: 3, 0x90, 62, 100),
        ]
        let heard = HeardNotes(driver.render(length, messages))
        #expect(heard.beginnings == [3, length - 1] && heard.ends == [length - 1])
    }
}

/// A driver whose cycles the test renders, with the messages that come in.
final class KeyboardDriver: AudioDriver {
    private struct State {
        var callback: RenderCallback?
        var sampleTime: Int64 = 0
        var names: [String] = []
    }

    private let state = Mutex(State())

    func start(_ callback: RenderCallback) { state.withLock { ($0.callback, $0.sampleTime) = (callback, 0) } }
    func stop() { state.withLock { $0.callback = nil } }
    var outputChannelCount: Int { 4 }
    var status: DriverStatus { DriverStatus(sampleRate: Sounds.rate, quantum: 256, cycles: 0, xruns: 0) }
    var renderThreadIdentifier: Int32? { nil }
    var failure: String? { nil }
    func tellOfFailure(event: Int32) {}
    var midiPortNames: [String] {
        get { state.withLock { $0.names } }
        set { state.withLock { $0.names = newValue } }
    }

    /// Renders one cycle, in which messages come in.
    func render(_ frameCount: Int, _ messages: [MIDIInputMessage]) -> [[Float]] {
        let output = AudioBuffer(channelCount: 4, frameCapacity: frameCount)
        let none = AudioBuffer(channelCount: 0, frameCapacity: frameCount)
        let block = output.block(frameCount: frameCount)
        messages.withUnsafeBufferPointer { messages in
            state.withLock { state in
                guard let callback = state.callback else { return block.silence() }
                var cycle = RenderCycle(
                    sampleTime: state.sampleTime, hostTime: MonotonicClock.now(), sampleRate: Sounds.rate, transport: Transport(),
                    isOffline: true, inputs: none.block(frameCount: frameCount), outputs: block)
                if let first = messages.baseAddress { cycle.midi = MIDIInputBlock(first, count: messages.count) }
                withUnsafePointer(to: cycle) { callback.function(callback.context, $0) }
                state.sampleTime += Int64(frameCount)
            }
        }
        return (0..<4).map { Array(UnsafeBufferPointer(start: block[$0], count: frameCount)) }
    }
}
