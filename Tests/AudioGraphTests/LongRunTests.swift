// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An hour of music, rendered as fast as it goes: `make deep` has the time. Test thread.

import HostingTestSupport
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph
@testable import Rendering

@Suite(.serialized, .enabled(if: Sample.isWhole, "It renders an hour: make deep."), .timeLimit(.minutes(20)))
struct LongRunTests {
    private static let hour = 3600 * 48_000

    /// Counts what a tap hands out, and adds it up.
    private final class Sum: Sendable {
        private let state = Mutex<(frames: Int, next: Int64, gaps: Int)>((0, 0, 0))

        func take(_ buffer: AudioPCMBuffer, _ time: AudioTime) {
            state.withLock { state in
                if time.sampleTime != .some(state.next) { state.gaps += 1 }
                state = (state.frames + buffer.frameLength, state.next + Int64(buffer.frameLength), state.gaps)
            }
        }

        var frames: Int { state.withLock { $0.frames } }
        var gaps: Int { state.withLock { $0.gaps } }
    }

    @Test func anHourPassesThroughTapsWithoutLoss() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(48_000), options: .loops)
        let taps = try [480, 1024, 65_536].map { size in
            let sum = Sum()
            return (size, sum, try player.installTap(onBus: 0, bufferSize: size) { sum.take($0, $1) })
        }
        try engine.start()
        player.play()
        let output = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: 512))
        for _ in 0..<Self.hour / 512 { try engine.renderOffline(512, to: output) }
        for (size, sum, tap) in taps {
            let wanted = Self.hour / size * size
            #expect(waitUntil(milliseconds: 60_000) { sum.frames == wanted }, "\(size): \(sum.frames) of \(wanted)")
            #expect(sum.gaps == 0 && tap.droppedFrameCount == 0)
        }
    }

    @Test(arguments: [false, true]) func anHourAtRateOnePointOneEndsOnTheFrame(keepsPitch: Bool) throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        let (varispeed, timePitch) = (AudioUnitVarispeed(), AudioUnitTimePitch())
        (varispeed.rate, timePitch.rate) = (1.1, 1.1)
        let effect: AudioUnitTimeEffect = keepsPitch ? timePitch : varispeed
        engine.attach(player)
        engine.attach(effect)
        try engine.connect(player, to: effect)
        try engine.connect(effect, to: engine.mainMixerNode)
        let minute = try Sounds.buffer(60 * 48_000) { _, frame in frame % 96 < 48 ? 0.25 : -0.25 }
        for _ in 0..<60 { player.scheduleBuffer(minute) }
        let fraction = TimePace.fraction(1.1)
        let (numerator, denominator) = (Int(fraction.0), Int(fraction.1))
        // The frames until the last one has been taken in; silence follows it.
        let end = (Self.hour * denominator + numerator - 1) / numerator
        try engine.start()
        player.play()
        let output = try #require(AudioPCMBuffer(pcmFormat: Sounds.format(), frameCapacity: 4096))
        var (done, last) = (0, 0)
        while done < end + 48_000 {
            // The last blocks are single frames around the end.
            let count = done + 4096 <= end ? 4096 : done < end ? end - done : 4096
            try engine.renderOffline(count, to: output)
            done += count
            if done == end { #expect(player.playerTime.sampleTime == .some(Int64(end * numerator / denominator))) }
            if let sounding = (0..<count).last(where: { abs(output.samples[0][$0]) > 1e-3 }) { last = done - count + sounding }
        }
        let lag = engine.latencyFrameCount
        print("\(keepsPitch ? "time-pitch" : "varispeed"): the sound ends at \(last), and its input at \(end), \(lag) frames early")
        #expect(abs(last - (end + lag)) <= (keepsPitch ? 4800 : 64), "\(last), \(end), \(lag)")
    }
}
