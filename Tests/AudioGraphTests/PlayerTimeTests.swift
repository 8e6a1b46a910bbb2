// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// When players begin, together and by the clock, and when their completions are called. Test thread.

import AudioGraph
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct PlayerTimeTests {
    /// Players of one engine that lead to its mixer; each plays one sample of its own share, and silence.
    private func clicks(_ count: Int, _ engine: AudioEngine) throws -> [AudioPlayerNode] {
        let click = try Sounds.buffer(1000) { _, frame in frame == 0 ? 1 / Float(count) : 0 }
        return try (0..<count).map { _ in
            let player = AudioPlayerNode()
            engine.attach(player)
            try engine.connect(player, to: engine.mainMixerNode)
            player.scheduleBuffer(click)
            return player
        }
    }

    @Test func manyPlayersBeginOnOneFrameWhileItPlays() throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 64, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let players = try clicks(64, engine)
        try engine.start()
        let heard = Mutex<[Float]>([])
        let mustEnd = Atomic<Bool>(false)
        let thread = try LinuxSystem.Thread(name: "renders") {
            while !mustEnd.load(ordering: .relaxed) {
                let block = driver.render(frameCount: 64, isOffline: false, slowdown: 1000)
                heard.withLock { $0 += UnsafeBufferPointer(start: block[0], count: 64) }
                Futex.pause(microseconds: 50)
            }
        }
        while heard.withLock({ $0.count }) < 640 { Futex.pause(microseconds: 100) }
        AudioPlayerNode.play(players)
        while players.contains(where: { ($0.playerTime.sampleTime ?? 0) < 1000 }) { Futex.pause(microseconds: 100) }
        mustEnd.store(true, ordering: .relaxed)
        thread.join()
        engine.stop()
        let samples = heard.withLock { $0 }
        #expect(samples.filter { $0 != 0 } == [1])
    }

    /// The new time line has no beginning until a cycle has been rendered.
    @Test func theTimeJustAfterStopOrPauseAndPlayIsNotTheOldOne() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(9000))
        try engine.start()
        player.play()
        _ = try engine.render(1000)
        let now = AudioTime(sampleTime: 1000, atRate: Sounds.rate)
        #expect(player.playerTime(forNodeTime: now)?.sampleTime == 1000)
        player.stop()
        player.scheduleBuffer(try Sounds.ramp(9000))
        player.play()
        #expect(player.playerTime.sampleTime == 0 && player.playerTime(forNodeTime: now) == nil)
        #expect(player.nodeTime(forPlayerTime: now) == nil)
        _ = try engine.render(500)
        let later = AudioTime(sampleTime: 1500, atRate: Sounds.rate)
        #expect(player.playerTime.sampleTime == 500 && player.playerTime(forNodeTime: later)?.sampleTime == 500)
        player.pause()
        _ = try engine.render(700)
        player.play()
        #expect(player.playerTime.sampleTime == 500 && player.playerTime(forNodeTime: later) == nil)
        _ = try engine.render(100)
        #expect(player.playerTime(forNodeTime: AudioTime(sampleTime: 2300, atRate: Sounds.rate))?.sampleTime == 600)
    }

    @Test func aPlayerThatLearnsOfACommonStartLateIsInStep() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        let calls = Mutex<[Int64]>([])
        player.scheduleBuffer(try Sounds.ramp(300)) { completion in calls.withLock { $0.append(completion.sampleTime) } }
        player.scheduleBuffer(try Sounds.ramp(1000))
        try engine.start()
        _ = try engine.render(1000)
        AudioPlayerNode.play([player], at: AudioTime(sampleTime: 500, atRate: Sounds.rate))
        let heard = try engine.render(100)[0]
        #expect(heard == (200..<300).map { Float($0 + 1) / 65_536 })
        #expect(player.playerTime.sampleTime == 600 && calls.withLock { $0 } == [300])
        #expect(player.nodeTime(forPlayerTime: AudioTime(sampleTime: 0, atRate: Sounds.rate))?.sampleTime == 500)
        #expect(player.playerTime(forNodeTime: AudioTime(sampleTime: 1100, atRate: Sounds.rate))?.sampleTime == 600)
        player.pause()
        #expect(player.playerTime(forNodeTime: AudioTime(sampleTime: 1100, atRate: Sounds.rate)) == nil)
        // By itself a player begins when it learns of it.
        player.stop()
        player.scheduleBuffer(try Sounds.ramp(300))
        player.play(at: AudioTime(sampleTime: 500, atRate: Sounds.rate))
        #expect(try engine.render(100)[0][0] == 1 / 65_536)
    }

    /// Each cycle says which host time its first frame has.
    @Test(arguments: [false, true]) func aHostTimeIsKeptToTheFrame(ofBuffer: Bool) throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 256, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver)
        let player = try clicks(1, engine)[0]
        try engine.start()
        driver.render(frameCount: 256, isOffline: false)
        let time = AudioTime(hostTime: MonotonicClock.now() + 40_000_000)
        if ofBuffer {
            player.stop()
            player.scheduleBuffer(try Sounds.buffer(1000) { _, frame in frame == 0 ? 1 : 0 }, at: time)
            player.play()
        } else {
            player.play(at: time)
        }
        var wanted: Int64?
        var found: Int64?
        for cycle in 1..<200 where found == nil {
            let block = driver.render(frameCount: 256, isOffline: false)
            let now = try #require(engine.lastRenderTime)
            #expect(now.sampleTime == Int64(256 * cycle))
            let (sample, host) = (try #require(now.sampleTime), try #require(now.hostTime))
            let distance = Double(Int64(bitPattern: try #require(time.hostTime) &- host)) * Sounds.rate / 1e9
            if wanted == nil, distance.rounded() < 256 { wanted = sample + Int64(max(0, distance.rounded())) }
            if let frame = (0..<256).first(where: { block[0][$0] != 0 }) { found = sample + Int64(frame) }
            Futex.pause(microseconds: 1000)
        }
        engine.stop()
        #expect(found != nil && found == wanted)
    }

    @Test func aCompletionComesWhenTheSoundHasGoneThroughWhatFollows() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        let probe = AudioUnitEffect(PluginUnit(try Build.unit("Probe")))
        try probe.unit.setValue(300, of: "latency")
        engine.attach(player)
        engine.attach(probe)
        try engine.connect(player, to: probe)
        try engine.connect(probe, to: engine.mainMixerNode)
        let calls = Mutex<[String]>([])
        let ramp = try Sounds.ramp(100)
        player.scheduleBuffer(ramp, completionCallbackType: .dataRendered) { _ in calls.withLock { $0.append("rendered") } }
        player.scheduleBuffer(ramp, completionCallbackType: .dataPlayedBack) { completion in
            calls.withLock { $0.append("heard at \(completion.sampleTime)") }
        }
        player.scheduleBuffer(ramp, completionCallbackType: .dataPlayedBack) { completion in
            calls.withLock { $0.append(completion.wasPlayed ? "played" : "stopped") }
        }
        player.play()
        try engine.start()
        var history: [Int: [String]] = [:]
        for cycle in 0..<12 {
            _ = try engine.render(50, block: 50)
            history[cycle] = calls.withLock { $0 }
        }
        // The first ends at 100; the second at 200, and has gone through the unit at 500, in the cycle that begins there.
        #expect(history[1] == ["rendered"] && history[9] == ["rendered"])
        #expect(history[10] == ["rendered", "heard at 200"] && history[11] == history[10])
        engine.stop()
        #expect(calls.withLock { $0.last } == "played")
    }
}
