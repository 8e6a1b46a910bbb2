// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Holds the render state of an equal-power panner: gliding gains and a low pass. Render thread.

import Realtime
import Rendering
import Synchronization

/// Gains that glide to the last set values, and the filter of the averaged channels.
struct EqualPowerPannerCore {
    /// The gains that any thread sets.
    struct Shared: ~Copyable {
        /// Both gains in one word, because they belong together.
        private let sides = Atomic<UInt64>(0)
        /// The gain of channels that go through, and the cutoff.
        private let rest = Atomic<UInt64>(0)
        private let passesChannels = Atomic<Bool>(false)

        /// `[any]` Sets all gains.
        func set(_ gains: PannerGains) {
            // Relaxed: each word stands for itself, and a cycle between the stores glides towards values of either position.
            sides.store(Self.packed(gains.left, gains.right), ordering: .relaxed)
            rest.store(Self.packed(gains.through, gains.cutoffHertz), ordering: .relaxed)
            passesChannels.store(gains.passesChannels, ordering: .relaxed)
        }

        @_noLocks
        func load() -> PannerGains {
            // Relaxed: as above.
            let (sides, rest) = (sides.load(ordering: .relaxed), rest.load(ordering: .relaxed))
            var gains = PannerGains()
            (gains.left, gains.right) = (Self.first(sides), Self.second(sides))
            (gains.through, gains.cutoffHertz) = (Self.first(rest), Self.second(rest))
            gains.passesChannels = passesChannels.load(ordering: .relaxed)
            return gains
        }

        private static func packed(_ first: Float, _ second: Float) -> UInt64 {
            UInt64(first.bitPattern) << 32 | UInt64(second.bitPattern)
        }

        @_noLocks
        private static func first(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word >> 32)) }

        @_noLocks
        private static func second(_ word: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word)) }
    }

    static let scratchBlockCount = 3

    private let shared: UnsafeMutablePointer<Shared>
    private var left = SmoothedValue(0)
    private var right = SmoothedValue(0)
    private var through = SmoothedValue(0)
    private var lowPass = PointLowPass()
    private var hasBegun = false

    init(shared: UnsafeMutablePointer<Shared>) { self.shared = shared }

    /// Adds the source to the bus.
    @_noLocks
    mutating func process(_ call: ConnectionCall) {
        aim(call)
        // The gain lies behind the filter.
        defer { call.isRinging.pointee = lowPass.isRinging && !call.hasFadedOut }
        let source = call.input.block
        guard !call.input.isSilent || lowPass.isRinging, source.channelCount > 0 else { return advance(by: call.frameCount) }
        // A source without any gain, such as one that a head hears, leaves the bus alone.
        if isAside, isPlacedAlone { return advance(by: call.frameCount) }
        let block = call.output.pointee.open()
        if isAside { lowPass.advance(by: call.frameCount) } else { addPoint(call, block) }
        if isPlacedAlone { return }
        call.writeGains(times: &through, to: call.scratchBlock(2))
        call.addChannels(at: call.scratchBlock(2))
    }

    /// Sets the targets for a cycle; a source that has not been heard jumps to them.
    @_noLocks
    private mutating func aim(_ call: ConnectionCall) {
        let wanted = shared.pointee.load()
        let isPassed = call.input.block.channelCount != 1 && wanted.passesChannels
        let glide = hasBegun && !call.isUnheard ? call.glideFrameCount : 0
        // An inaudible filter state is reset, so that the filter starts again alike with blocks of any length.
        if call.isUnheard || isAside { lowPass.forget() }
        var (toLeft, toRight) = (wanted.left, wanted.right)
        // One channel carries the power of both sides.
        if call.output.pointee.block.channelCount == 1 {
            (toLeft, toRight) = (Float(Maths.sqrt(Double(toLeft * toLeft + toRight * toRight))), 0)
        }
        if isPassed { (toLeft, toRight) = (0, 0) }
        left.aim(at: toLeft, over: glide)
        right.aim(at: toRight, over: glide)
        through.aim(at: isPassed ? 1 : wanted.through, over: glide)
        lowPass.aim(at: wanted.cutoffHertz, sampleRate: call.sampleRate, over: glide)
        hasBegun = true
    }

    /// True if none of the averaged channels is heard at present.
    private var isAside: Bool {
        @_noLocks get { left.current == 0 && right.current == 0 && !left.isMoving && !right.isMoving }
    }

    /// True if no channel goes through at present.
    private var isPlacedAlone: Bool {
        @_noLocks get { through.current == 0 && !through.isMoving }
    }

    /// Adds the mean of the channels to both sides.
    @_noLocks
    private mutating func addPoint(_ call: ConnectionCall, _ block: AudioBlock) {
        call.writeGains(times: &left, to: call.scratchBlock(0))
        call.writeGains(times: &right, to: call.scratchBlock(1))
        let point = call.scratchBlock(2)
        call.input.block.writeMean(to: point)
        lowPass.filter(point, block.frameCount)
        for side in 0..<min(2, block.channelCount) {
            let (to, gain) = (block[side], call.scratchBlock(side))
            for frame in 0..<block.frameCount { to[frame] += point[frame] * gain[frame] }
        }
    }

    /// Moves all gains on by `frameCount` frames of silence.
    @_noLocks
    private mutating func advance(by frameCount: Int) {
        _ = left.advance(by: frameCount)
        _ = right.advance(by: frameCount)
        _ = through.advance(by: frameCount)
        lowPass.advance(by: frameCount)
    }
}

extension AudioBlock {
    /// Writes the mean of all channels; there is at least one.
    @_noLocks
    func writeMean(to point: UnsafeMutablePointer<Float>) {
        let (first, share) = (self[0], 1 / Float(channelCount))
        for frame in 0..<frameCount { point[frame] = first[frame] * share }
        for channel in 1..<max(1, channelCount) {
            let samples = self[channel]
            for frame in 0..<frameCount { point[frame] += samples[frame] * share }
        }
    }
}
