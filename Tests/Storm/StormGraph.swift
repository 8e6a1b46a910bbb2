// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The graph of a storm, on an engine: branches of units with ears around them, into one mixer, edited while it plays. Main thread.

import AudioGraph
import HostingTestSupport
import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import TestSupport

final class StormGraph {
    static let branches: [[[String]]] = [
        [["Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver"]],
        [["Misbehaver"], ["Misbehaver"], ["Misbehaver"]],
        [["Filter", "Delay", "Reverb"]],
        [["Misbehaver", "Saboteur"], ["Saboteur", "Misbehaver"]],
    ]

    /// Units that follow each other, between two nodes that stay where they are.
    private struct Stretch {
        let before, after: AudioNode
        var nodes: [AudioNode]
        var isHeard = false
    }

    let driver: any AudioDriver
    private let engine: AudioEngine
    private var stretches: [Stretch] = []
    private var units: [AudioUnitEffect] = []
    /// The measurements of each stretch whose units keep the shape of their input.
    private(set) var ears: [StepEar] = []
    private let output = PeakEar()
    /// The edits so far.
    private(set) var editCount = 0
    private let format = AudioFormat(sampleRate: 48_000, channelCount: 2)

    var members: [UnitResources] { units.compactMap(\.unit.resources) }
    var peak: Float { output.peak }

    init(_ options: StormOptions) throws {
        driver = options.driver
        engine = AudioEngine(driver: driver)
        // A driver that fails is a failure of the storm.
        engine.ring(try EventDescriptor())
        var policy = UnitPolicy()
        // Units die many times a minute in a storm, so none is given up.
        (policy.restartBudget, policy.failureBudget) = (.max, .max)
        policy.firstPauseMilliseconds = 0
        policy.hangMilliseconds = 200
        policy.invalidMilliseconds = 200
        if options.isCareless { (policy.deadlineShare, policy.ceiling) = (20, nil) }
        engine.setPolicy(policy, isPipelined: options.isPipelined)
        try engine.awaitRate()
        let end = AudioRenderNode(output, name: "Ear")
        try attach(end)
        try engine.edit {
            try engine.connect(engine.mainMixerNode, to: end, format: format)
            try engine.connect(end, to: engine.outputNode, format: format)
            for (number, branch) in Self.branches.enumerated() {
                try build(branch, from: try sine(110 * Double(number + 1)), options.isolation)
            }
        }
        try engine.start()
    }

    private func attach(_ node: AudioNode) throws { _ = try engine.attach(node).get() }

    private func build(_ branch: [[String]], from source: AudioNode, _ isolation: IsolationPolicy) throws {
        var last = source
        for names in branch {
            let listens = names.allSatisfy { $0 == "Misbehaver" }
            let ear = StepEar(unitCount: names.count)
            if listens { ears.append(ear) }
            let before = listens ? AudioRenderNode(ear.before, name: "Ear") : last
            let after: AudioNode = listens ? AudioRenderNode(ear.after, name: "Ear") : AudioMixerNode()
            if listens {
                try attach(before)
                try engine.connect(last, to: before, format: format)
            }
            try attach(after)
            let nodes = try Self.units(names, isolation).map { AudioUnitEffect(PluginUnit($0)) }
            for node in nodes { try attach(node) }
            units += nodes
            stretches.append(Stretch(before: before, after: after, nodes: nodes))
            try connect(stretches.count - 1)
            last = after
        }
        try engine.connect(last, to: engine.mainMixerNode, format: format)
    }

    private func connect(_ index: Int) throws {
        let stretch = stretches[index]
        var last = stretch.before
        for node in stretch.nodes + [stretch.after] {
            try engine.connect(last, to: node, fromBus: 0, toBus: 0, format: format)
            last = node
        }
    }

    /// Starts units; every other one inverts the signal, so that its absence is audible.
    private static func units(_ names: [String], _ isolation: IsolationPolicy) throws -> [HostedUnit] {
        let units = try Build.units(names.map { ($0, isolation) })
        for (number, unit) in units.enumerated() where names[number] == "Misbehaver" && number % 2 == 0 {
            try unit.set("gain", to: -0.9)
        }
        return units
    }

    private func sine(_ frequency: Double) throws -> AudioPlayerNode {
        let node = AudioPlayerNode()
        try attach(node)
        guard let buffer = AudioPCMBuffer(pcmFormat: format, frameCapacity: Int(format.sampleRate)) else {
            throw TestFailure("There is no memory for a second of sound.")
        }
        buffer.frameLength = Int(format.sampleRate)
        for channel in 0..<2 {
            for frame in 0..<buffer.frameLength {
                let phase = 2 * .pi * frequency * Double(frame) / format.sampleRate
                buffer.samples[channel][frame] = Float(0.25 * Maths.sin(phase))
            }
        }
        node.scheduleBuffer(buffer, options: .loops)
        node.play()
        return node
    }

    /// Makes one edit: two units of a stretch change places, or a mixer comes between two units or goes.
    ///
    /// The units keep their resources, and sound on.
    func edit(using random: inout SeededRandom) throws {
        let index = Int.random(in: stretches.indices, using: &random)
        var gone: AudioNode?
        let nodes = stretches[index].nodes
        if let mixer = nodes.firstIndex(where: { $0 is AudioMixerNode }) {
            gone = stretches[index].nodes.remove(at: mixer)
        } else if nodes.count > 1, Bool.random(using: &random) {
            let first = Int.random(in: 0..<(nodes.count - 1), using: &random)
            stretches[index].nodes.swapAt(first, first + 1)
        } else {
            stretches[index].nodes.insert(AudioMixerNode(), at: Int.random(in: 0...nodes.count, using: &random))
        }
        try engine.edit {
            for node in stretches[index].nodes where node is AudioMixerNode { try attach(node) }
            try connect(index)
            if let gone { _ = try engine.detach(gone).get() }
        }
        editCount += 1
    }

    var player: PlanPlayer { engine.player ?? PlanPlayer() }

    /// Puts the driver's thread where the storm measures, and returns that processor; the units follow.
    ///
    /// With PipeWire it is the daemon's last processor. The threads that stay away from it have the others, where the daemon
    /// would otherwise be delayed.
    func place(isPipeWire: Bool) -> Int? {
        let thread = driver.renderThreadIdentifier
        let daemons = isPipeWire ? Scheduling.processors(ofThread: 0).max() : nil
        let processor = daemons ?? thread.flatMap { Scheduling.lastProcessor(ofThread: $0) }
        if let thread, let processor {
            try? Scheduling.setProcessors([processor], ofThread: thread)
            Scheduling.keep(thread: Scheduling.currentThread, off: processor)
        }
        return processor
    }

    /// Waits until every unit is ready; false after the time is up.
    func waitUntilWhole(milliseconds: Int) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(milliseconds) * 1_000_000
        while !members.allSatisfy(\.isPresent) {
            guard MonotonicClock.now() < deadline else { return false }
            Futex.pause(microseconds: 1000)
        }
        return true
    }

    /// Whether every unit has come back from all its faults.
    var hasRecovered: Bool { members.allSatisfy { $0.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } } }

    /// Stops the driver; the units keep what they have met.
    func pause() { engine.pause() }

    /// Frees the units' resources.
    func tearDown() { engine.stop() }
}
