// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the examples of the audio engine render offline.

import AudioFiles
import Foundation
import HostingTestSupport
import Testing

extension Commands {
    @Suite struct ExampleSoundTests {
        @Test func aSirenGoesRoundAndIsLetGoWithoutAStep() throws {
            let bench = try Workbench()
            let (status, output) = try bench.runExample("Siren", ["4.2", "out.wav"])
            #expect(status == 0 && output.contains("It is up.\n") && output.contains("Rendered 312000 frames"), "\(output)")
            let sound = try bench.load("out.wav")
            #expect(sound.frameCount == 312_000 && sound[0].elementsEqual(sound[1]))
            // One second up, two rounds, and down again after the second one.
            let second = 48_000
            #expect(sound[0][second..<3 * second].elementsEqual(sound[0][3 * second..<5 * second]))
            for (start, count, phase) in [
                (0, second, { 300 * $0 + 150 * $0 * $0 }), (second, 2 * second, { 750 * $0 - 150 / .pi * sin(.pi * $0) }),
                (5 * second, 3 * second / 2, { 600 * $0 - 400 / 3 * $0 * $0 }),
            ] as [(Int, Int, (Double) -> Double)] {
                for frame in stride(from: count / 10, to: 9 * count / 10, by: 7) {
                    let wanted = Float(0.5 * sin(2 * .pi * phase(Double(frame) / 48_000)))
                    #expect(abs(sound[0][start + frame] - wanted) < 1e-6, "frame \(start + frame)")
                }
            }
            // The wave bends nowhere more than 900 Hz do, the joints included.
            let mostBend = Float(0.505 * pow(2 * Double.pi * 900 / 48_000, 2))
            let steps = zip(sound[0].dropFirst(), sound[0]).map { $0 - $1 }
            let bends = zip(steps.dropFirst(), steps).map { abs($0 - $1) }
            #expect(bends.allSatisfy { $0 < mostBend })
        }

        @Test func ballsAppearCollideAndGoWhileTheEnginePlays() throws {
            let bench = try Workbench()
            let (status, output) = try bench.runExample("BallGame", ["6", "out.wav"])
            #expect(status == 0 && output.contains("Rendered 288000 frames"), "\(output)")
            // A ball each 0.2 s, one at once, and several knocks of each.
            #expect(output.contains("31 balls made "), "\(output)")
            let knocks = output.split(separator: " ").compactMap { Int($0) }.last ?? 0
            #expect(knocks > 60)
            let sound = try bench.load("out.wav")
            #expect(sound[0].level > 0.005 && sound[1].level > 0.005 && !sound[0].elementsEqual(sound[1]))
            #expect(sound[0].allSatisfy { abs($0) < 2 })
            let (_, again) = try bench.runExample("BallGame", ["6", "again.wav"])
            let repeated = try bench.load("again.wav")
            #expect(repeated[0].elementsEqual(sound[0]) && again.contains("\(knocks) knocks"))
        }

        @Test func aBedStaysWhereItIsWhileTheListenerTurns() throws {
            let bench = try Workbench()
            let (status, output) = try bench.runExample("RotatingBed", ["4", "out.wav"])
            #expect(status == 0 && output.contains("Rendered 192000 frames"), "\(output)")
            let sound = try bench.load("out.wav")
            func level(_ channel: Int, _ hertz: Double, _ second: Double) -> Double {
                let start = Int(second * 48_000)
                return sound[channel][start..<start + 4800].amplitude(of: hertz)
            }
            // The front left one is at the left at first, and at the right behind a listener who has turned round.
            #expect(level(0, 300, 0.05) > 1.5 * level(1, 300, 0.05))
            #expect(level(1, 300, 1.95) > 1.5 * level(0, 300, 1.95))
            // A listener who looks to the right has the front right one at the left.
            #expect(level(0, 400, 0.95) > 1.2 * level(1, 400, 0.95))
            let steps = zip(sound[0].dropFirst(), sound[0]).map { abs($0 - $1) }
            #expect((steps.max() ?? 1) < 0.08)
        }

        @Test func aBedOfSixChannelsSurroundsAHeadThatTurns() throws {
            let bench = try Workbench()
            func tone(_ hertz: Double) -> [Float] { (0..<192_000).map { 0.2 * Float(sin(2 * .pi * hertz * Double($0) / 48_000)) } }
            let (silence, left) = ([Float](repeating: 0, count: 192_000), tone(600))
            // The loudspeaker behind at the left, of 5.1.
            let channels = [silence, silence, silence, silence, left, silence]
            try bench.writeSound("bed.wav", channels, layout: .fivePointOne)
            try bench.writeSound("voice.wav", tone(2000))
            let (status, output) = try bench.runExample("AmbienceBed", ["bed.wav", "voice.wav", "out.wav"])
            #expect(status == 0 && output == "Rendered 192000 frames into out.wav.\n", "\(output)")
            let sound = try bench.load("out.wav")
            /// The level of a frequency at the ears, for a tenth of a second.
            func levels(_ hertz: Double, _ seconds: Double) -> (left: Double, right: Double) {
                let frames = Int(seconds * 48_000)..<Int(seconds * 48_000) + 4800
                return (sound[0][frames].amplitude(of: hertz), sound[1][frames].amplitude(of: hertz))
            }
            let (front, back) = (levels(600, 0.1), levels(600, 2))
            #expect(front.left > 1.2 * front.right && back.right > 1.2 * back.left, "\(front), \(back)")
            // The voice is at the left of a head that looks to the right.
            let (right, left2) = (levels(2000, 1), levels(2000, 3))
            #expect(right.left > 1.5 * right.right && left2.right > 1.5 * left2.left, "\(right), \(left2)")
        }

        @Test func aVoiceIsNamedByItsNoteAndHeardOverTheTrack() throws {
            let bench = try Workbench()
            var (phase, voice) = (0.0, [Float]())
            for frame in 0..<96_000 {
                // A little vibrato, as singers have.
                phase += 220 * (1 + 0.004 * sin(2 * .pi * 5.5 * Double(frame) / 48_000)) / 48_000
                let overtones = (1...8).reduce(0.0) { $0 + sin(2 * .pi * Double($1) * phase) / Double($1 * $1) }
                voice.append(Float(0.2 * overtones))
            }
            try bench.writeSound("voice.wav", voice)
            try bench.writeTone("track.wav", rate: 44_100, frames: 88_200)
            let (status, output) = try bench.runExample("Karaoke", ["track.wav", "voice.wav", "out.wav"])
            #expect(status == 0 && output == "0.0 s: A3\nRendered 96000 frames into out.wav.\n", "\(output)")
            let mix = try bench.load("out.wav")
            for channel in 0..<2 {
                #expect(mix[channel].amplitude(of: 440) > 0.15 && mix[channel].amplitude(of: 220) > 0.1)
            }
        }

        @Test func aGameHasAMonsterAroundTheHeadAFriendAtTheRightMusicAndClicks() throws {
            let bench = try Workbench()
            func tone(_ frequency: Double, _ frames: Int) -> [Float] {
                (0..<frames).map { 0.2 * Float(sin(2 * .pi * frequency * Double($0) / 48_000)) }
            }
            // A whole number of periods, so that the loop has no step.
            try bench.writeSound("growl.wav", tone(3000, 48_000))
            try bench.writeSound("friend.wav", tone(2000, 48_000 * 4))
            try bench.writeSound("music.wav", channels: 2, tone(8000, 48_000 * 4))
            try bench.writeSound("click.wav", channels: 2, tone(500, 2400))
            let (status, output) = try bench.runExample(
                "GamingSetup", ["music.wav", "growl.wav", "click.wav", "friend.wav", "out.wav"])
            #expect(status == 0 && output == "Rendered 192000 frames into out.wav.\n", "\(output)")
            let sound = try bench.load("out.wav")
            /// The level of a frequency at the ears, for a quarter of a second.
            func levels(_ frequency: Double, _ seconds: Double) -> (left: Double, right: Double) {
                let frames = Int(seconds * 48_000)..<Int(seconds * 48_000) + 12_000
                return (sound[0][frames].amplitude(of: frequency), sound[1][frames].amplitude(of: frequency))
            }
            // The monster goes around in four seconds, to the right first.
            let (right, left) = (levels(3000, 0.9), levels(3000, 2.9))
            #expect(right.right > 2 * right.left && left.left > 2 * left.right, "\(right), \(left)")
            let friend = levels(2000, 2)
            #expect(friend.right > 1.5 * friend.left, "\(friend)")
            // 6 dB less above 4 kHz.
            let music = levels(8000, 2)
            #expect(abs(music.left - music.right) < 0.005 && music.left > 0.08 && music.left < 0.13, "\(music)")
            #expect(sound[0][48_000..<50_400].amplitude(of: 500) > 0.15 && sound[0][52_000..<54_400].amplitude(of: 500) < 0.02)
        }

        @Test func aStreamIsEqualizedPieceByPieceAndNothingIsMissing() throws {
            let bench = try Workbench()
            let tones = [30.0, 1000, 8000]
            let samples = (0..<100_001).map { frame in
                Float(tones.reduce(0) { $0 + 0.1 * sin(2 * .pi * $1 * Double(frame) / 48_000) })
            }
            try bench.writeSound("in.wav", channels: 2, samples)
            let (status, output) = try bench.runExample("StreamingEqualizer", ["in.wav", "out.wav"])
            #expect(status == 0 && output == "Rendered 100001 frames into out.wav.\n", "\(output)")
            let sound = try bench.load("out.wav")
            for (frequency, decibels) in zip(tones, [-12.0, 9, 0]) {
                let gain = sound[1][24_000...].amplitude(of: frequency) / 0.1
                #expect(abs(20 * log10(gain) - decibels) < 0.5, "\(frequency) Hz: \(20 * log10(gain)) dB")
            }
            // The same through a pipe, with 16 bits.
            let raw = samples.flatMap { sample -> [UInt8] in
                let bytes = withUnsafeBytes(of: Int16(sample * 32_768).littleEndian, Array.init)
                return bytes + bytes
            }
            try bench.write("in.raw", raw)
            let (pipedStatus, piped) = try bench.runExample("StreamingEqualizer", ["-", "piped.wav"], input: "in.raw")
            #expect(pipedStatus == 0 && piped == "Rendered 100001 frames into piped.wav.\n", "\(piped)")
            let pipedSound = try bench.load("piped.wav")
            #expect(zip(pipedSound[0], sound[0]).allSatisfy { abs($0 - $1) < 3e-4 })
        }

        @Test func aRecordingOfAPerformanceIsWhatWasRendered() throws {
            let bench = try Workbench()
            for (name, frequency) in [("one.wav", 220.0), ("two.wav", 330)] {
                // A stroke each half second.
                try bench.writeSound(
                    name, channels: 2,
                    (0..<24_000).map {
                        Float(0.4 * exp(-Double($0) / 4000) * sin(2 * .pi * frequency * Double($0) / 48_000))
                    })
            }
            let (status, output) = try bench.runExample("RecordPerformance", ["one.wav", "two.wav", "tape.wav", "out.wav"])
            #expect(status == 0 && output.contains("Recorded 288000 frames") && output.contains("Rendered 288000"), "\(output)")
            let (tape, out) = (try bench.load("tape.wav"), try bench.load("out.wav"))
            for channel in 0..<2 { #expect(tape[channel].elementsEqual(out[channel])) }
            let seconds = (0..<6).map { second in (0..<2).map { out[$0][second * 48_000..<(second + 1) * 48_000] } }
            #expect(seconds[0][1].amplitude(of: 330) < 0.01)
            #expect(seconds[1][1].amplitude(of: 330) > 1.5 * seconds[1][0].amplitude(of: 330))
            // What rings on fades.
            let halves = (0..<2).map { out[0][240_000 + $0 * 24_000..<264_000 + $0 * 24_000].level }
            #expect(halves[1] > 0.0005 && halves[1] < 0.7 * halves[0], "\(halves)")
        }

        @Test func theEchoIsTakenOutOfACallAndTheVoiceIsNot() throws {
            let bench = try Workbench()
            try bench.writeSound("far.wav", SyntheticSpeech(seed: 1).samples(seconds: 5))
            let near = SyntheticSpeech(seed: 2, pitch: 200).samples(seconds: 2)
            try bench.writeSound("near.wav", near)
            let (status, output) = try bench.runExample("EchoTouch", ["far.wav", "near.wav", "call.wav"])
            #expect(status == 0 && output.contains("Recorded 384000 frames into call.wav."), "\(output)")
            let decibels = output.components(separatedBy: "lowered by ").last?.components(separatedBy: " dB").first
            #expect(try #require(decibels.flatMap(Double.init)) > 15, "\(output)")
            let call = try bench.load("call.wav")
            let share = call[0][288_000...].level / near.level
            #expect((0.3..<1.5).contains(share), "\(share)")
        }

        @Test(arguments: ["sine", "square", "saw", "noise"])
        func aTypeAndAClosureMakeTheSameWave(wave: String) throws {
            let bench = try Workbench()
            let words = ["--wave", wave, "--frequency", "1000", "--amplitude", "0.5", "--seconds", "0.5"]
            for (added, name) in [([], "type.wav"), (["--closure"], "closure.wav")] as [([String], String)] {
                let (status, output) = try bench.runExample("SignalGenerator", words + added + [name])
                #expect(status == 0 && output == "Rendered 24000 frames into \(name).\n", "\(output)")
            }
            let (own, closure) = (try bench.load("type.wav"), try bench.load("closure.wav"))
            #expect(own[0].elementsEqual(closure[0]) && own[0].elementsEqual(own[1]))
            let amplitudes = [1000.0, 2000, 3000].map { own[0].amplitude(of: $0) }
            switch wave {
            case "sine":
                #expect((0..<24_000).allSatisfy { abs(own[0][$0] - 0.5 * Float(sin(2 * .pi * Double($0) / 48))) < 1e-6 })
            case "square":
                #expect(abs(amplitudes[0] - 2 / .pi) < 0.01 && amplitudes[1] < 1e-3 && abs(amplitudes[2] - 2 / .pi / 3) < 0.01)
            case "saw":
                #expect((0..<3).allSatisfy { abs(amplitudes[$0] - 1 / .pi / Double($0 + 1)) < 0.01 }, "\(amplitudes)")
            default: #expect(abs(own[0].level - 0.5 / 3.squareRoot()) < 0.01 && amplitudes[0] < 0.02)
            }
        }

        @Test func nodesOfAProgramsOwnAreHeardAndTheirLatencyIsCompensated() throws {
            let bench = try Workbench()
            // It swells, so that a grain that is turned round differs.
            let music = (0..<48_000).map { (frame: Int) -> Float in
                let seconds = Double(frame) / 48_000
                return Float(0.3 * sin(2 * .pi * 441 * seconds) * seconds)
            }
            try bench.writeSound("in.wav", channels: 2, music)
            func heard(_ words: [String]) throws -> [Float] {
                let (status, output) = try bench.runExample("OwnNodes", words + ["out.wav"])
                #expect(status == 0 && output == "Rendered 48000 frames into out.wav.\n", "\(output)")
                let sound = try bench.load("out.wav")
                return withExtendedLifetime(sound) { Array(sound[1]) }
            }
            let tremolo = try heard(["tremolo", "in.wav"])
            #expect(abs(tremolo[2400] - music[2400]) < 1e-4 && abs(tremolo[7200] - music[7200] / 2) < 1e-4)
            // The music beside the grains comes as late as they do: both are one where no grain is turned round.
            let straight = try heard(["granulator", "in.wav", "0"])
            #expect(zip(straight, music).allSatisfy { abs($0 - 2 * $1) < 1e-4 })
            let turned = try heard(["granulator", "in.wav", "100"])
            #expect(zip(turned, music).contains { abs($0 - 2 * $1) > 0.05 })
        }

        @Test func aFileIsBouncedThroughDelayAndReverb() throws {
            let bench = try Workbench()
            try bench.writeSound("in.wav", channels: 2, [0.8] + [Float](repeating: 0, count: 23_999))
            let (status, output) = try bench.runExample("OfflineBounce", ["in.wav", "out.wav"])
            #expect(status == 0 && output == "Rendered 168000 frames into out.wav.\n", "\(output)")
            let sound = try bench.load("out.wav")
            // The click itself, and its first repeat a quarter of a second later.
            for frame in [0, 12_000] { #expect(Double(abs(sound[0][frame])) > 3 * sound[0][(frame + 1)...(frame + 100)].level) }
            #expect(sound[0][24_000..<48_000].level > 20 * sound[0][144_000...].level)
        }
    }
}
