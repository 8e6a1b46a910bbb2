// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arithmetic with which cases judge sounds, and the words for it. Test thread.

import Testing

@testable import Validation

@Suite struct SoundTests {
    @Test func whatIsNoNumberIsFoundWhereItIs() {
        var sound = Sound(channelCount: 2, frameCount: 10)
        #expect(sound.isFinite && sound.firstUnusable == nil)
        sound.channels[1][7] = -.infinity
        let found = sound.firstUnusable
        #expect(found?.channel == 1 && found?.frame == 7 && found?.value == -.infinity)
    }

    @Test func differencesAreOfBits() {
        let sound = Sound.every(2, frameCount: 4) { Float($0) }
        var other = sound
        #expect(sound.firstDifference(from: other) == nil)
        other.channels[1][0] = -0.0
        #expect(sound.firstDifference(from: other) == 0 && sound.largestDifference(from: other) == 0)
        other = sound
        other.channels[0][3] = .nan
        other.channels[1][2] = 4
        #expect(sound.firstDifference(from: other) == 2)
        #expect(sound.firstDifference(from: sound[0..<3]) == 3)
    }

    @Test func peaksOffsetsAndSubnormalsAreMeasured() {
        let sound = Sound(channels: [[0.5, -0.75, 0.25, 0], [.leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0.5, 0.5]])
        #expect(sound.peak == 0.75 && sound.subnormalCount == 2 && sound.offset == 0.25)
        #expect((sound + sound).frameCount == 8 && sound[1..<3].channels[0] == [-0.75, 0.25])
    }

    @Test func numbersReadWell() {
        #expect(Wording.decibels(1) == "0.0 dB" && Wording.decibels(0) == "silence" && Wording.decibels(.nan) == "not a level")
        #expect(Wording.count(1, "frame") == "1 frame" && Wording.count(2, "frame") == "2 frames")
        #expect(
            Wording.count(11, "process", "processes") == "11 processes" && Wording.count(1, "process", "processes") == "1 process")
    }

    @Test func whatAPlugInSaysInAFindingSteersNoTerminal() {
        #expect(Finding(.warning, "at first \u{1B}[2J\u{202E}malloc\u{2028}").sentence == "at first  [2J malloc ")
    }

    @Test func theWorstVerdictCounts() {
        #expect(Verdict.allCases.sorted() == [.pass, .warning, .fail, .hang, .crash])
        #expect(Verdict.allCases.filter(\.isFailure) == [.fail, .hang, .crash])
    }

    @Test func namesAreForPeople() {
        #expect(Names.defect("Gain") == nil)
        #expect(Names.defect("") == "is empty" && Names.defect("a\u{1B}b") == "holds control characters")
        #expect(Names.defect(" Gain") == "\" Gain\" has spaces around it")
        #expect(Names.firstTwice(["a", "b", "a"]) == "a" && Names.firstTwice(["a", "b"]) == nil)
    }
}
