// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A saboteur among honest units, another chain beside theirs, and the output of both. Test thread.

import LinuxSystem
import Realtime
import Rendering
import RenderingTestSupport
import TestSupport

@testable import PluginHosting

/// The unit that breaks the rules.
enum Culprit: String {
    /// It breaks the rules of the protocol.
    case saboteur = "Saboteur"
    /// It uses the SDK for what a plug-in must not do.
    case misbehaver = "Misbehaver"

    /// The parameter that distinguishes its output from its input, and its value.
    var setting: (keyPath: String, value: Double) { self == .saboteur ? ("depth", SabotageScene.depth) : ("gain", 0.5) }
}

/// Two rows with the same input: a culprit between two honest units, or behind them, and a single honest unit.
///
/// They play without a clock, with deadlines so late that no honest unit misses one, even on a busy machine.
final class SabotageScene {
    enum Place: String {
        case middle, last

        static let both: [Place] = [.middle, .last]
    }

    static let blockLength = 2048
    static let depth = 50.0
    /// The units have 178 ms for a block of 43 ms, and are judged soon.
    static let policy: UnitPolicy = {
        var policy = UnitPolicy()
        policy.deadlineShare = 5
        policy.hangMilliseconds = 300
        policy.invalidMilliseconds = 300
        return policy
    }()

    private let allocated: AllocatedRow
    private let allocatedBeside: AllocatedRow
    var row: UnitRow { allocated.row }
    private let tape = Tape(capacity: 1 << 21)
    private let otherTape = Tape(capacity: 1 << 21)
    private let player = PlanPlayer()
    private let output = AudioBuffer(channelCount: 1, frameCapacity: blockLength)
    private let silence = AudioBuffer(channelCount: 0, frameCapacity: blockLength)
    private let index: Int
    private let who: Culprit
    private(set) var blockCount = 0

    /// Builds the scene.
    ///
    /// With a render core, the calling thread is bound to it and the units run on the other processors. That thread then spins
    /// for their replies instead of sleeping.
    init(
        _ place: Place = .middle, _ who: Culprit = .saboteur, policy: UnitPolicy = policy, lookingOn renderCore: Int? = nil
    ) throws {
        var policy = policy
        if renderCore != nil { (policy.placement, policy.waiting) = (.spread, .spin) }
        self.who = who
        index = place == .middle ? 1 : 2
        let culprit = try Build.unit(who.rawValue)
        try culprit.set(who.setting.keyPath, to: who.setting.value)
        let neighbour = try Build.unit("Tremolo")
        try neighbour.set("depth", to: Self.depth)
        var units = [try Build.unit("Misbehaver"), try Build.unit("Misbehaver")]
        // The absence of any unit must be audible.
        try units[0].set("gain", to: -1)
        units.insert(culprit, at: index)
        let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: Self.blockLength, channelCount: 1)
        allocated = try AllocatedRow(units.map { BenchUnit($0) }, format: format, policy: policy)
        allocatedBeside = try AllocatedRow([BenchUnit(neighbour)], format: format, policy: policy)
        let (row, other) = (allocated.row, allocatedBeside.row)
        if let renderCore {
            for row in [row, other] { row.place(processor: renderCore, below: .ordinary) }
        }
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: Self.blockLength)
        let source = builder.add(source: Samples([DeathTests.sine]).player(isLooping: true))
        let beside = builder.add(other, after: source)
        _ = builder.add(otherTape, after: beside)
        let wet = builder.add(row, after: source)
        let recorded = builder.add(tape, after: wet)
        player.play(builder.plan(output: recorded))
    }

    var culprit: UnitResources { row.members[index] }
    var neighbours: [UnitResources] { row.members.indices.filter { $0 != index }.map { row.members[$0] } }

    func render(_ count: Int = 1) {
        for _ in 0..<count {
            player.render(
                RenderCycle(
                    sampleTime: Int64(blockCount * Self.blockLength), hostTime: MonotonicClock.now(), sampleRate: 48_000,
                    transport: Transport(), isOffline: false, inputs: silence.block(frameCount: Self.blockLength),
                    outputs: output.block(frameCount: Self.blockLength)))
            blockCount += 1
        }
    }

    /// Whether the culprit has the settings of its last process.
    var isSetAsBefore: Bool {
        get throws(HostingError) { try culprit.unit.saveState().values[who.setting.keyPath] == who.setting.value }
    }

    /// Renders a block after each `pause` milliseconds until `condition` holds; false if it did not within `milliseconds`.
    func play(milliseconds: Int, pause: UInt32 = 5, until condition: () -> Bool) -> Bool {
        waitUntil(milliseconds: milliseconds) {
            render()
            Futex.pause(microseconds: pause * 1000)
            return condition()
        }
    }

    /// Renders a block after each 5 ms for so many milliseconds.
    func play(forMilliseconds milliseconds: Int) {
        _ = Patience.never(milliseconds: milliseconds) {
            render()
            Futex.pause(microseconds: 5000)
            return false
        }
    }

    // MARK: Output and expected output

    var heard: [Float] { tape.samples }
    var heardBeside: [Float] { otherTape.samples }

    private var input: [Float] {
        let sine = DeathTests.sine
        return (0..<blockCount * Self.blockLength).map { sine[$0 % sine.count] }
    }

    /// The expected output of the other row, bit by bit.
    var expectedBeside: [Float] {
        var model = TremoloModel(depth: Self.depth)
        return model.process([input])[0]
    }

    /// The expected output of the culprit's row without a fault: inverted.
    var expected: [Float] { who == .saboteur ? expectedBeside.map { -$0 } : input.map { $0 * -0.5 } }
    /// The same without the culprit.
    var dry: [Float] { input.map { -$0 } }
}
