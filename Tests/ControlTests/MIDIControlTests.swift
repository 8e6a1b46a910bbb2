// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// MIDI controllers that move a running session: learning, programs, feedback, undo, the file, and how soon and how smooth. Test thread.

import AudioGraph
import Foundation
import GraphDocuments
import HostingTestSupport
import JSON
import LinuxSystem
import OpenSoundControl
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(15))) struct MIDIControlTests {
    private func value(_ bench: ControlBench, _ node: String, _ keyPath: String) -> Double? {
        bench.session.graph.units.first { $0.name == node }?.unit.value(of: keyPath)
    }

    private func code(_ body: () throws -> Void) -> ControlError.Code? {
        do { try body() } catch { return (error as? ControlError)?.code }
        return nil
    }

    @Test func aKnobThatIsLearnedMovesTheParameter() throws {
        let bench = try ControlBench()
        let (client, other) = (try bench.client(), try bench.client())
        let learning = try PendingCall(client, "learn", ["path": "Reverb.mix", "pickUp": false])
        #expect(becomes { bench.session.midi.state.withLock { $0.learning != nil } })
        // Others are served meanwhile.
        #expect(try other.call("status")["host"] != nil && learning.result == nil)
        // A note's end and a command to the instrument are no moves.
        for bytes: [UInt8] in [[0x80, 1, 0], [0x90, 1, 0], [0xB0, 123, 0], [0xB2, 74, 3]] { bench.engine.midiInput.send(bytes) }
        let learned = try learning.value()
        #expect(learned["source"] == "cc:3:74" && learned["path"] == "Reverb.mix" && learned["maximum"] == .number(100))
        bench.engine.midiInput.send([0xB2, 74, 127])
        #expect(becomes { self.value(bench, "Reverb", "mix") == 100 })
        bench.engine.midiInput.send([0xB2, 74, 0])
        #expect(becomes { self.value(bench, "Reverb", "mix") == 0 })
        #expect(try other.call("mappings").list?.first?["isPresent"] == true)
        // One turn is one edit.
        #expect(try other.call("undo")["undid"] == "set Reverb.mix by MIDI")
        #expect(try other.call("unmap", ["mapping": "Reverb.mix"])["removed"] == .number(1))
        #expect(code { _ = try other.call("unmap", ["mapping": "Reverb.mix"]) } == .notFound)
    }

    /// The plug-in dies while the knob is awaited, and once more while it turns.
    @Test func aPlugInThatIsKilledInMidLearnIsLearned() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        let unit = try #require(bench.session.graph.units.first { $0.name == "Reverb" }?.unit)
        let learning = try PendingCall(client, "learn", ["path": "Reverb.mix", "pickUp": false])
        #expect(becomes { bench.session.midi.state.withLock { $0.learning != nil } })
        kill(try #require(unit.processIdentifier), SIGKILL)
        bench.engine.midiInput.send([0xB2, 74, 3])
        #expect(try learning.value()["source"] == "cc:3:74")
        #expect(becomes { unit.restartCount == 1 && unit.resources?.isPresent == true })
        kill(try #require(unit.processIdentifier), SIGKILL)
        bench.engine.midiInput.send([0xB2, 74, 127])
        #expect(becomes { unit.restartCount == 2 && unit.resources?.isPresent == true })
        #expect(becomes { self.value(bench, "Reverb", "mix") == 100 })
        #expect(try bench.client().call("mappings").list?.count == 1)
    }

    @Test func aSecondLearnReplacesTheFirst() throws {
        let bench = try ControlBench()
        let first = try PendingCall(try bench.client(), "learn", ["path": "Reverb.mix"])
        #expect(becomes { bench.session.midi.state.withLock { $0.learning != nil } })
        let second = try PendingCall(try bench.client(), "learn", ["path": "Gain.gain"])
        #expect(code { _ = try first.value() } == .refused)
        // Both halves of a controller of 14 bits.
        bench.engine.midiInput.send([0xB0, 39, 1])
        bench.engine.midiInput.send([0xB0, 7, 1])
        #expect(try second.value()["source"] == "cc14:1:7")
        // Who waits as the host ends is told.
        let third = try PendingCall(try bench.client(), "learn", ["path": "Gain.gain"])
        #expect(becomes { bench.session.midi.state.withLock { $0.learning != nil } })
        bench.session.midi.end()
        #expect(code { _ = try third.value() } == .ending)
    }

    @Test func aClientThatHasGoneLearnsNothing() throws {
        let bench = try ControlBench()
        do {
            let socket = try bench.raw()
            defer { close(socket) }
            let line = Array("{\"id\":1,\"method\":\"learn\",\"params\":{\"path\":\"Reverb.mix\"}}\n".utf8)
            #expect(line.withUnsafeBytes { SystemCall.send($0, to: socket) } == line.count)
            #expect(becomes { bench.session.midi.state.withLock { $0.learning != nil } })
        }
        bench.engine.midiInput.send([0xE0, 0, 64])
        #expect(becomes { bench.session.midi.state.withLock { $0.learning == nil } })
        #expect(bench.session.midi.mappings.isEmpty)
    }

    @Test func mappingsAreCheckedAgainstTheirTargets() throws {
        let bench = try ControlBench([("Filter", "Filter"), ("Gain", "Gain")])
        let client = try bench.client()
        func map(_ fields: [String: JSONValue]) -> ControlError.Code? { code { _ = try client.call("map", fields) } }
        #expect(map(["source": "cc:1:1", "path": "Filter.cutof"]) == .notFound)
        #expect(map(["source": "cc:1:1", "path": "bypass Nobody"]) == .notFound)
        #expect(map(["source": "cc:1:1", "path": "scene Nowhere"]) == .notFound)
        #expect(map(["source": "knob", "path": "Gain.gain"]) == .badField)
        #expect(map(["source": "cc:1:1", "path": "Gain.gain", "curve": "round"]) == .badField)
        #expect(map(["source": "cc:1:1", "path": "Gain.gain", "curve": "logarithmic"]) == .refused)
        #expect(map(["source": "cc:1:1", "path": "Gain.gain", "maximum": .number(1e6)]) == .refused)
        #expect(map(["source": "program:1:1", "path": "Gain.gain", "curve": "linear"]) == .refused)
        let cutoff = try client.call("map", ["source": "cc:1:1", "path": "Filter.cutoff"])
        #expect(cutoff["curve"] == "logarithmic" && cutoff["pickUp"] == true)
        #expect(try client.call("map", ["source": "note:1:1", "path": "bypass Gain"])["curve"] == "toggle")
    }

    @Test func keysBypassAndProgramsGoToScenes() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("map", ["source": "note:10:36", "path": "bypass Reverb"])
        let unit = bench.session.graph.units[1].unit
        bench.engine.midiInput.send([0x99, 36, 100])
        #expect(becomes { unit.shouldBypassEffect })
        bench.engine.midiInput.send([0x89, 36, 0])
        bench.engine.midiInput.send([0x99, 36, 1])
        #expect(becomes { !unit.shouldBypassEffect })
        for name in ["Verse", "Chorus", "End"] { _ = try client.call("saveScene", ["name": .text(name)]) }
        _ = try client.call("map", ["source": "program:1:9", "path": "scene End"])
        bench.session.chooseScenesByProgram(true)
        for (program, scene) in [(UInt8(0), "Verse"), (1, "Chorus"), (9, "End")] {
            bench.engine.midiInput.send([0xC0, program])
            #expect(becomes { try client.call("scenes")["scene"] == .text(scene) })
        }
        // There are not so many scenes.
        bench.engine.midiInput.send([0xC0, 50])
        bench.engine.midiInput.send([0xC0, 1])
        #expect(becomes { try client.call("scenes")["scene"] == "Chorus" })
    }

    @Test func whatIsCountedStaysWhole() throws {
        let bench = try ControlBench([("Delay", "Delay")])
        _ = try bench.client().call("map", ["source": "cc:1:5", "path": "Delay.sync", "curve": "linear", "pickUp": false])
        let unit = bench.session.graph.units[0].unit
        let last = try #require(unit.parameterTree[keyPath: "sync"]).range.upperBound
        // Many in one cycle.
        for position in 0...60 { bench.engine.midiInput.send([0xB0, 5, UInt8(position)]) }
        let expected = (last * 60 / 127).rounded()
        #expect(becomes { unit.value(of: "sync") == expected })
    }

    @Test func aPedalAndAPacketGoBetweenTwoScenes() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        for (name, gain) in [("Soft", -40.0), ("Loud", 0)] {
            _ = try client.call("set", ["path": "Gain.gain", "value": .number(gain)])
            _ = try client.call("saveScene", ["name": .text(name)])
        }
        _ = try client.call("morph", ["from": "Soft", "to": "Loud"])
        _ = try client.call("map", ["source": "cc:1:11", "path": "morph.amount", "pickUp": false])
        bench.engine.midiInput.send([0xB0, 11, 0])
        #expect(becomes { self.value(bench, "Gain", "gain") == -40 })
        bench.engine.midiInput.send([0xB0, 11, 127])
        #expect(becomes { self.value(bench, "Gain", "gain") == 0 })
        let sockets = try OSCSockets(port: 0)
        try bench.session.serveOSC(at: sockets)
        let sender = try OSCSender(to: sockets.port)
        sender.send("/morph/amount", .float(0.5))
        #expect(becomes { self.value(bench, "Gain", "gain") == -20 })
        sender.send("/morph/amount")
        #expect(try sender.hear() == OSCMessage("/morph/amount", .float(0.5)))
    }

    @Test func levelsFollowAKnob() throws {
        let bench = try ControlBench()
        let client = try bench.client()
        _ = try client.call("map", ["source": "cc14:1:7", "path": "player.volume", "pickUp": false])
        for step in 0...100 {
            bench.engine.midiInput.send([0xB0, 7, UInt8(step)])
            bench.engine.midiInput.send([0xB0, 39, 64])
        }
        #expect(becomes { abs(bench.session.graph.captured.nodes[0].level - Double(100 << 7 | 64) / 16_383) < 1e-9 })
    }

    @Test func controllersAreToldWhatOthersMove() throws {
        let driver = CableDriver()
        driver.isLinked.store(false, ordering: .relaxed)
        let bench = try ControlBench(driver: driver)
        let client = try bench.client()
        _ = try client.call("map", ["source": "cc:1:20", "path": "Reverb.mix", "pickUp": false])
        _ = try client.call("set", ["path": "Reverb.mix", "value": .number(100)])
        // What is linked later is told where things are.
        driver.isLinked.store(true, ordering: .relaxed)
        #expect(becomes { driver.take() == [[0xB0, 20, 127]] })
        _ = try client.call("set", ["path": "Reverb.mix", "value": .number(0)])
        #expect(becomes { driver.take() == [[0xB0, 20, 0]] })
        // The controller that moved is not told of it; the other one of the same parameter is.
        _ = try client.call("map", ["source": "bend:1", "path": "Reverb.mix"])
        #expect(becomes { driver.take() == [[0xE0, 0, 0]] })
        bench.engine.midiInput.send([0xB0, 20, 127])
        #expect(becomes { driver.take() == [[0xE0, 127, 127]] })
        usleep(400_000)
        #expect(driver.take().isEmpty)
    }

    @Test func aSessionFileBringsTheMappingsBack() throws {
        let folder = ScratchFolder()
        let bench = try ControlBench()
        let client = try bench.client()
        let before = bench.session.change
        _ = try client.call("map", ["source": "cc:1:74", "path": "Reverb.mix", "minimum": .number(80), "maximum": .number(20)])
        #expect(bench.session.change != before)
        bench.session.chooseScenesByProgram(true)
        try bench.session.file.keep(at: folder.file("session.json"))
        let read = try SessionFile(contentsOfFile: folder.file("session.json"))
        #expect(read.isOwn && read.mappings == bench.session.midi.mappings && read.programsChooseScenes == true)
        let next = try ControlBench()
        next.session.take(scenesOf: read)
        _ = try next.client().call("set", ["path": "Reverb.mix", "value": .number(80)])
        next.engine.midiInput.send([0xB0, 74, 0])
        next.engine.midiInput.send([0xB0, 74, 127])
        #expect(becomes { self.value(next, "Reverb", "mix") == 20 })
        // A session without mappings is written as it always was.
        let text = try String(decoding: JSONEncoder().encode(ControlBench().session.file), as: UTF8.self)
        #expect(!text.contains("mappings") && !text.contains("programsChooseScenes"))
    }

    /// The limit is wide, because the machine may be busy; the figures are printed.
    @Test(.timed("measures how fast a parameter follows")) func aParameterFollowsWithinMilliseconds() throws {
        let bench = try ControlBench(driver: NullDriver(channelCount: 2, quantum: 64, sampleRate: 48_000))
        _ = try bench.client().call("map", ["source": "cc14:1:1", "path": "Reverb.mix", "pickUp": false])
        let unit = bench.session.graph.units[1].unit
        var delays: [Double] = []
        for round in 1...300 {
            let former = unit.value(of: "mix")
            let start = MonotonicClock.now()
            bench.engine.midiInput.send([0xB0, 1, UInt8(round % 2 * 100)])
            while unit.value(of: "mix") == former, MonotonicClock.now() - start < 1_000_000_000 { usleep(50) }
            delays.append(Double(MonotonicClock.now() - start) / 1e6)
            usleep(2000)
        }
        delays.sort()
        print("From MIDI to the parameter: median \(delays[150]) ms, 99 % within \(delays[297]) ms.")
        #expect(delays[150] < 20)
    }

    @Test(.timed("sends a thousand messages a second")) func aKnobThatIsTurnedFastIsHeardWithoutSteps() throws {
        let bench = try ControlBench([("Gain", "Gain")])
        let player = try #require(bench.session.graph.nodes["player"])
        let format = AudioFormat(sampleRate: 48_000, channelCount: 2)
        let source = AudioSourceNode(format: format) { _, time, output in
            for frame in 0..<output.frameCount {
                let value = 0.5 * sin(2 * Float.pi * Float((Int(time) + frame) % 48) / 48)
                for channel in 0..<output.channelCount { output[channel][frame] = value }
            }
        }
        _ = try bench.engine.attach(source).get()
        try bench.engine.connect(source, to: player, format: format)
        let heard = Mutex<[Float]>([])
        let tap = try bench.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 1024) { (buffer: AudioPCMBuffer, _: AudioTime) in
            let samples = (0..<Int(buffer.frameLength)).map { buffer.floatChannelData?[0][$0] ?? 0 }
            heard.withLock { $0 += samples }
        }
        defer { tap.remove() }
        _ = try bench.client().call(
            "map", ["source": "cc:1:1", "path": "Gain.gain", "minimum": .number(-40), "maximum": .number(0), "pickUp": false])
        // Five swings a second, a thousand messages a second.
        for step in 0..<2000 {
            bench.engine.midiInput.send([0xB0, 1, UInt8(63.5 + 63.5 * sin(Double(step) * 2 * .pi * 5 / 1000))])
            usleep(1000)
        }
        let sound = heard.withLock { Array($0.suffix(65_536)) }
        #expect(sound.count == 65_536)
        let tone = Self.level(of: sound, at: 1000)
        let worst = stride(from: 4000.0, to: 20_000, by: 37).map { Self.level(of: sound, at: $0) - tone }.max() ?? 0
        print("Beside the tone, above 4 kHz: \(worst) dB.")
        #expect(tone > -30 && worst < -70)
    }

    /// The level at a frequency in decibels, through a Blackman window.
    private static func level(of sound: [Float], at frequency: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        let count = Double(sound.count)
        for (index, sample) in sound.enumerated() {
            let turn = 2 * Double.pi * Double(index) / count
            let window = 0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn)
            let phase = 2 * Double.pi * frequency * Double(index) / 48_000
            real += Double(sample) * window * cos(phase)
            imaginary += Double(sample) * window * sin(phase)
        }
        return 20 * log10(max(1e-12, (real * real + imaginary * imaginary).squareRoot() / (0.21 * count)))
    }
}

extension GraphDocument.Node {
    /// The volume of a mixer.
    fileprivate var level: Double { if case .mixer(let volume) = kind { volume } else { 0 } }
}
