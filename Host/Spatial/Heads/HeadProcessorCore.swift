// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Takes a source from its connection to the voice that a head hears. Render thread.

import Realtime
import Rendering
import Synchronization

/// The render state of a connection that a head hears.
struct HeadProcessorCore {
    /// The target that any thread sets.
    struct Target: ~Copyable {
        private let side = Atomic<UInt64>(0)
        private let depth = Atomic<UInt64>(0)
        private let cutoff = Atomic<UInt32>(Float.infinity.bitPattern)

        /// `[any]` Sets the target.
        func set(_ target: HeadTarget, cutoffHertz: Float) {
            // Relaxed: each word stands for itself, and a cycle between the stores glides towards a place between two positions.
            side.store(Self.packed(target.place.x, target.place.y), ordering: .relaxed)
            depth.store(Self.packed(target.place.z, target.gain), ordering: .relaxed)
            cutoff.store(cutoffHertz.bitPattern, ordering: .relaxed)
        }

        @_noLocks
        func load() -> (target: HeadTarget, cutoffHertz: Float) {
            // Relaxed: as above.
            let (side, depth) = (side.load(ordering: .relaxed), depth.load(ordering: .relaxed))
            let place = SIMD3<Float>(Self.first(side), Self.second(side), Self.first(depth))
            return (
                HeadTarget(place: place, gain: Self.second(depth)), Float(bitPattern: cutoff.load(ordering: .relaxed))
            )
        }

        private static func packed(_ first: Float, _ second: Float) -> UInt64 {
            UInt64(first.bitPattern) << 32 | UInt64(second.bitPattern)
        }

        @_noLocks
        private static func first(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)) }

        @_noLocks
        private static func second(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word)) }
    }

    static let scratchBlockCount = 2

    private let target: UnsafeMutablePointer<Target>
    var voice: HeadVoice
    private var lowPass = PointLowPass()

    init(target: UnsafeMutablePointer<Target>, voice: HeadVoice) { (self.target, self.voice) = (target, voice) }

    /// True if the source would still be heard if it were silent from now on.
    var isRinging: Bool {
        @_noLocks get { lowPass.isRinging || voice.isRinging }
    }

    /// Adds the source to the sum of the mixer, if that has one for this head.
    @_noLocks
    mutating func process(_ call: ConnectionCall) {
        guard let sum = call.sum?.assumingMemoryBound(to: SceneSum.Core.self),
            let field = sum.pointee.heads.pointee.field(voice.transformSize), call.frameCount <= HeadField.mostFrames
        else { return }
        let wanted = target.pointee.load()
        let glide = call.isUnheard ? 0 : call.glideFrameCount
        if call.isUnheard { lowPass.forget() }
        lowPass.aim(at: wanted.cutoffHertz, sampleRate: call.sampleRate, over: glide)
        let isSilent = call.input.isSilent && !lowPass.isRinging || call.input.block.channelCount == 0
        if isSilent { lowPass.advance(by: call.frameCount) } else { writePoint(call) }
        voice.aim(at: wanted.target, glideFrameCount: glide)
        voice.process(isSilent ? nil : UnsafePointer(call.scratchBlock(0)), call.frameCount, into: field)
    }

    /// Writes the mean of the channels behind the obstacles, at the gain of the connection.
    @_noLocks
    private mutating func writePoint(_ call: ConnectionCall) {
        let (point, gains) = (call.scratchBlock(0), call.scratchBlock(1))
        call.input.block.writeMean(to: point)
        lowPass.filter(point, call.frameCount)
        var unity = SmoothedValue(1)
        call.writeGains(times: &unity, to: gains)
        for frame in 0..<call.frameCount { point[frame] *= gains[frame] }
    }
}
