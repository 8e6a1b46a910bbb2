// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A virtual sink of many loudspeakers, which a head hears, in a PipeWire of its own.

import AudioFiles
import AudioFormats
import Foundation
import PipeWireIO
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.timed("plays in a PipeWire of its own"), .serialized) struct SurroundTests {
        /// The output of a program in the session.
        private func output(_ session: PrivatePipeWire, _ arguments: String...) throws -> String {
            let program = Process()
            program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            (program.arguments, program.environment) = (arguments, session.environment)
            let pipe = Pipe()
            program.standardOutput = pipe
            try program.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            program.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }

        /// The peaks of both ears in half a second, after a moment.
        private func ears(_ session: PrivatePipeWire, _ bench: Workbench) throws -> (left: Float, right: Float) {
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment, monitorsSink: true)
            usleep(500_000)
            recorder.stop()
            let heard = try bench.load("heard.wav")
            return (heard.peak(ofChannel: 0), heard.peak(ofChannel: 1))
        }

        /// Writes a minute of 3 kHz at one of the loudspeakers.
        private func write(_ speaker: Speaker, of layout: ChannelLayout, _ bench: Workbench) throws {
            let frameCount = 48_000 * 60
            let left = try #require(layout.speakers.firstIndex(of: speaker))
            let tone = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            let silence = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            defer {
                tone.deallocate()
                silence.deallocate()
            }
            silence.initialize(repeating: 0, count: frameCount)
            for frame in 0..<frameCount { tone[frame] = 0.25 * Float(sin(2 * .pi * 3000 * Double(frame) / 48_000)) }
            let writer = try AudioFileWriter(
                path: bench.path("left.wav"), sampleRate: 48_000, channelCount: layout.channelCount, layout: layout)
            let channels = (0..<layout.channelCount).map { $0 == left ? tone : silence }
            try channels.withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: frameCount) }
            try writer.finish()
        }

        /// A speaker above stands less in the shadow of the head.
        private static let sinks: [(name: String, layout: ChannelLayout, speaker: Speaker, ratio: Float)] = [
            ("7.1", .sevenPointOne, .sideLeft, 2), ("7.1.4", .sevenPointOneFour, .topFrontLeft, 1.3),
        ]

        @Test(arguments: 0..<2) func aLoudspeakerAtTheLeftIsHeardThereUntilTheHeadTurns(index: Int) throws {
            let (name, layout, speaker, ratio) = Self.sinks[index]
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try write(speaker, of: layout, bench)
            let surround = try bench.start("surround", "--speakers", name)
            let player = Process()
            player.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            player.arguments = ["pw-play", "--target", "bulkhead-surround", bench.path("left.wav")]
            player.environment = session.environment
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            let ports = try output(session, "pw-link", "-i").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            for speaker in layout.speakers {
                #expect(ports.contains { $0.hasPrefix("bulkhead-surround:") && $0.hasSuffix("_\(speaker.name)") }, "\(speaker)")
            }
            try player.run()
            defer { player.terminate() }
            var heard: (left: Float, right: Float) = (0, 0)
            // The ear in the shadow of the head hears 3 kHz less.
            #expect(
                try eventually(within: 10) {
                    heard = try ears(session, bench)
                    return heard.left > ratio * heard.right && heard.left > 0.02
                }, "\(heard)")
            #expect(try bench.run("ctl", "set", "space.yaw=180").status == 0)
            usleep(300_000)
            heard = try ears(session, bench)
            #expect(heard.right > ratio * heard.left && heard.right > 0.02, "\(heard)")
            surround.send(SIGINT)
            surround.wait(seconds: 5).expectSuccess()
        }

        @Test func whatMakesNoSenseIsRefused() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.run("surround", "--speakers", "9.9").expectComplaint(status: 2, "7.1")
            try bench.run("surround", "--output", "bulkhead-surround").expectComplaint(status: 2, "is the sink itself")
            try bench.run("surround", "--head-poses", "missing.txt").expectComplaint(status: 1, "missing.txt")
            try bench.run("surround", "--head-poses", "a.txt", "--turn", "3").expectComplaint(status: 2, "both turn the head")
            try bench.run("surround", "--head", "missing.sofa").expectComplaint(status: 1, "missing.sofa")
        }
    }
}
