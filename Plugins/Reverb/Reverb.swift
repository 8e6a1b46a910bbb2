// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reverb: early reflections of a box-shaped room, and a feedback delay network for late reverberation. Render thread.

import DSP
import PluginSDK

struct Reverb: Kernel, ~Copyable {
    /// The parameters' addresses on the wire.
    enum Address: UInt64 {
        case decay, lowDecay, highDecay, size, preDelay, diffusion
        case modulationDepth, modulationRate, early, lowCut, highCut, width, mix
    }

    /// The frames between two updates of slow values such as decay and room size; counted across blocks.
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
        let leftDry = Vector.load(leftInput, count: frameCount)
        let rightDry = Vector.load(rightInput, count: frameCount)
        var (left, right) = (Self.sound(leftDry), Self.sound(rightDry))
        let level = Vector.frames(of: &controls.late, frameCount)
        let early = room.render(&left, &right, level: level, frameCount)
        let share = Vector.frames(of: &controls.early, frameCount)
        let wet = output.render(left + early.left * share, right + early.right * share, &controls, frameCount)
        let dry = Vector.frames(of: &controls.dry, frameCount)
        // A single channel gets the left side, so the left side is written last.
        (rightDry * dry + wet.right).store(to: rightOutput, count: frameCount)
        (leftDry * dry + wet.left).store(to: leftOutput, count: frameCount)
    }

    /// The input without samples that would stay in the delays.
    ///
    /// The offset of −400 dB keeps decaying numbers from becoming denormal.
    @inline(__always) @_noLocks private static func sound(_ samples: Vector) -> Vector {
        samples.withoutWildFrames() + 1e-20
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

    /// The frames until the last sound has fallen by 60 dB in the longest of the three decay times.
    var tailFrameCount: Int {
        @_noLocks get {
            let seconds = controls.longestDecay + controls.preDelay
            return Int(seconds * sampleRate + 3 * controls.crossing)
        }
    }
}

/// The library's one exported symbol, which the launcher and the host look up.
@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Reverb.exported }
