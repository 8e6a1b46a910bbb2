// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain, or several side by side, whose render call is timed, with its input and output blocks. Control thread.

import AudioGraph
import Console
import Glibc
import LinuxSystem
import PluginHosting
import Realtime
import Rendering

/// The settings that all chains share.
struct ChainMeasure {
    static let sampleRate = 48_000.0
    static let channelCount = 2
    let effects: MeasuredEffects
    let maximumFrameCount: Int
    /// The number of chains side by side; each has all effects.
    var branchCount = 1
    /// True if its threads are counted, which takes time.
    var countsThreads = true
}

/// Units in a row, or several such rows side by side, in their own plan: each branch reads the input, and a mixer adds them.
final class MeasuredChain: Sendable {
    /// The variant; nil in process.
    let variant: MeasureVariant?
    /// The number of effects of each branch.
    let effectCount: Int
    private let engine: AudioEngine
    private let units: [AudioUnitEffect]
    /// The threads; nil if they are not counted.
    let threads: ChainThreads?
    /// The processes of the effects at the start.
    private let processes: [Int32?]
    private let player: PlanPlayer
    // SAFETY: written before the measuring thread starts, and used only by that thread until its end.
    nonisolated(unsafe) private let blocks: UnsafeMutablePointer<ChainBlocks>

    init(_ measure: ChainMeasure, effectCount: Int, _ variant: MeasureVariant?) throws {
        self.variant = variant
        self.effectCount = effectCount
        let isolation = variant?.isolation ?? .inProcess
        var components: [Component] = []
        for index in 0..<effectCount { components.append(try measure.effects.component(at: index)) }
        let indices = (0..<measure.branchCount).flatMap { _ in 0..<effectCount }
        let plan = IsolationPlan(indices.map { (components[$0], measure.effects.isolation(at: $0, isolation)) })
        let units = try plan.instantiate { [components, effects = measure.effects] number in
            try Interruption.check()
            let index = indices[number]
            return try effects.unit(at: index, components[index], plan.residences[number])
        }
        var policy = UnitPolicy()
        // Blocks may follow each other without a pause, so that no unit can sleep.
        policy.workShare = nil
        if let variant { (policy.placement, policy.waiting) = (variant.placement, variant.waiting) }
        let engine = AudioEngine()
        let format = AudioFormat(sampleRate: ChainMeasure.sampleRate, channelCount: ChainMeasure.channelCount)
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: measure.maximumFrameCount)
        engine.setPolicy(policy)
        let nodes = units.map { AudioUnitEffect(PluginUnit($0)) }
        try engine.edit {
            var ends: [AudioConnectionPoint] = []
            for branch in 0..<measure.branchCount {
                var last: AudioNode?
                for node in nodes[(branch * effectCount)..<((branch + 1) * effectCount)] {
                    _ = try engine.attach(node).get()
                    if let last {
                        try engine.connect(last, to: node, format: format)
                    } else {
                        ends.append(AudioConnectionPoint(node: node))
                    }
                    last = node
                }
                // A single chain has no mixer.
                let end: AudioNode = measure.branchCount == 1 ? engine.outputNode : engine.mainMixerNode
                if let last { try engine.connect(last, to: end, format: format) }
            }
            try engine.connect(engine.inputNode, to: ends, fromBus: 0, format: format)
        }
        try engine.start()
        guard let player = engine.player else { throw MeasurementError.unitLost("engine", fault: nil) }
        (self.engine, self.units, self.player) = (engine, nodes, player)
        let members = nodes.compactMap(\.unit.resources)
        threads = measure.countsThreads ? try ChainThreads(of: members) : nil
        processes = members.map(\.unit.processIdentifier)
        blocks = .allocate(capacity: 1)
        blocks.initialize(to: ChainBlocks(measure.maximumFrameCount))
    }

    /// The engine's choice for each branch: a row of units, or each unit by itself.
    var branches: [UnitRow] { engine.rows }

    var members: [UnitResources] { units.compactMap(\.unit.resources) }
    /// Blocks in which a unit missed its deadline, in all branches.
    var missedDeadlineCount: UInt64 { branches.reduce(0) { $0 + $1.missedDeadlineCount } }

    /// True if its units may keep spinning when nothing is rendered.
    var isRestless: Bool { variant.map { $0.placement == .spread && $0.waiting != .futex } ?? false }

    /// A unit that is gone, was restarted, or broke the rules.
    var lostMember: UnitResources? {
        zip(members, processes).first { member, process in
            !member.isPresent || member.unit.processIdentifier != process
                || member.faults.records.contains { !$0.fault.mayComeEachBlock }
        }?.0
    }

    deinit {
        blocks.deinitialize(count: 1)
        blocks.deallocate()
    }

    /// The render call for blocks of `frameCount` frames; valid while this chain lives.
    func probe(frameCount: Int) -> ChainProbe {
        ChainProbe(callback: player.callback, blocks: blocks, frameCount: frameCount)
    }
}

/// The buffers of a chain.
struct ChainBlocks: ~Copyable {
    let input, output: AudioBuffer
    var sampleTime: Int64 = 0

    init(_ maximumFrameCount: Int) {
        input = AudioBuffer(channelCount: ChainMeasure.channelCount, frameCapacity: maximumFrameCount)
        output = AudioBuffer(channelCount: ChainMeasure.channelCount, frameCapacity: maximumFrameCount)
        let block = input.block(frameCount: maximumFrameCount)
        for channel in 0..<block.channelCount {
            for frame in 0..<maximumFrameCount { block[channel][frame] = 0.25 * sinf(Float(frame) * 0.05) }
        }
    }
}
