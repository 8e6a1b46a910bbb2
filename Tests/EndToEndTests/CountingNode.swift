// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes that play numbers and read them again: a frame that is lost on the way is seen. Test thread, and the render thread.

import Glibc
import PipeWireIO
import Rendering
import Synchronization

/// What the two nodes share with the test.
private struct Counts: ~Copyable {
    /// The number that the player plays next, and the one that the listener expects; each belongs to its render thread.
    var next: Int = 0
    var expected: Int = 0
    let gaps = Atomic<Int>(0)
    let silentFrames = Atomic<Int>(0)
    let soundingFrames = Atomic<Int>(0)
}

/// The numbers from 1 to this follow each other, as multiples of `step`; silence is none of them.
private var highest: Int { @_noLocks get { 1000 } }
private var step: Float { @_noLocks get { 1 / 4096 } }

/// A player of numbers on the right channel, or a listener to them.
final class CountingNode: @unchecked Sendable {
    // SAFETY: the render thread of one driver has the memory while it runs; the test reads the atomics alone.
    private let counts: UnsafeMutablePointer<Counts>
    private let driver: PipeWireDriver

    /// Plays numbers to a sink.
    init(playingTo sink: String, in session: PrivatePipeWire) throws {
        var configuration = PipeWireConfiguration(nodeName: "counting-player", description: "Counting player", kind: .playback)
        (configuration.socketPath, configuration.sink) = (session.socketPath, .named(sink))
        // A device that has just come may not be listed yet.
        configuration.awaitsSink = true
        (driver, counts) = (PipeWireDriver(configuration), Self.allocate())
        try driver.start(RenderCallback(function: playNumbers, context: UnsafeMutableRawPointer(counts)))
    }

    /// Hears what a sink plays, or what a source gives.
    init(hearing source: String, in session: PrivatePipeWire) throws {
        var configuration = PipeWireConfiguration(
            nodeName: "counting-listener", description: "Counting listener", kind: .filter, outputChannelCount: 0,
            inputChannelCount: 2)
        (configuration.socketPath, configuration.source) = (session.socketPath, .named(source))
        (driver, counts) = (PipeWireDriver(configuration), Self.allocate())
        try driver.start(RenderCallback(function: hearNumbers, context: UnsafeMutableRawPointer(counts)))
    }

    private static func allocate() -> UnsafeMutablePointer<Counts> {
        let counts = UnsafeMutablePointer<Counts>.allocate(capacity: 1)
        counts.initialize(to: Counts())
        return counts
    }

    deinit {
        driver.stop()
        counts.deinitialize(count: 1)
        counts.deallocate()
    }

    /// How often the numbers did not go on: they jumped, or fell silent.
    var gaps: Int { counts.pointee.gaps.load(ordering: .relaxed) }
    var silentFrames: Int { counts.pointee.silentFrames.load(ordering: .relaxed) }
    var soundingFrames: Int { counts.pointee.soundingFrames.load(ordering: .relaxed) }
    var quantum: Int { driver.status.quantum }
    var sampleRate: Double { driver.status.sampleRate }
}

@_noLocks
private func playNumbers(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    guard let context, let cycle else { return }
    let counts = context.assumingMemoryBound(to: Counts.self)
    let request = cycle.assumingMemoryBound(to: RenderCycle.self).pointee
    for frame in 0..<request.frameCount where request.outputs.channelCount > 1 {
        request.outputs[0][frame] = 0
        request.outputs[1][frame] = Float(1 + counts.pointee.next % highest) * step
        counts.pointee.next += 1
    }
}

@_noLocks
private func hearNumbers(_ context: UnsafeMutableRawPointer?, _ cycle: UnsafeRawPointer?) {
    guard let context, let cycle else { return }
    let counts = context.assumingMemoryBound(to: Counts.self)
    let request = cycle.assumingMemoryBound(to: RenderCycle.self).pointee
    for frame in 0..<request.frameCount where request.inputs.channelCount > 1 {
        let number = Int(request.inputs[1][frame] / step + 0.5)
        let expected = counts.pointee.expected
        if number == 0 {
            if expected != 0 { counts.pointee.gaps.add(1, ordering: .relaxed) }
            counts.pointee.silentFrames.add(1, ordering: .relaxed)
            counts.pointee.expected = 0
            continue
        }
        if expected != 0, number != expected { counts.pointee.gaps.add(1, ordering: .relaxed) }
        counts.pointee.soundingFrames.add(1, ordering: .relaxed)
        counts.pointee.expected = number % highest + 1
    }
}
