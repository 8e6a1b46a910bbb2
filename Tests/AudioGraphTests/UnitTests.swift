// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units in a graph: alignment, edits around them, deaths. Rendered offline, in processes of their own. Test thread.

import AudioGraph
import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct UnitTests {
    private let engine: AudioEngine
    private let player = AudioPlayerNode()

    init() throws {
        engine = try AudioEngine.offline()
        engine.attach(player)
    }

    private func effect(_ name: String) async throws -> AudioUnitEffect {
        let effect = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component(name)))
        engine.attach(effect)
        return effect
    }

    /// A click every 4000 frames, first at frame 100.
    private func playClicks() throws {
        let clicks = try Sounds.buffer(4000) { _, frame in frame == 100 ? 0.25 : 0 }
        player.scheduleBuffer(clicks, options: .loops)
        player.play()
    }

    private static func clicks(in samples: [Float]) -> [Int: Float] {
        Dictionary(uniqueKeysWithValues: samples.indices.filter { abs(samples[$0]) > 1e-6 }.map { ($0, samples[$0]) })
    }

    @Test func pathsOfDifferentLatencyMeetOnOneFrame() async throws {
        let probe = try await effect("Probe")
        try probe.unit.setValue(777, of: "latency")
        try engine.connect(
            player, to: [AudioConnectionPoint(node: probe), AudioConnectionPoint(node: engine.mainMixerNode)], fromBus: 0)
        try engine.connect(probe, to: engine.mainMixerNode)
        try playClicks()
        try engine.start()
        #expect(engine.latencyFrameCount == 777)
        #expect(Self.clicks(in: try engine.render(8000)[1]) == [877: 0.5, 4877: 0.5])
        // It changes while it plays, and the dry path follows.
        try probe.unit.setValue(300, of: "latency")
        _ = try engine.render(4000)
        #expect(engine.latencyFrameCount == 300)
        #expect(Self.clicks(in: try engine.render(4000)[0]) == [400: 0.5])
        try probe.unit.setValue(1000, of: "latency")
        _ = try engine.render(4000)
        #expect(Self.clicks(in: try engine.render(4000)[0]) == [1100: 0.5])
    }

    @Test func aUnitKeepsItsProcessAndItsSoundThroughEditsAroundIt() async throws {
        let delay = try await effect("Delay")
        try delay.unit.setValue(100, of: "mix")
        try delay.unit.setValue(0.1, of: "time")
        try engine.connect(player, to: delay)
        try engine.connect(delay, to: engine.mainMixerNode)
        try playClicks()
        try engine.start()
        let process = delay.unit.processIdentifier
        _ = try engine.render(1000)
        // The echo is still to come. Meanwhile everything around the unit changes.
        player.stop()
        let mixer = AudioMixerNode()
        engine.attach(mixer)
        try engine.edit {
            try engine.connect(mixer, to: engine.mainMixerNode)
            try engine.connect(delay, to: mixer)
        }
        engine.detach(player)
        let heard = try engine.render(8000)[0]
        #expect(heard.contains { abs($0) > 0.05 })
        #expect(delay.unit.processIdentifier == process && process != nil)
        #expect(delay.unit.faults.isEmpty)
    }

    @Test func aUnitThatIsDetachedGivesItsMemoryBackAndKeepsItsProcess() async throws {
        let gain = try await effect("Gain")
        try engine.connect(player, to: gain)
        try engine.connect(gain, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(512)
        #expect(gain.unit.renderResourcesAllocated)
        let process = gain.unit.processIdentifier
        engine.detach(gain)
        _ = try engine.render(4096)
        _ = try engine.render(4096)
        #expect(!gain.unit.renderResourcesAllocated && gain.unit.processIdentifier == process)
        engine.attach(gain)
        try engine.connect(player, to: gain)
        try engine.connect(gain, to: engine.mainMixerNode)
        try playClicks()
        #expect(try engine.render(8000)[0].contains { $0 == 0.25 })
    }

    @Test func aDeathIsOneNodesDeath() async throws {
        let (first, second) = (try await effect("Gain"), try await effect("Gain"))
        let other = AudioPlayerNode()
        engine.attach(other)
        try engine.connect(player, to: first)
        try engine.connect(other, to: second)
        (first.pan, second.pan) = (-1, 1)
        try engine.connect(first, to: engine.mainMixerNode)
        try engine.connect(second, to: engine.mainMixerNode)
        let ramp = try Sounds.ramp(1000)
        for player in [player, other] {
            player.scheduleBuffer(ramp, options: .loops)
            player.play()
        }
        try engine.start()
        var heard = try engine.render(2048)[1]
        let victim = try #require(first.unit.processIdentifier)
        kill(victim, SIGKILL)
        heard += try engine.render(20_000)[1]
        let wanted = heard.indices.map { ramp.samples[1][$0 % 1000] }
        #expect(zip(heard, wanted).allSatisfy { abs($0.0 - $0.1) < 1e-6 })
        #expect(first.unit.faults.count == 1 && second.unit.faults.isEmpty)
        #expect(first.unit.processIdentifier != victim && first.unit.restartCount == 1)
    }

    /// An empty delay line that begins in the middle of a sound would put its beginning out as a click, long after the death.
    @Test(arguments: [["Delay"], ["Gain", "Delay", "Gain"]]) func theEchoOfAUnitThatWasStartedAgainHasNoClick(names: [String])
        async throws
    {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 256, sampleRate: Sounds.rate)
        let live = AudioEngine(driver: driver)
        let tone = AudioPlayerNode()
        var (units, last): ([AudioUnitEffect], AudioNode) = ([], tone)
        live.attach(tone)
        for name in names {
            let unit = AudioUnitEffect(PluginUnit(try Build.unit(name)))
            live.attach(unit)
            try live.connect(last, to: unit)
            last = unit
            units.append(unit)
        }
        try live.connect(last, to: live.mainMixerNode)
        let delay = try #require(units.first { $0.name == "Delay" })
        for (parameter, value) in [("time", 0.05), ("feedback", 0), ("mix", 50)] { try delay.unit.setValue(value, of: parameter) }
        tone.scheduleBuffer(try Sounds.buffer(480) { _, _ in 0.5 }, options: .loops)
        tone.play()
        try live.start()
        var heard: [Float] = []
        func render(_ count: Int) {
            for _ in 0..<count {
                let block = driver.render(frameCount: 256, isOffline: false, slowdown: 1000)
                heard += UnsafeBufferPointer(start: block[0], count: 256)
            }
        }
        render(60)
        let start = heard.count
        kill(try #require(delay.unit.processIdentifier), SIGKILL)
        while delay.unit.restartCount == 0 {
            render(1)
            Futex.pause(microseconds: 200)
        }
        render(60)
        live.stop()
        // The constant level comes back as its echo, and nothing goes faster than a fade.
        let after = heard.dropFirst(start - 1)
        let steps = zip(after, after.dropFirst()).map { abs($0 - $1) }
        let levels = (heard[start - 1], heard[heard.count - 1])
        #expect(steps.max() ?? 1 < 0.003, "\(steps.max() ?? 1)")
        #expect(abs(levels.0 - levels.1) < 0.001 && steps.contains { $0 > 0 }, "\(levels)")
    }

    @Test func parametersAreWatched() async throws {
        let gain = try await effect("Gain")
        var changes = gain.parameterChanges.makeAsyncIterator()
        try gain.unit.setValue(-6, of: "gain")
        #expect(await changes.next()?.value == -6)
    }

    @Test func aUnitThatTakesNoSuchFormatSaysSoAndNothingIsLost() async throws {
        let gain = try await effect("Gain")
        try engine.connect(player, to: engine.mainMixerNode)
        let tone = try Sounds.buffer(100) { _, _ in 0.25 }
        player.scheduleBuffer(tone, options: .loops)
        player.play()
        try engine.start()
        _ = try engine.render(512)
        let error = #expect(throws: AudioEngineError.self) {
            try engine.edit {
                try engine.connect(player, to: gain, format: Sounds.format(200))
                try engine.connect(gain, to: engine.mainMixerNode)
            }
        }
        guard case .formatRefused(node: "Gain", bus: 0, _, _)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try engine.render(2000)[0].allSatisfy { $0 == 0.25 })
    }

    @Test(.timed("kills a unit while the host waits for it"))
    func aUnitThatDiesAsItTakesResourcesIsStartedAgainUnlessTheHostWantsToKnow() async throws {
        let gain = try await effect("Gain")
        try engine.connect(player, to: gain)
        try engine.connect(gain, to: engine.mainMixerNode)
        /// Starts the engine with a unit that answers nothing, and is killed while the host waits for its answer.
        func start() throws {
            let process = try #require(gain.unit.processIdentifier)
            kill(process, SIGSTOP)
            let killer = try LinuxSystem.Thread(name: "killer") {
                usleep(400_000)
                kill(process, SIGKILL)
            }
            defer { killer.join() }
            try engine.start()
        }
        try start()
        #expect(gain.unit.renderResourcesAllocated)
        engine.stop()
        engine.refuseUnitsThatDie()
        let error = #expect(throws: AudioEngineError.self) { try start() }
        guard case .unit(node: "Gain", .fault)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        // The next start finds it dead, and starts it again.
        try engine.start()
        #expect(gain.unit.renderResourcesAllocated)
    }
}

// MARK: - Side chains

extension UnitTests {
    /// Probe adds its side chain to its input.
    @Test func anyNodeFeedsASideChainAndComesAndGoesWhileItPlays() async throws {
        let engine = try AudioEngine.offline()
        let probe = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe")))
        let (main, side) = (AudioPlayerNode(), AudioPlayerNode())
        for node in [main, side, probe] { engine.attach(node) }
        let (first, second) = (try Sounds.ramp(1000), try Sounds.buffer(1000) { _, _ in 0.25 })
        main.scheduleBuffer(first, options: .loops)
        side.scheduleBuffer(second, options: .loops)
        try engine.connect(main, to: probe)
        try engine.connect(side, to: probe, fromBus: 0, toBus: 1)
        try engine.connect(probe, to: engine.mainMixerNode)
        main.play()
        side.play()
        try engine.start()
        /// Whether a whole loop is heard, from any frame on, with the side chain's offset.
        func isLoop(_ heard: [Float], _ offset: Float) -> Bool {
            let wanted = (0..<1000).map { first.samples[1][$0] + offset }
            guard let start = wanted.firstIndex(of: heard[0]) else { return false }
            return heard == Array(wanted[start...] + wanted[..<start])
        }
        #expect(isLoop(try engine.render(1000, block: 250)[1], 0.25))
        // The unit gets other resources, and stays the same unit.
        let process = probe.unit.processIdentifier
        let ticket = engine.disconnectNodeInput(probe, bus: 1)
        var heard = try engine.render(8000, block: 250)[1]
        #expect(try ticket.get().sampleTime != nil)
        #expect(isLoop(try engine.render(1000, block: 250)[1], 0))
        try engine.connect(side, to: probe, fromBus: 0, toBus: 1)
        heard += try engine.render(8000, block: 250)[1]
        #expect(heard.allSatisfy { abs($0) < 0.3 })
        #expect(isLoop(try engine.render(1000, block: 250)[1], 0.25))
        #expect(probe.unit.processIdentifier == process && probe.unit.faults.isEmpty)
        #expect(throws: AudioEngineError.noSuchBus(node: NamedNode(probe), bus: 2, isInput: true, count: 2)) {
            try engine.connect(side, to: probe, fromBus: 0, toBus: 2)
        }
    }

    /// Units that need other resources at different times, and a connection that is broken meanwhile.
    @Test func editsWhileAUnitChangesItsResourcesAreHeardAndFaded() async throws {
        let engine = try AudioEngine.offline()
        let units = [
            AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe"))),
            AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe"))),
        ]
        let (side, loud) = (AudioPlayerNode(), AudioPlayerNode())
        let players = [AudioPlayerNode(), AudioPlayerNode()]
        for node in units + players + [side, loud] { engine.attach(node) }
        for (player, unit) in zip(players, units) {
            try engine.connect(player, to: unit)
            try engine.connect(unit, to: engine.mainMixerNode)
        }
        try engine.connect(loud, to: engine.mainMixerNode)
        loud.scheduleBuffer(try Sounds.buffer(100) { _, _ in 0.5 }, options: .loops)
        loud.play()
        try engine.start()
        var heard = try engine.render(600, block: 100)[0]
        try engine.connect(side, to: [AudioConnectionPoint(node: units[0], bus: 1)], fromBus: 0)
        heard += try engine.render(300, block: 100)[0]
        let late = try engine.connect(
            side, to: [AudioConnectionPoint(node: units[0], bus: 1), AudioConnectionPoint(node: units[1], bus: 1)], fromBus: 0)
        engine.disconnectNodeOutput(loud)
        heard += try engine.render(12_000, block: 100)[0]
        #expect(late.sampleTime != nil && heard.suffix(1000).allSatisfy { $0 == 0 })
        #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($0.1 - $0.0) < 0.001 })
        #expect(units.allSatisfy { $0.unit.faults.isEmpty && $0.unit.renderResourcesAllocated })
    }

    /// The graph alone gives back what it renders with.
    @Test func aProgramCannotTakeResourcesFromUnderTheGraph() async throws {
        let gain = try await effect("Gain")
        try engine.connect(player, to: gain)
        try engine.connect(gain, to: engine.mainMixerNode)
        try playClicks()
        try engine.start()
        _ = try engine.render(512)
        gain.unit.deallocateRenderResources()
        _ = AudioUnitEffect(gain.unit)
        #expect(Self.clicks(in: try engine.render(8000)[0]).count == 2)
        engine.stop()
        #expect(!gain.unit.renderResourcesAllocated)
    }

    @Test func aSideChainOfAnotherLatencyIsAligned() async throws {
        let engine = try AudioEngine.offline()
        let probe = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe")))
        let late = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Probe")))
        try late.unit.setValue(500, of: "latency")
        let player = AudioPlayerNode()
        for node in [player, late, probe] { engine.attach(node) }
        try engine.connect(
            player, to: [AudioConnectionPoint(node: probe, bus: 0), AudioConnectionPoint(node: late)], fromBus: 0)
        try engine.connect(late, to: probe, fromBus: 0, toBus: 1)
        try engine.connect(probe, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.buffer(4000) { _, frame in frame == 100 ? 0.25 : 0 })
        player.play()
        try engine.start()
        let heard = try engine.render(4000)[0]
        #expect(heard.indices.filter { heard[$0] != 0 } == [600] && heard[600] == 0.5)
    }
}
