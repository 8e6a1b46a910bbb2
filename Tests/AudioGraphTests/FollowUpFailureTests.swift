// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the engine's thread cannot do is kept, told and tried again: plans after fades, wirings, the thread itself. Test thread.

import Glibc
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Rendering
import Synchronization
import TestSupport
import Testing

@testable import AudioGraph

@Suite(.timeLimit(.minutes(5))) struct FollowUpFailureTests {
    /// Makes plans, events and threads fail while it says so.
    private final class Fault: Sendable {
        let isOn = Atomic<Bool>(false)
        let told = Mutex<[AudioEngineConfigurationChange]>([])

        func set(_ isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

        private var isThere: Bool { isOn.load(ordering: .relaxed) }

        static let error = SystemError("start thread", code: EAGAIN)

        static let shortage = HostingError.system(SystemError("make a doorbell", code: EMFILE))

        /// Parts that fail: plans, events, rows, supervisors, and the threads of a name.
        func parts(
            plans: Bool = false, event: Bool = false, rows: Bool = false, supervisor: Bool = false, thread: String? = nil
        ) -> EngineParts {
            var parts = EngineParts()
            if rows {
                parts.row = { [self] units, resources throws(HostingError) in
                    guard !isThere else { throw Self.shortage }
                    return try GraphRow(units, resources)
                }
            }
            if supervisor {
                parts.supervisor = { [self] () throws(HostingError) in
                    guard !isThere else { throw Self.shortage }
                    return try Supervisor()
                }
            }
            if plans {
                parts.plan = { [self] graph throws(RenderGraphError) in
                    guard !isThere else { throw .cycle([0]) }
                    return try RenderPlan(graph)
                }
            }
            if event { parts.event = { () throws(SystemError) in throw Self.error } }
            if let thread {
                parts.thread = { [self] name, body throws(SystemError) in
                    guard name != thread || !isThere else { throw Self.error }
                    return try LinuxSystem.Thread(name: name, body)
                }
            }
            return parts
        }

        /// An engine to be rendered offline, whose changes are collected.
        func engine(_ parts: EngineParts) throws -> AudioEngine {
            let engine = AudioEngine(driver: nil, parts: parts)
            try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 4096)
            engine.watchConfiguration { [self] change in told.withLock { $0.append(change) } }
            return engine
        }

        var reasons: [String] {
            told.withLock { $0.compactMap { if case .followUpFailed(let reason) = $0 { reason } else { nil } } }
        }
    }

    private let fault = Fault()

    private func player(_ engine: AudioEngine) throws -> AudioPlayerNode {
        let player = AudioPlayerNode()
        engine.attach(player)
        player.scheduleBuffer(try Sounds.ramp(777), options: .loops)
        player.play()
        return player
    }

    @Test func aPlanThatFollowsAFadeAndFailsIsToldAndTriedAgain() throws {
        let engine = try fault.engine(fault.parts(plans: true))
        let player = try player(engine)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(4800)
        _ = try engine.detach(player).get()
        fault.set(true)
        _ = try engine.render(9600, block: 480)
        let wanted = AudioEngineError.cycle(nodes: [NamedNode(engine.outputNode)])
        #expect(fault.reasons == [wanted.description])
        // It is kept for the next call that throws.
        #expect(throws: wanted) { try engine.edit {} }
        // What has faded is still there, and silent.
        #expect(player.isOwned(by: engine))
        fault.set(false)
        let heard = try engine.render(4800, block: 480)[0]
        #expect(heard.allSatisfy { $0 == 0 } && !player.isOwned(by: engine) && fault.reasons.count == 1)
    }

    @Test func anEditThatWaitsForAFadeHasTheErrorInItsTicket() throws {
        let engine = try fault.engine(fault.parts(plans: true))
        let (player, mixer) = (try player(engine), AudioMixerNode())
        engine.attach(mixer)
        try engine.connect(player, to: mixer)
        try engine.connect(mixer, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(4800)
        // The mixer gets another rate, for which it has to leave.
        let ticket = try engine.connect(
            mixer, to: engine.mainMixerNode, format: AudioFormat(sampleRate: 24_000, channelCount: 2))
        fault.set(true)
        _ = try engine.render(9600, block: 480)
        #expect(ticket.sampleTime == nil && ticket.failure == .cycle(nodes: [NamedNode(engine.outputNode)]))
        fault.set(false)
        let heard = try engine.render(9600, block: 480)[0]
        #expect(ticket.sampleTime != nil && heard.suffix(480).contains { $0 != 0 })
    }

    @Test func anEditWhosePlanFailsIsRefusedAndTheGraphIsAsBefore() throws {
        let engine = try fault.engine(fault.parts(plans: true))
        let player = try player(engine)
        try engine.connect(player, to: engine.mainMixerNode)
        try engine.start()
        let before = try engine.render(777 * 4)[0]
        fault.set(true)
        #expect(throws: AudioEngineError.cycle(nodes: [NamedNode(engine.outputNode)])) {
            try engine.disconnectNodeOutput(player).get()
        }
        #expect(throws: AudioEngineError.cycle(nodes: [NamedNode(engine.outputNode)])) { try engine.detach(player).get() }
        fault.set(false)
        #expect(engine.outputConnectionPoints(for: player, outputBus: 0).count == 1 && player.engine === engine)
        #expect(try engine.render(777 * 4)[0] == before)
    }

    @Test func aNodeOfAnEditThatFailsGivesItsResourcesBack() throws {
        let engine = try fault.engine(fault.parts(plans: true))
        let (player, effect) = (try player(engine), AudioUnitEffect(PluginUnit(try Build.unit("Gain"))))
        try engine.start()
        _ = try engine.render(512)
        fault.set(true)
        #expect(throws: AudioEngineError.cycle(nodes: [NamedNode(engine.outputNode)])) {
            try engine.edit {
                engine.attach(effect)
                try engine.connect(player, to: effect)
                try engine.connect(effect, to: engine.mainMixerNode)
            }
        }
        #expect(effect.body.resources == nil && !effect.isOwned(by: engine))
        fault.set(false)
        let other = try AudioEngine.offline()
        other.attach(effect)
        try other.connect(effect, to: other.mainMixerNode)
        try other.start()
        _ = try other.render(512)
        other.stop()
    }

    @Test func anEngineWithoutAPlanDoesNotStart() throws {
        let engine = try fault.engine(fault.parts(plans: true))
        let player = try player(engine)
        let ticket = try engine.connect(player, to: engine.mainMixerNode)
        fault.set(true)
        #expect(throws: AudioEngineError.cycle(nodes: [NamedNode(engine.outputNode)])) { try engine.start() }
        #expect(!engine.isRunning && ticket.sampleTime == nil)
        fault.set(false)
        try engine.start()
        _ = try engine.render(512)
        #expect(ticket.sampleTime == 0)
    }

    @Test func anEngineWithoutItsThreadDoesNotStart() throws {
        let engine = AudioEngine(
            driver: SteppedDriver(channelCount: 2, maximumFrameCount: 512, sampleRate: Sounds.rate),
            parts: fault.parts(thread: "engine"))
        fault.set(true)
        #expect(throws: AudioEngineError.system(Fault.error)) { try engine.start() }
        #expect(!engine.isRunning)
        fault.set(false)
        try engine.start()
        #expect(engine.isRunning)
        engine.stop()
    }

    @Test func anEngineWithoutAnEventDoesNotStart() throws {
        let driver = SteppedDriver(channelCount: 2, maximumFrameCount: 512, sampleRate: Sounds.rate)
        let engine = AudioEngine(driver: driver, parts: fault.parts(event: true))
        #expect(throws: AudioEngineError.system(Fault.error)) { try engine.start() }
        // By hand nothing has to wake.
        try engine.enableManualRenderingMode(.offline, format: Sounds.format(), maximumFrameCount: 4096)
        try engine.start()
        _ = try engine.render(512)
    }

    /// Attaches a player that leads to two units, and returns the last one.
    private func units(_ engine: AudioEngine) async throws -> AudioNode {
        var last: AudioNode = try player(engine)
        for _ in 0..<2 {
            let unit = AudioUnitEffect(try await PluginUnit.instantiate(try Build.component("Gain")))
            engine.attach(unit)
            try engine.connect(last, to: unit)
            last = unit
        }
        return last
    }

    @Test func rowsThatCannotBeMadeAreToldOnceAndTheirUnitsSoundTheSame() async throws {
        var heard: [[Float]] = []
        for isFailing in [false, true] {
            let engine = try fault.engine(fault.parts(rows: true))
            let last = try await units(engine)
            try engine.connect(last, to: engine.mainMixerNode)
            fault.set(isFailing)
            try engine.start()
            func rowCount() -> Int { engine.state.withLock { $0.playing?.rows.count ?? 0 } }
            heard.append(try engine.render(9600, block: 480)[0])
            #expect(rowCount() == (isFailing ? 0 : 1))
            guard isFailing else { continue }
            let wanted = AudioEngineError.unit(
                node: NamedNode(try #require(engine.allNodes.first { $0 is AudioUnitEffect })), Fault.shortage)
            #expect(fault.reasons == [wanted.description])
            #expect(throws: wanted) { try engine.edit {} }
            // Another plan with the same error tells nothing new; a later one has the row.
            try engine.edit {}
            #expect(fault.reasons.count == 1)
            fault.set(false)
            try engine.edit {}
            #expect(rowCount() == 1 && fault.reasons.count == 1)
        }
        #expect(heard[0] == heard[1] && heard[0].contains { $0 != 0 })
    }

    @Test func unitsWithoutASupervisorSayWhy() async throws {
        let engine = try fault.engine(fault.parts(supervisor: true))
        let last = try await units(engine)
        try engine.connect(last, to: engine.mainMixerNode)
        fault.set(true)
        let error = #expect(throws: AudioEngineError.self) { try engine.start() }
        guard case .unit(let node, let cause) = error else { throw try #require(error) }
        #expect(cause == Fault.shortage && node.node is AudioUnitEffect)
        fault.set(false)
        try engine.start()
        #expect(try engine.render(4800)[0].contains { $0 != 0 })
    }

    @Test func rowsThatCannotBeWiredAreToldHeardAndTriedAgain() async throws {
        let engine = try fault.engine(fault.parts(thread: "wire"))
        let last = try await units(engine)
        try engine.start()
        _ = try engine.render(512)
        fault.set(true)
        // The row comes when all has faded in.
        try engine.connect(last, to: engine.mainMixerNode)
        let heard = try engine.render(48_000, block: 480)[0]
        #expect(fault.reasons == [AudioEngineError.system(Fault.error).description])
        #expect(heard.suffix(480).contains { $0 != 0 })
        fault.set(false)
        func isWired() throws -> Bool {
            _ = try engine.render(480)
            let rows = engine.state.withLock { $0.playing?.rows ?? [] }
            return rows.count == 1 && rows[0].rendered.members.allSatisfy(\.handsOver)
        }
        var isDone = false
        for _ in 0..<100_000 where !isDone {
            isDone = try isWired()
            if !isDone { Futex.pause(microseconds: 500) }
        }
        #expect(isDone && fault.reasons.count == 1)
    }
}
