// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Players of buffers: order, times, loops, interruptions, completions. Rendered offline. Test thread.

import AudioGraph
import HostingTestSupport
import Synchronization
import Testing

@Suite struct PlayerTests {
    private let engine: AudioEngine
    private let player = AudioPlayerNode()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
    }

    private func samples(_ buffer: AudioPCMBuffer, _ channel: Int = 0) -> [Float] {
        Array(UnsafeBufferPointer(start: buffer.samples[channel], count: buffer.frameLength))
    }

    @Test func buffersFollowEachOtherWithoutAGap() throws {
        let first = try Sounds.ramp(700)
        let second = try Sounds.ramp(300)
        player.scheduleBuffer(first)
        player.scheduleBuffer(second)
        player.play()
        let heard = try engine.render(1200)
        for channel in 0..<2 {
            let wanted = samples(first, channel) + samples(second, channel) + [Float](repeating: 0, count: 200)
            #expect(heard[channel] == wanted)
        }
        #expect(player.playerTime.sampleTime == 1200)
    }

    @Test(arguments: [1, 31, 64, 512, 4096])
    func aLoopSoundsTheSameInBlocksOfAnySize(block: Int) throws {
        let loop = try Sounds.ramp(1000)
        player.scheduleBuffer(loop, options: .loops)
        player.play()
        let heard = try engine.render(3500, block: block)
        let wanted = samples(loop) + samples(loop) + samples(loop) + samples(loop).prefix(500)
        #expect(heard[0] == wanted)
    }

    @Test func aBufferBeginsAtItsTimeAndAMonoBufferPlaysInBothChannels() throws {
        let click = try Sounds.buffer(3, channelCount: 1) { _, _ in 0.5 }
        player.scheduleBuffer(click, at: AudioTime(sampleTime: 777, atRate: Sounds.rate))
        player.play()
        let heard = try engine.render(1024)
        for channel in heard { #expect(channel.indices.filter { channel[$0] != 0 } == [777, 778, 779]) }
    }

    @Test func aPauseKeepsThePlaceAndAStopForgetsIt() throws {
        let ramp = try Sounds.ramp(2000)
        player.scheduleBuffer(ramp)
        player.play()
        _ = try engine.render(512)
        player.pause()
        #expect(try engine.render(512)[0].allSatisfy { $0 == 0 } && player.playerTime.sampleTime == 512)
        player.play()
        #expect(try engine.render(100)[0] == Array(samples(ramp)[512..<612]))
        player.stop()
        #expect(player.playerTime.sampleTime == 0 && !player.isPlaying)
        player.play()
        #expect(try engine.render(512)[0].allSatisfy { $0 == 0 })
    }

    @Test func anInterruptionEndsWhatPlaysAtOnceOrAtTheEndOfTheLoop() throws {
        let loop = try Sounds.ramp(1000)
        let next = try Sounds.buffer(400) { _, _ in 0.25 }
        player.scheduleBuffer(loop, options: .loops)
        player.play()
        _ = try engine.render(1300, block: 100)
        player.scheduleBuffer(next, options: .interruptsAtLoop)
        let heard = try engine.render(1300, block: 100)[0]
        #expect(heard == Array(samples(loop)[300...]) + samples(next) + [Float](repeating: 0, count: 200))
        player.scheduleBuffer(loop, options: .loops)
        _ = try engine.render(150, block: 50)
        player.scheduleBuffer(next, options: .interrupts)
        #expect(try engine.render(400, block: 100)[0] == samples(next))
    }

    /// Blocks of every size hear the same, whatever is due in the middle of one.
    @Test(arguments: [1, 7, 64, 4096])
    func timesAndInterruptionsAreKeptToTheFrame(block: Int) throws {
        let loop = try Sounds.ramp(300)
        let (first, second) = (try Sounds.buffer(90) { _, _ in 0.25 }, try Sounds.buffer(50) { _, _ in 0.75 })
        player.scheduleBuffer(loop, at: AudioTime(sampleTime: 10, atRate: Sounds.rate), options: .loops)
        player.scheduleBuffer(first, at: AudioTime(sampleTime: 777, atRate: Sounds.rate), options: .interrupts)
        player.scheduleBuffer(second, at: AudioTime(sampleTime: 900, atRate: Sounds.rate))
        player.play(at: AudioTime(sampleTime: 33, atRate: Sounds.rate))
        let heard = try engine.render(1200, block: block)[0]
        var wanted = [Float](repeating: 0, count: 1200)
        for frame in 10..<777 { wanted[33 + frame] = loop.samples[0][(frame - 10) % 300] }
        for frame in 777..<867 { wanted[33 + frame] = 0.25 }
        for frame in 900..<950 { wanted[33 + frame] = 0.75 }
        #expect(heard == wanted)
    }

    /// An interruption is heard at its frame, whatever waits before it, and whether anything plays or not.
    @Test(arguments: [1, 64, 512])
    func anInterruptionDoesNotWaitForWhatItInterrupts(block: Int) throws {
        let (long, short) = (try Sounds.ramp(1000), try Sounds.buffer(50) { _, _ in 0.25 })
        player.scheduleBuffer(long)
        player.scheduleBuffer(short, options: .interrupts)
        player.play()
        let first = try engine.render(512, block: block)[0]
        #expect(first == [Float](repeating: 0.25, count: 50) + [Float](repeating: 0, count: 462))
        player.stop()
        player.scheduleBuffer(long, at: AudioTime(sampleTime: 10_000, atRate: Sounds.rate))
        player.scheduleBuffer(short, options: .interrupts)
        player.play()
        #expect(try engine.render(512, block: block)[0] == first)
        player.stop()
        player.scheduleBuffer(long, options: .loops)
        player.play()
        _ = try engine.render(512, block: block)
        player.scheduleBuffer(long, options: .interruptsAtLoop)
        player.scheduleBuffer(short, options: .interrupts)
        #expect(try engine.render(512, block: block)[0] == first)
    }

    @Test func completionsComeOfPlayersThatAreDetachedOrLetGo() throws {
        let calls = Mutex<[Bool]>([])
        var other: AudioPlayerNode? = AudioPlayerNode()
        for player in [player, other!] {
            player.scheduleBuffer(try Sounds.ramp(100)) { completion in calls.withLock { $0.append(completion.wasPlayed) } }
        }
        engine.detach(player)
        player.stop()
        #expect(calls.withLock { $0 } == [false])
        other = nil
        #expect(calls.withLock { $0 } == [false, false])
    }

    @Test func aResetBeginsTheTimeLineAnew() throws {
        let ramp = try Sounds.ramp(100)
        _ = try engine.render(1000)
        engine.reset()
        #expect(engine.manualRenderingSampleTime == 0)
        player.scheduleBuffer(ramp)
        player.play(at: AudioTime(sampleTime: 50, atRate: Sounds.rate))
        let heard = try engine.render(512)[0]
        #expect(heard[50] == samples(ramp)[0] && heard[149] == samples(ramp)[99] && heard[49] == 0)
        // A start in the time line before does not hold in the next one.
        engine.stop()
        try engine.start()
        player.scheduleBuffer(ramp)
        #expect(try engine.render(512)[0][0] == samples(ramp)[0])
    }

    /// Times beyond all reason neither trap nor play.
    @Test(arguments: [Int64.max, Int64.max - 1, Int64.min, Int64.min + 1])
    func timesBeyondReasonAreHarmless(time: Int64) throws {
        let when = AudioTime(sampleTime: time, atRate: Sounds.rate)
        let tone = try Sounds.buffer(100) { _, _ in 0.25 }
        player.scheduleBuffer(tone, at: when, options: .interrupts)
        player.scheduleBuffer(tone, at: when, options: [.loops, .interruptsAtLoop])
        player.play(at: when)
        #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 || $0 == 0.25 })
        player.stop()
        player.play()
        #expect(try engine.render(1000)[0].allSatisfy { $0 == 0 })
    }

    @Test func everyCompletionIsCalledOnceAtTheTrueFrame() throws {
        let calls = Mutex<[(Int, AudioPlayerNodeCompletion)]>([])
        for (index, count) in [700, 300, 500].enumerated() {
            let ramp = try Sounds.ramp(count)
            player.scheduleBuffer(ramp, options: index == 2 ? .loops : []) { completion in
                calls.withLock { $0.append((index, completion)) }
            }
        }
        player.play()
        _ = try engine.render(1024)
        #expect(calls.withLock { $0.map(\.0) } == [0, 1])
        #expect(calls.withLock { $0.map(\.1.sampleTime) } == [700, 1000] && calls.withLock { $0.allSatisfy(\.1.wasPlayed) })
        player.stop()
        _ = try engine.render(512)
        #expect(calls.withLock { $0.map(\.0) } == [0, 1, 2])
        #expect(calls.withLock { $0.last?.1.wasPlayed } == false && calls.withLock { $0.last?.1.sampleTime } == 1024)
        _ = try engine.render(512)
        #expect(calls.withLock(\.count) == 3)
    }

    /// Apple's engine can deadlock there.
    @Test func aCompletionMayStopThePlayerAndScheduleAgain() throws {
        let ramp = try Sounds.ramp(100)
        let again = try Sounds.buffer(50) { _, _ in 0.5 }
        player.scheduleBuffer(ramp) { [player] _ in
            player.stop()
            player.scheduleBuffer(again)
            player.play()
        }
        player.play()
        _ = try engine.render(512)
        let heard = try engine.render(512)[0]
        #expect(heard.prefix(50).allSatisfy { $0 == 0.5 } && heard.dropFirst(50).allSatisfy { $0 == 0 })
    }

    @Test func aStoppedEngineCompletesWhatIsStopped() throws {
        let calls = Atomic<Int>(0)
        player.scheduleBuffer(try Sounds.ramp(100)) { completion in
            calls.wrappingAdd(completion.wasPlayed ? 100 : 1, ordering: .relaxed)
        }
        player.stop()
        engine.stop()
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func aBufferOfAnotherRateIsRefusedAndToldAtTheNextEdit() throws {
        let other = try #require(
            AudioPCMBuffer(pcmFormat: AudioFormat(sampleRate: 44_100, channelCount: 2), frameCapacity: 10))
        let error = AudioEngineError.bufferFormat(node: NamedNode(player), buffer: other.format, player: Sounds.format())
        #expect(throws: error) { try player.scheduleBuffer(other).get() }
        #expect(throws: error) { try engine.edit {} }
        try engine.edit {}
    }
}
