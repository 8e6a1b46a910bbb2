// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row that plays in real time, with a tape that records its output.

import AudioUnits
import CRealtimeShims
import LinuxSystem
import Realtime
import Rendering
import RenderingTestSupport
import Synchronization

@testable import PluginHosting

/// A node that passes its input on and records its first channel until the tape is full.
final class Tape: RenderNode {
    struct Core: ~Copyable {
        let samples: UnsafeMutablePointer<Float>
        let capacity: Int
        let count = Atomic<Int>(0)

        deinit { samples.deallocate() }
    }

    // SAFETY: the render thread writes samples and then the count; readers read only what lies below the count.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<Core>

    init(capacity: Int) {
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        samples.initialize(repeating: 0, count: capacity)
        core = .allocate(capacity: 1)
        core.initialize(to: Core(samples: samples, capacity: capacity))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// What has been recorded so far.
    var samples: [Float] {
        Array(UnsafeBufferPointer(start: core.pointee.samples, count: core.pointee.count.load(ordering: .acquiring)))
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            Tape.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        let core = context.assumingMemoryBound(to: Core.self)
        call.output.copy(from: call.input)
        let position = core.pointee.count.load(ordering: .relaxed)
        let count = min(call.input.frameCount, core.pointee.capacity - position)
        CRealtimeShims_copySamples(core.pointee.samples + position, call.input[0], count)
        // Release: a thread that reads this count sees the samples.
        core.pointee.count.store(position + count, ordering: .releasing)
    }
}

/// A row under the null driver.
final class Stage: Sendable {
    static let sampleRate = 48_000.0
    private let allocated: AllocatedRow
    var row: UnitRow { allocated.row }
    let player = PlanPlayer()
    let tape: Tape
    let driver: NullDriver
    private let quantum: Int

    /// Loops `input` through a row of these units, which are set to `gain` if it is given.
    init(
        _ units: [HostedUnit], input: [Float], quantum: Int = 128, seconds: Double = 20, policy: UnitPolicy = UnitPolicy()
    ) throws {
        self.quantum = quantum
        allocated = try AllocatedRow(
            units.map { BenchUnit($0) },
            format: BlockFormat(sampleRate: Self.sampleRate, maximumFrameCount: quantum, channelCount: 1), policy: policy)
        tape = Tape(capacity: Int(seconds * Self.sampleRate))
        driver = NullDriver(channelCount: 1, quantum: quantum, sampleRate: Self.sampleRate)
        var builder = RenderPlanBuilder(channelCount: 1, maximumFrameCount: quantum)
        let source = builder.add(source: Samples([input]).player(isLooping: true))
        let wet = builder.add(allocated.row, after: source)
        let recorded = builder.add(tape, after: wet)
        player.play(builder.plan(output: recorded))
    }

    /// Starts the driver and ranks the units below it where the system allows; all run on `processor` if it is given.
    func start(processor: Int? = nil, isRanked: Bool = true) throws {
        try driver.start(player.callback)
        if let processor, let thread = driver.renderThreadIdentifier {
            try Scheduling.setProcessors([processor], ofThread: thread)
        }
        row.place(processor: processor, below: isRanked ? SchedulingClass(realtimePriority: 80) : .ordinary)
        _ = waitUntil(milliseconds: 2000) { self.player.statistics.cycles > 20 }
    }

    func stop() { driver.stop() }

    deinit { driver.stop() }

    func pause(milliseconds: Int) { Futex.pause(microseconds: UInt32(milliseconds * 1000)) }

    /// Whether threads may have real-time ranks here.
    ///
    /// Without ranks deadlines cannot be tested.
    static var hasRealtimeRanks: Bool {
        let isGranted = (try? Scheduling.set(SchedulingClass(realtimePriority: 1), ofThread: 0)) != nil
        try? Scheduling.set(.ordinary, ofThread: 0)
        return isGranted
    }
}
