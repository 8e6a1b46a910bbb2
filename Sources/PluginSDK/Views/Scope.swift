// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The latest sound of a unit, which its render thread writes while a view looks. Render thread and the view's thread.

import Realtime
import Synchronization

/// The sound that passes through a unit, for a view to draw.
///
/// `[view]` Averages all channels of the bus.
public struct Scope {
    enum Side { case input, output }

    private let scopes: Scopes
    private let side: Side

    init(_ scopes: Scopes, _ side: Side) { (self.scopes, self.side) = (scopes, side) }

    /// The most frames that `latest` returns.
    public static let longestFrameCount = Scopes.frameCount / 2

    /// The sample rate in hertz.
    public var sampleRate: Double { scopes.sampleRate }

    /// The number of frames that have passed since a view was first opened.
    public var frameCount: Int { scopes.written }

    /// The latest `count` frames, the newest last; zeros where fewer have passed.
    public func latest(_ count: Int) -> [Float] { scopes.latest(min(max(0, count), Self.longestFrameCount), side) }
}

/// The rings that the render thread writes.
final class Scopes: @unchecked Sendable {
    // SAFETY: the render thread alone writes the rings; a reader copies, and then looks whether it was overtaken.
    /// A power of two.
    static let frameCount = 1 << 15

    /// The part that the render thread uses, at one address.
    struct Core: ~Copyable {
        /// The number of views that look: one, or two while a new one replaces another.
        let watcherCount = Atomic<Int>(0)
        /// The number of frames that have been written.
        let written = Atomic<Int>(0)
        let input: UnsafeMutablePointer<Float>
        let output: UnsafeMutablePointer<Float>
        /// For each key of MIDI, the channels that hold it and the number of strokes.
        let keys: UnsafeMutablePointer<Atomic<UInt32>>
    }

    let core: UnsafeMutablePointer<Core>
    /// The sample rate in hertz without render resources.
    static let restingSampleRate = 48_000.0
    private let rate = Atomic<UInt64>(restingSampleRate.bitPattern)

    init() {
        core = .allocate(capacity: 1)
        let (input, output) = (Self.ring(), Self.ring())
        core.initialize(to: Core(input: input, output: output, keys: Self.makeKeys()))
    }

    deinit {
        core.pointee.input.deallocate()
        core.pointee.output.deallocate()
        core.pointee.keys.deinitialize(count: Self.keyCount)
        core.pointee.keys.deallocate()
        core.deinitialize(count: 1)
        core.deallocate()
    }

    private static func ring() -> UnsafeMutablePointer<Float> {
        let ring = UnsafeMutablePointer<Float>.allocate(capacity: frameCount)
        ring.initialize(repeating: 0, count: frameCount)
        return ring
    }

    var sampleRate: Double {
        get { Double(bitPattern: rate.load(ordering: .relaxed)) }
        set { rate.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Begins to watch for a view: nothing is written without one.
    func watch() { core.pointee.watcherCount.add(1, ordering: .relaxed) }

    /// Ends the watch of a view.
    func unwatch() { core.pointee.watcherCount.subtract(1, ordering: .relaxed) }

    var written: Int { core.pointee.written.load(ordering: .acquiring) }

    func latest(_ count: Int, _ side: Scope.Side) -> [Float] {
        let ring = side == .input ? core.pointee.input : core.pointee.output
        for _ in 0..<4 {
            // Acquire: the frames up to here are complete.
            let end = core.pointee.written.load(ordering: .acquiring)
            let frames = (end - count..<end).map { $0 < 0 ? 0 : ring[$0 & (Self.frameCount - 1)] }
            atomicMemoryFence(ordering: .acquiring)
            // Half of the ring is ahead of the writer, so a reader is overtaken only if it has slept.
            if core.pointee.written.load(ordering: .relaxed) - end < Self.frameCount / 2 { return frames }
        }
        return [Float](repeating: 0, count: count)
    }
}

extension Scopes.Core {
    /// `[render]` Writes a block that has been rendered, if a view looks.
    @inline(__always) @_noLocks
    func record(_ input: UnsafeMutablePointer<AudioBlock>?, _ output: UnsafeMutablePointer<AudioBlock>?) {
        if watcherCount.load(ordering: .relaxed) > 0 { write(input, output) }
    }

    @inline(never) @_noLocks
    private func write(_ source: UnsafeMutablePointer<AudioBlock>?, _ result: UnsafeMutablePointer<AudioBlock>?) {
        let start = written.load(ordering: .relaxed)
        let frames = result?.pointee.frameCount ?? source?.pointee.frameCount ?? 0
        Self.average(source, into: input, from: start, frames)
        Self.average(result, into: output, from: start, frames)
        // Release: the frames are complete.
        written.store(start &+ frames, ordering: .releasing)
    }

    /// Writes the average of all channels; silence where there are none, or fewer frames.
    @_noLocks
    private static func average(
        _ block: UnsafeMutablePointer<AudioBlock>?, into ring: UnsafeMutablePointer<Float>, from start: Int, _ frames: Int
    ) {
        let mask = (1 << 15) &- 1
        let channels = block?.pointee.channelCount ?? 0
        let share = channels > 0 ? 1 / Float(channels) : 0
        for frame in 0..<frames {
            var sum: Float = 0
            if let block, frame < block.pointee.frameCount {
                for channel in 0..<channels { sum += block.pointee.channels[channel][frame] }
            }
            ring[(start &+ frame) & mask] = sum * share
        }
    }
}
