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
        /// The peaks of both ears in half a second, after a moment.
        private func ears(_ session: PrivatePipeWire, _ bench: Workbench) throws -> (left: Float, right: Float) {
            let recorder = try PipeWireRecorder(
                sinkName: session.sinkName, path: bench.path("heard.wav"), environment: session.environment, monitorsSink: true)
            usleep(500_000)
            recorder.stop()
            let heard = try bench.load("heard.wav")
            return (heard.peak(ofChannel: 0), heard.peak(ofChannel: 1))
        }

        /// Writes a minute of 3 kHz at the left side of eight loudspeakers.
        private func writeSideLeft(_ bench: Workbench) throws {
            let frameCount = 48_000 * 60
            let layout = try #require(ChannelLayout.usual(8))
            let left = try #require(layout.speakers.firstIndex(of: .sideLeft))
            let tone = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            let silence = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
            defer {
                tone.deallocate()
                silence.deallocate()
            }
            silence.initialize(repeating: 0, count: frameCount)
            for frame in 0..<frameCount { tone[frame] = 0.25 * Float(sin(2 * .pi * 3000 * Double(frame) / 48_000)) }
            let writer = try AudioFileWriter(path: bench.path("left.wav"), sampleRate: 48_000, channelCount: 8, layout: layout)
            let channels = (0..<8).map { $0 == left ? tone : silence }
            try channels.withUnsafeBufferPointer { try writer.write($0.baseAddress!, frameCount: frameCount) }
            try writer.finish()
        }

        @Test func aLoudspeakerAtTheLeftIsHeardThereUntilTheHeadTurns() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try writeSideLeft(bench)
            let surround = try bench.start("surround")
            let player = Process()
            player.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            player.arguments = ["pw-play", "--target", "bulkhead-surround", bench.path("left.wav")]
            player.environment = session.environment
            try #require(eventually(within: 20) { (try? bench.run("ctl", "status"))?.status == 0 })
            try player.run()
            defer { player.terminate() }
            var heard: (left: Float, right: Float) = (0, 0)
            // The ear in the shadow of the head hears 3 kHz by 6 dB less, at least.
            #expect(
                try eventually(within: 10) {
                    heard = try ears(session, bench)
                    return heard.left > 2 * heard.right && heard.left > 0.02
                }, "\(heard)")
            #expect(try bench.run("ctl", "set", "space.yaw=180").status == 0)
            usleep(300_000)
            heard = try ears(session, bench)
            #expect(heard.right > 2 * heard.left && heard.right > 0.02, "\(heard)")
            surround.send(SIGINT)
            surround.wait(seconds: 5).expectSuccess()
        }

        @Test func whatMakesNoSenseIsRefused() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let bench = try Workbench(session)
            try bench.run("surround", "--speakers", "9.9").expectComplaint(status: 2, "7.1")
            try bench.run("surround", "--output", "bulkhead-surround").expectComplaint(status: 2, "is the sink itself")
            try bench.run("surround", "--head", "missing.sofa").expectComplaint(status: 1, "missing.sofa")
        }
    }
}
