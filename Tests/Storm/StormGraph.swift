// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sixteen effects in four branches of different shapes, some of them measured. Control thread.

import HostingTestSupport
import LinuxSystem
import PluginHosting
import Realtime
import Rendering
import TestSupport

/// The graph that the storm strikes.
///
/// | branch | | | --- | --- | | 0 | one chain of six units that misbehave on command; each rings the next | | 1 | three chains of
/// one unit each | | 2 | one chain of three real effects | | 3 | two chains of two units: one breaks the protocol on command, the
/// other misbehaves |
final class StormGraph {
    static let branches: [[[String]]] = [
        [["Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver", "Misbehaver"]],
        [["Misbehaver"], ["Misbehaver"], ["Misbehaver"]],
        [["Filter", "Delay", "Reverb"]],
        [["Misbehaver", "Saboteur"], ["Saboteur", "Misbehaver"]],
    ]

    let player = PlanPlayer()
    private(set) var chains: [UnitChain] = []
    /// The measurements of each chain whose units keep the shape of their input.
    private(set) var ears: [StepEar] = []
    private let output = PeakEar()

    var members: [ChainMember] { chains.flatMap(\.members) }
    var peak: Float { output.peak }

    init(_ options: StormOptions) throws {
        // PipeWire begins with a quantum of its own choice.
        let (sampleRate, maximumFrameCount) = (48_000.0, 8192)
        let format = ChainFormat(sampleRate: sampleRate, maximumFrameCount: maximumFrameCount, channelCount: 2)
        var policy = ChainPolicy()
        // Units die many times a minute in a storm, so none is given up.
        (policy.restartBudget, policy.failureBudget) = (.max, .max)
        policy.firstPauseMilliseconds = 0
        policy.hangMilliseconds = 200
        policy.invalidMilliseconds = 200
        if options.isPipelined { policy = policy.pipelined(frameCount: options.quantum) }
        if options.isCareless { (policy.deadlineShare, policy.ceiling) = (20, nil) }
        var builder = RenderPlanBuilder(channelCount: 2, maximumFrameCount: maximumFrameCount)
        var ends: [Signal] = []
        for (number, branch) in Self.branches.enumerated() {
            var signal = builder.add(source: Self.sine(110 * Double(number + 1), sampleRate))
            for names in branch {
                let units = try Self.units(names, options.isolation)
                let chain = try UnitChain(units.map { ChainLink($0) }, format: format, policy: policy)
                chains.append(chain)
                let listens = names.allSatisfy { $0 == "Misbehaver" }
                let ear = StepEar(unitCount: names.count)
                if listens { ears.append(ear) }
                let before = listens ? builder.add(ear.before, after: signal) : signal
                let wet = builder.add(chain, after: before)
                signal = listens ? builder.add(ear.after, after: wet) : wet
            }
            ends.append(signal)
        }
        let mixer = Mixer(inputCount: ends.count)
        let mix = builder.add(mixer, of: ends)
        let heard = builder.add(output, after: mix)
        player.play(builder.plan(output: heard))
    }

    /// Starts units; every other one inverts the signal, so that its absence is audible.
    private static func units(_ names: [String], _ isolation: IsolationPolicy) throws -> [HostedUnit] {
        let units = try Build.units(names.map { ($0, isolation) })
        for (number, unit) in units.enumerated() where names[number] == "Misbehaver" && number % 2 == 0 {
            try unit.set("gain", to: -0.9)
        }
        return units
    }

    private static func sine(_ frequency: Double, _ sampleRate: Double) -> SamplePlayer {
        let channel = (0..<Int(sampleRate)).map { Float(0.25 * Maths.sin(2 * .pi * frequency * Double($0) / sampleRate)) }
        return Samples([channel, channel]).player(isLooping: true)
    }

    /// Puts the units on the processor of the thread that renders them, below its rank, and returns that processor.
    ///
    /// With PipeWire it is the daemon's last processor. The threads that stay away from it have the others, where the daemon
    /// would otherwise be delayed.
    func place(with thread: Int32?, isPipeWire: Bool) -> Int? {
        let daemons = isPipeWire ? Scheduling.processors(ofThread: 0).max() : nil
        let processor = daemons ?? thread.flatMap { Scheduling.lastProcessor(ofThread: $0) }
        if let thread, let processor {
            try? Scheduling.setProcessors([processor], ofThread: thread)
            Scheduling.keep(thread: Scheduling.currentThread, off: processor)
        }
        let rank = thread.flatMap { Scheduling.schedulingClass(ofThread: $0) } ?? .ordinary
        for chain in chains { chain.place(processor: processor, below: rank) }
        return processor
    }

    func waitUntilWhole(milliseconds: Int) -> Bool { chains.allSatisfy { $0.waitUntilReady(milliseconds: milliseconds) } }

    /// Whether every unit has come back from all its faults.
    var hasRecovered: Bool { members.allSatisfy { $0.faults.records.allSatisfy { $0.recoveredAfterCycles != nil } } }

    /// Frees the chains.
    ///
    /// No driver plays them any more.
    func tearDown() {
        for chain in chains { chain.tearDown() }
    }
}
