// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Engines that play to a driver: the same sound as offline, edits from other threads, completions, a driver that is lost.

import AudioGraph
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct LiveTests {
    @Test func anEngineThatPlaysSoundsAsOffline() async throws {
        func graph(_ engine: AudioEngine) throws -> AudioPlayerNode {
            let (player, mixer) = (AudioPlayerNode(), AudioMixerNode())
            engine.attach(player)
            engine.attach(mixer)
            player.pan = 0.25
            mixer.outputVolume = 0.5
            try engine.connect(player, to: mixer)
            try engine.connect(mixer, to: engine.mainMixerNode)
            player.scheduleBuffer(try Sounds.ramp(777), options: .loops)
            player.play()
            return player
        }
        let driver = RecordingDriver(frameCount: 20_000)
        let live = AudioEngine(driver: driver)
        let player = try graph(live)
        try live.start()
        while !driver.isFull { try await Task.sleep(nanoseconds: 2_000_000) }
        live.stop()
        let offline = try AudioEngine.offline()
        let other = try graph(offline)
        try offline.start()
        #expect(try offline.render(20_000, block: 333)[0] == driver.samples)
        withExtendedLifetime((player, other)) {}
    }

    @Test func unitsGetMemoryForTheLongestCycleOfADriverThatTellsIt() throws {
        let driver = SteppedDriver(channelCount: 2, inputChannelCount: 2, maximumFrameCount: 100, sampleRate: 48_000)
        let live = AudioEngine(driver: driver)
        let gain = AudioUnitEffect(PluginUnit(try Build.unit("Gain")))
        live.attach(gain)
        try live.connect(live.inputNode, to: gain)
        try live.connect(gain, to: live.outputNode)
        try live.start()
        #expect(gain.unit.maximumFramesToRender == 100)
        let input = driver.input(frameCount: 77)
        for channel in 0..<2 { for frame in 0..<77 { input[channel][frame] = Float(frame - 40) / 64 } }
        let output = driver.render(frameCount: 77)
        // Nothing fades in: the first bits are the unit's.
        for channel in 0..<2 { for frame in 0..<77 { #expect(output[channel][frame] == Float(frame - 40) / 64) } }
        live.stop()
        #expect(driver.render(frameCount: 77)[0][0] == 0)
    }

    @Test func editsOfManyThreadsAreAllHeard() async throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 64, sampleRate: Sounds.rate))
        _ = engine.mainMixerNode
        try engine.start()
        let tone = try Sounds.ramp(480)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let player = AudioPlayerNode()
                        engine.attach(player)
                        let ticket = try engine.connect(player, to: engine.mainMixerNode)
                        player.scheduleBuffer(tone, options: .loops)
                        player.play()
                        _ = await ticket.heard()
                        engine.detach(player)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(engine.attachedNodes.count == 2)
        engine.stop()
    }

    @Test func completionsComeWhileItPlaysAndMayEdit() async throws {
        let engine = AudioEngine(driver: NullDriver(channelCount: 2, quantum: 128, sampleRate: Sounds.rate))
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        player.play()
        let buffer = try Sounds.ramp(1000)
        let time = await withCheckedContinuation { continuation in
            player.scheduleBuffer(buffer) { completion in
                engine.disconnectNodeOutput(player)
                continuation.resume(returning: completion)
            }
        }
        #expect(time.wasPlayed && engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
        engine.stop()
    }

    @Test func aDriverThatIsLostIsStartedAgainAndPositionsStay() async throws {
        let driver = RecordingDriver(frameCount: 1 << 20)
        let engine = AudioEngine(driver: driver)
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(4800), options: .loops)
        player.play()
        let changes = engine.configurationChanges
        try engine.start()
        #expect(waitUntil(milliseconds: 20) { (player.playerTime.sampleTime ?? 0) > 0 })
        driver.fail("the cable was pulled")
        let time = player.playerTime.sampleTime ?? 0
        var told: [AudioEngineConfigurationChange] = []
        for await change in changes {
            told.append(change)
            if told.count == 2 { break }
        }
        #expect(told == [.driverLost(reason: "the cable was pulled"), .driverReturned])
        #expect(waitUntil(milliseconds: 20) { (player.playerTime.sampleTime ?? 0) > time })
        engine.stop()
        #expect((player.playerTime.sampleTime ?? 0) > time && time > 0)
        // Not a frame is missing, and none is heard twice.
        let ramp = try Sounds.ramp(4800)
        let heard = driver.samples
        #expect(heard.indices.allSatisfy { heard[$0] == ramp.samples[0][$0 % 4800] })
    }
}

/// Asks for blocks of changing size as fast as it can, keeps the left channel, and fails when it is told to.
private final class RecordingDriver: AudioDriver {
    private let kept: Mutex<[Float]>
    private let most: Int
    private let mustStop = Atomic<Bool>(false)
    private let thread = Mutex<LinuxSystem.Thread?>(nil)
    private let reason = Mutex<String?>(nil)

    init(frameCount: Int) {
        most = frameCount
        kept = Mutex([])
    }

    var samples: [Float] { kept.withLock { $0 } }
    var isFull: Bool { kept.withLock { $0.count == most } }
    var outputChannelCount: Int { 2 }
    var status: DriverStatus { DriverStatus(sampleRate: Sounds.rate, quantum: 64, cycles: 0, xruns: 0) }
    var renderThreadIdentifier: Int32? { nil }
    var failure: String? { reason.withLock { $0 } }
    func tellOfFailure(event: Int32) {}

    func fail(_ reason: String) {
        stop()
        self.reason.withLock { $0 = reason }
    }

    func start(_ callback: RenderCallback) throws {
        mustStop.store(false, ordering: .relaxed)
        reason.withLock { $0 = nil }
        let started = try LinuxSystem.Thread(name: "recorder") { [self] in run(callback) }
        thread.withLock { $0 = started }
    }

    func stop() {
        mustStop.store(true, ordering: .relaxed)
        thread.withLock { thread in
            thread?.join()
            thread = nil
        }
    }

    private func run(_ callback: RenderCallback) {
        let output = AudioBuffer(channelCount: 2, frameCapacity: 512)
        let none = AudioBuffer(channelCount: 0, frameCapacity: 512)
        var sampleTime: Int64 = 0
        var sizes = [64, 1, 500, 128, 31]
        while !mustStop.load(ordering: .relaxed), !isFull {
            let count = min(sizes[0], most - samples.count)
            sizes.append(sizes.removeFirst())
            let block = output.block(frameCount: count)
            let cycle = RenderCycle(
                sampleTime: sampleTime, hostTime: MonotonicClock.now(), sampleRate: Sounds.rate, transport: Transport(),
                isOffline: false, inputs: none.block(frameCount: count), outputs: block)
            withUnsafePointer(to: cycle) { callback.function(callback.context, $0) }
            kept.withLock { $0 += UnsafeBufferPointer(start: block[0], count: count) }
            sampleTime += Int64(count)
            Futex.pause(microseconds: 300)
        }
    }
}
