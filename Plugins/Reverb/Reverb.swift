// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reverb: early reflections of a box-shaped room, and a feedback delay network for what follows. Render thread.

import PluginSDK

struct Reverb: Kernel, ~Copyable {
    /// The parameters' addresses on the wire.
    enum Address: UInt64 {
        case decay, lowDecay, highDecay, size, preDelay, diffusion
        case modulationDepth, modulationRate, early, lowCut, highCut, width, mix
    }

    /// Frames between two updates of slow values such as decay and room size; counted across blocks.
    private static var period: Int { @_noLocks get { 32 } }

    private var controls: ReverbControls
    private var room: Room
    private var output: ReverbOutput
    private let glide: Int
    private let sampleRate: Float
    private let channelCount: Int
    private var framesLeft = 0

    init(_ setup: RenderSetup) throws(UnitError) {
        sampleRate = Float(setup.sampleRate)
        channelCount = setup.channelCount
        glide = setup.frameCount(seconds: 0.02)
        controls = ReverbControls(sampleRate: setup.sampleRate)
        room = Room(setup, period: Self.period)
        output = ReverbOutput(sampleRate: Float(setup.sampleRate))
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        guard let address = Address(rawValue: change.address) else { return }
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        controls.set(address, to: Float(change.value), over: frames)
    }

    /// Renders a block; a single channel is both sides at once.
    @_noLocks mutating func render(_ block: RenderBlock) {
        let last = min(channelCount, block.output.channelCount) - 1
        guard last >= 0 else { return }
        var start = 0
        while start < block.frameCount {
            if framesLeft == 0 { beginPeriod() }
            let frameCount = min(16, min(framesLeft, block.frameCount - start))
            renderFrames(
                block.input[0] + start, block.input[last] + start, block.output[0] + start, block.output[last] + start,
                frameCount)
            start += frameCount
            framesLeft -= frameCount
        }
    }

    @_noLocks private mutating func renderFrames(
        _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
        _ leftOutput: UnsafeMutablePointer<Float>, _ rightOutput: UnsafeMutablePointer<Float>, _ frameCount: Int
    ) {
        var left = Self.sound(leftInput, frameCount)
        var right = Self.sound(rightInput, frameCount)
        let level = Vector.frames(of: &controls.late, frameCount)
        let early = room.render(&left, &right, level: level, frameCount)
        for frame in 0..<frameCount {
            let share = controls.early.next()
            let wet = output.next(
                left[frame] + early.left[frame] * share, right[frame] + early.right[frame] * share, &controls)
            let dry = controls.dry.next()
            let leftSample = leftInput[frame] * dry + wet.left
            let rightSample = rightInput[frame] * dry + wet.right
            // A single channel gets the left side, so that one is written last.
            rightOutput[frame] = rightSample
            leftOutput[frame] = leftSample
        }
    }

    /// The input as a vector; NaN, infinity and anything from 1e4 up are silence, so that nothing of it stays in the delays.
    ///
    /// The offset of −400 dB keeps decaying numbers from becoming denormal.
    @_noLocks private static func sound(_ samples: UnsafePointer<Float>, _ frameCount: Int) -> Vector {
        var vector = Vector(repeating: 0)
        for frame in 0..<frameCount { vector[frame] = (abs(samples[frame]) < 1e4 ? samples[frame] : 0) + 1e-20 }
        return vector
    }

    @_noLocks private mutating func beginPeriod() {
        framesLeft = Self.period
        let isDecayMoving = controls.isDecayMoving
        let areCutsMoving = controls.areCutsMoving
        controls.advance(by: Self.period)
        let isRoomNew = room.refit(controls)
        if isRoomNew || isDecayMoving { controls.late.ramp(to: room.tune(controls), over: Self.period) }
        if areCutsMoving { output.tune(controls) }
        output.tidy()
        room.aim(controls)
    }

    @_noLocks mutating func reset() {
        controls.reset()
        controls.late.jump(to: room.reset(controls))
        output.reset()
        output.tune(controls)
        framesLeft = 0
    }

    /// Frames until the longest of the three decay times has taken 60 dB off the last sound.
    var tailFrameCount: Int {
        @_noLocks get {
            let seconds = controls.longestDecay + controls.preDelay
            return Int(seconds * sampleRate + 3 * controls.crossing)
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Reverb.exported }
