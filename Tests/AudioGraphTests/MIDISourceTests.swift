// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keyboards that are unplugged: their notes end, their pedals rise, and others play on. Test thread.

import HostingTestSupport
import PluginHosting
import Rendering
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.serialized, .timeLimit(.minutes(15))) struct MIDISourceTests {
    /// An engine with an instrument that two keyboards play.
    private final class Stage {
        let driver = KeyboardDriver()
        let engine: AudioEngine
        let instrument: AudioUnitEffect

        init() async throws {
            engine = AudioEngine(driver: driver)
            instrument = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Scribe")))
            engine.attach(instrument)
            try engine.connect(instrument, to: engine.mainMixerNode, format: Sounds.format(4))
            engine.midiInput.connect(to: instrument)
            try engine.start()
        }

        deinit { engine.stop() }

        func render(_ messages: MIDIInputMessage..., frames: Int = 256) -> HeardNotes {
            HeardNotes(driver.render(frames, messages))
        }
    }

    private func message(_ bytes: [UInt8], from source: UInt8, port: UInt8 = 0, at frame: Int64 = 0) -> MIDIInputMessage {
        MIDIInputMessage(sampleTime: frame, port: port, source: source, byteCount: UInt8(bytes.count), bytes[0], bytes[1], bytes[2])
    }

    @Test func theNotesOfAKeyboardThatGoesEndAndThoseOfAnotherGoOn() async throws {
        let stage = try await Stage()
        let held = stage.render(
            message([0x90, 60, 100], from: 1), message([0x91, 64, 100], from: 1, at: 3), message([0x90, 72, 100], from: 17, at: 5))
        #expect(held.sounding.last == 3)
        let heard = stage.render(.end(ofSource: 1))
        #expect(heard.ended == [0: 2] && heard.sounding.last == 1)
        // The other one ends its note itself.
        #expect(stage.render(message([0x80, 72, 64], from: 17, at: 9)).ended == [9: 1])
        #expect(stage.render(.end(ofSource: 17)).ended.isEmpty)
    }

    @Test func theSameKeyOfTwoKeyboardsEndsOnceForEach() async throws {
        let stage = try await Stage()
        #expect(stage.render(message([0x90, 60, 100], from: 1), message([0x90, 60, 90], from: 2)).sounding.last == 2)
        #expect(stage.render(.end(ofSource: 2)).sounding.last == 1)
        #expect(stage.render(.end(ofSource: 1)).sounding.last == 0)
    }

    @Test func itsPedalsRiseUnlessAnotherOneHoldsThem() async throws {
        let stage = try await Stage()
        #expect(stage.render(message([0xB0, 64, 127], from: 1), message([0xB0, 64, 127], from: 2)).state.last == 0.5)
        #expect(stage.render(.end(ofSource: 1)).state.last == 0.5)
        #expect(stage.render(.end(ofSource: 2)).state.last == 0)
        // A pedal that was lifted is not lifted again, and what a keyboard has set stays.
        _ = stage.render(message([0xB0, 64, 127], from: 3), message([0xB0, 1, 9], from: 3))
        _ = stage.render(message([0xB0, 64, 0], from: 3), message([0xB0, 64, 127], from: 0))
        #expect(stage.render(.end(ofSource: 3)).state.last == Float(9 * 128) + 0.5)
    }

    @Test func anotherPortKeepsItsPedal() async throws {
        let stage = try await Stage()
        stage.engine.midiInput.disconnect(stage.instrument)
        stage.engine.midiInput.connect(port: 1, to: stage.instrument)
        _ = stage.render(message([0xB0, 64, 127], from: 1, port: 0), message([0xB0, 64, 127], from: 2, port: 1))
        #expect(stage.render(.end(ofSource: 1)).state.last == 0.5)
        #expect(stage.render(.end(ofSource: 2)).state.last == 0)
    }

    @Test func aKeyboardThatComesInItsPlaceBeginsAtOnce() async throws {
        let stage = try await Stage()
        _ = stage.render(message([0x90, 60, 100], from: 1))
        let heard = stage.render(.end(ofSource: 1), message([0x90, 60, 100], from: 1))
        #expect(heard.ended == [0: 1] && heard.sounding.last == 1 && heard.beginnings == [0])
        #expect(stage.render(.end(ofSource: 1)).sounding.last == 0)
    }

    @Test func anEndThatComesFromAnotherSourceOfThePortCounts() async throws {
        let stage = try await Stage()
        // The note came before the driver knew whose it is.
        _ = stage.render(message([0x90, 60, 100], from: 1), message([0x90, 60, 100], from: 1))
        _ = stage.render(message([0x80, 60, 64], from: 17))
        #expect(stage.render(.end(ofSource: 1)).ended == [0: 1])
    }

    @Test func allOfThemEndWhenTheDriverBeginsAnew() async throws {
        let stage = try await Stage()
        _ = stage.render(
            message([0x90, 60, 100], from: 1), message([0x90, 61, 100], from: 48), message([0xB0, 64, 127], from: 20))
        let heard = stage.render(.end())
        #expect(heard.sounding.last == 0 && heard.state.last == 0)
    }

    /// More notes than find room in a cycle.
    @Test func allNotesEndHoweverManyThereAre() async throws {
        let stage = try await Stage()
        var sent = 0
        for channel in UInt8(0)..<16 {
            let keys = (0..<128).map { message([0x90 | channel, UInt8($0), 1], from: 5) }
            for _ in 0..<2 {
                _ = stage.driver.render(256, keys)
                sent += keys.count
            }
        }
        #expect(stage.render().sounding.last == Float(sent))
        _ = stage.render(.end(ofSource: 5))
        for _ in 0..<64 { _ = stage.render() }
        #expect(stage.render().sounding.last == 0)
    }

    @Test func whatEndsIsLoggedAndReadAsIfTheKeyboardHadSentIt() async throws {
        let stage = try await Stage()
        stage.engine.receivedMIDI.listen()
        _ = stage.render(message([0x90, 60, 100], from: 1), message([0xB3, 66, 127], from: 1))
        _ = stage.engine.receivedMIDI.take()
        _ = stage.render(.end(ofSource: 1))
        #expect(stage.engine.receivedMIDI.take().map(\.bytes) == [[0x80, 60, 64], [0xB3, 66, 0]])
    }
}
