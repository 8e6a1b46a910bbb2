// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Mappings without a session: how sources are read, how knobs pick values up, how curves go. Test thread.

import Foundation
import Rendering
import Testing

@testable import Control

@Suite struct MappingTests {
    private func message(_ bytes: UInt8...) -> MIDIInputMessage {
        MIDIInputMessage(
            sampleTime: 0, byteCount: UInt8(bytes.count), bytes[0], bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
    }

    private func motion(
        _ source: String, _ range: (Double, Double) = (0, 100), _ curve: MappingCurve = .linear, picksUp: Bool = true,
        path: String = "Reverb.mix"
    ) throws -> MappingMotion {
        let mapping = ControlMapping(
            source: try MIDISource(text: source), path: path, range: MappedRange(minimum: range.0, maximum: range.1), curve: curve,
            picksUp: picksUp)
        #expect(mapping.defect == nil)
        return MappingMotion(mapping)
    }

    @Test func aSourceIsReadFromItsText() throws {
        for text in [
            "cc:1:74", "cc14:16:7", "bend:2", "pressure:3", "note:10:36", "program:1:0", "nrpn:1:16382", "rel-twos:1:74",
            "rel-offset:1:7",
            "rel-sign:16:0",
        ] {
            #expect(try MIDISource(text: text).text == text)
        }
        for text in [
            "", "cc", "cc:1", "cc:0:1", "cc:17:1", "cc:1:120", "cc14:1:32", "bend:1:1", "note:1:128", "cc:1:1:1", "cc:a:b",
            "knob:1:1", "nrpn:1:16383", "nrpn:1", "rel-twos:1:120",
        ] {
            #expect(throws: ControlError.self) { try MIDISource(text: text) }
        }
    }

    @Test func positionsGoToTheControllerAsTheyCame() throws {
        for text in ["cc:1:74", "cc14:16:7", "bend:2", "pressure:3", "note:10:36"] {
            let source = try MIDISource(text: text)
            for position in [0, 1, source.highestPosition / 3, source.highestPosition] {
                var read = 0
                for bytes in source.messages(showing: position) {
                    let message = MIDIInputMessage(
                        sampleTime: 0, byteCount: UInt8(bytes.count), bytes[0], bytes[1], bytes.count > 2 ? bytes[2] : 0)
                    read = try #require(source.position(of: message, former: read))
                }
                #expect(read == position)
            }
        }
        let knob = try MIDISource(text: "cc:1:74")
        #expect(knob.position(of: message(0xB1, 74, 1), former: 0) == nil)
        #expect(knob.position(of: message(0xB0, 75, 1), former: 0) == nil)
    }

    @Test func nothingMovesUntilTheKnobHasMetTheValue() throws {
        var motion = try motion("cc:1:1", (0, 127))
        func turn(_ position: UInt8, _ present: Double) -> Double? {
            motion.take(Int(position), present: PresentValue(value: present), at: 0)
        }
        #expect(turn(10, 64) == nil && turn(50, 64) == nil)
        // It crosses the value.
        #expect(turn(70, 64) == 70)
        #expect(turn(20, 70) == 20)
        // Another hand moves the value away.
        #expect(turn(22, 100) == nil && turn(90, 100) == nil)
        #expect(turn(99, 100) == 99)
        #expect(turn(0, 99) == 0)
    }

    /// Encoders send steps in three ways.
    @Test(arguments: [("rel-twos", 2, 125), ("rel-offset", 66, 61), ("rel-sign", 2, 67)] as [(String, UInt8, UInt8)])
    func anEncoderMovesTheValueBySteps(kind: String, right: UInt8, left: UInt8) throws {
        var motion = try motion("\(kind):1:74", (0, 127))
        var value = 50.0
        func turn(_ data: UInt8) throws -> Double? {
            let steps = try #require(motion.position(of: message(0xB0, 74, data)))
            return motion.take(steps, present: PresentValue(value: value), at: 0)
        }
        for expected in [52.0, 54] {
            value = try #require(try turn(right))
            #expect(abs(value - expected) < 1e-9)
        }
        // Another hand moves the value; the encoder goes on from there.
        value = 10
        value = try #require(try turn(left))
        #expect(abs(value - 7) < 1e-9)
        for _ in 0..<10 { value = try turn(left) ?? value }
        #expect(value == 0)
        #expect(motion.position(of: message(0xB0, 75, right)) == nil)
    }

    @Test func slowTurnsOfAnEncoderMoveAWholeNumberToo() throws {
        var motion = try motion("rel-twos:1:74", (0, 10))
        var value = 5.0
        for _ in 0..<13 {
            value = motion.take(1, present: PresentValue(value: value, isInteger: true), at: 0) ?? value
        }
        #expect(value == 6)
        var button = try self.motion("rel-twos:1:74", (0, 1), .onOff)
        #expect(button.take(1, present: PresentValue(value: 0), at: 0) == 1)
        #expect(button.take(-1, present: PresentValue(value: 1), at: 0) == 0)
    }

    @Test func aNonRegisteredParameterIsASource() throws {
        var numbered = NumberedParameters()
        var motion = try motion("nrpn:2:300", (0, 1), picksUp: false)
        func hear(_ bytes: UInt8...) -> Double? {
            let message = MIDIInputMessage(sampleTime: 0, byteCount: 3, bytes[0], bytes[1], bytes[2])
            guard let position = motion.position(of: message, numbered: numbered.take(message)) else { return nil }
            return motion.take(position, present: PresentValue(value: 0), at: 0)
        }
        #expect(hear(0xB1, 6, 5) == nil && hear(0xB1, 99, 2) == nil && hear(0xB1, 98, 44) == nil)
        #expect(hear(0xB1, 6, 127) == 1)
        #expect(hear(0xB1, 6, 64) ?? 0 > 0.5)
        #expect(hear(0xB1, 38, 0) == Double(64 << 7) / 16_383)
        // Another number, another channel, and a registered parameter.
        #expect(hear(0xB1, 98, 45) == nil && hear(0xB1, 6, 1) == nil && hear(0xB0, 6, 1) == nil)
        #expect(hear(0xB1, 98, 44) == nil && hear(0xB1, 6, 0) == 0 && hear(0xB1, 100, 0) == nil && hear(0xB1, 6, 1) == nil)
        let source = try MIDISource(text: "nrpn:2:300")
        #expect(source.messages(showing: 8192) == [[0xB1, 99, 2], [0xB1, 98, 44], [0xB1, 6, 64], [0xB1, 38, 0]])
        #expect(MIDISource.moved(by: message(0xB1, 6, 1), numbered: 300) == source)
        #expect(MIDISource.moved(by: message(0xB1, 99, 2), numbered: 300) == nil)
        #expect(MIDISource.moved(by: message(0xB1, 6, 1), numbered: nil)?.text == "cc:2:6")
    }

    @Test func withoutPickUpTheValueJumps() throws {
        var motion = try motion("cc:1:1", (0, 127), picksUp: false)
        #expect(motion.take(10, present: PresentValue(value: 64), at: 0) == 10)
    }

    @Test func curvesReachBothEndsAndComeBack() throws {
        for (range, curve) in [
            ((20.0, 20_000.0), MappingCurve.logarithmic), ((20_000, 20), .logarithmic), ((-60, 0), .linear), ((100, 0), .linear),
            ((-0.1, -10), .logarithmic),
        ] {
            let mapped = MappedRange(minimum: range.0, maximum: range.1)
            #expect(mapped.value(at: 0, curve) == range.0 && mapped.value(at: 1, curve) == range.1)
            for position in stride(from: 0.0, through: 1, by: 1.0 / 64) {
                #expect(abs(mapped.position(of: mapped.value(at: position, curve), curve) - position) < 1e-9)
            }
        }
        #expect(abs(MappedRange(minimum: 20, maximum: 20_000).value(at: 1.0 / 3, .logarithmic) - 200) < 1e-6)
        // A range through 0 has no ratios.
        #expect(!MappedRange(minimum: 0, maximum: 1).takesRatios && !MappedRange(minimum: -1, maximum: 1).takesRatios)
        #expect(MappedRange(minimum: 1, maximum: 2).position(of: -.infinity, .logarithmic) == 0)
        #expect(MappedRange(minimum: 3, maximum: 3).position(of: 3, .linear) == 0)
    }

    @Test func keysToggleAndSwitch() throws {
        var toggle = try motion("note:1:36", (0, 1), .toggle)
        var value = 0.0
        for (velocity, expected) in [(100, 1.0), (0, 1), (90, 0), (0, 0), (1, 1)] {
            value = toggle.take(velocity, present: PresentValue(value: value), at: 0) ?? value
            #expect(value == expected)
        }
        var held = try motion("note:1:36", (0, 1), .onOff)
        #expect(held.take(100, present: PresentValue(value: 0), at: 0) == 1)
        #expect(held.take(0, present: PresentValue(value: 1), at: 0) == 0)
        // The velocity of a key; its end leaves the value.
        var velocity = try motion("note:1:36", (0, 127))
        #expect(velocity.take(64, present: PresentValue(value: 0), at: 0) == 64)
        #expect(velocity.take(0, present: PresentValue(value: 64), at: 0) == nil)
        // Each program is a press of its own.
        var program = try motion("program:1:5", (0, 1), .toggle)
        #expect(program.take(127, present: PresentValue(value: 0), at: 0) == 1)
        #expect(program.take(127, present: PresentValue(value: 1), at: 0) == 0)
    }

    @Test func theHalvesOfAControllerAreOneWhicheverComesFirst() throws {
        let (coarse, fine) = (try MIDISource(text: "cc:3:7"), try MIDISource(text: "cc:3:39"))
        #expect(coarse.joined(with: fine)?.text == "cc14:3:7" && fine.joined(with: coarse)?.text == "cc14:3:7")
        #expect(coarse.joined(with: coarse) == nil)
        #expect(coarse.joined(with: try MIDISource(text: "cc:4:39")) == nil)
    }

    @Test func aMappingOfAFileIsChecked() throws {
        let good = #"{"source":"cc:1:7","path":"Gain.gain","minimum":0,"maximum":1,"curve":"linear","pickUp":true}"#
        let mapping = try JSONDecoder().decode(ControlMapping.self, from: Data(good.utf8))
        #expect(try JSONDecoder().decode(ControlMapping.self, from: try JSONEncoder().encode(mapping)) == mapping)
        for (from, to) in [
            ("cc:1:7", "cc:99:7"), ("Gain.gain", ""), ("linear", "logarithmic"), ("linear", "round"), ("cc:1:7", "program:1:7"),
            ("\"maximum\":1", "\"maximum\":1e999"),
        ] {
            let bad = Data(good.replacingOccurrences(of: from, with: to).utf8)
            #expect(throws: (any Error).self) { try JSONDecoder().decode(ControlMapping.self, from: bad) }
        }
    }
}
