// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reverb: early reflections of a box-shaped room, and a feedback delay network for what follows.

import PluginSDK

struct Reverb: Kernel, ~Copyable {
    /// The order of the parameters on the wire.
    enum Address: UInt64 {
        case decay, lowDecay, highDecay, size, preDelay, diffusion
        case modulationDepth, modulationRate, early, lowCut, highCut, width, mix
    }

    /// Frames between two looks at what need not be looked at every frame; counted across blocks.
    private static var period: Int { @_noLocks get { 32 } }

    private var controls: ReverbControls
    private var crossfade: Crossfade
    private var early: EarlyReflections
    private let leftWalls: Diffuser
    private let rightWalls: Diffuser
    private let leftDiffuser: Diffuser
    private let rightDiffuser: Diffuser
    private var network: FeedbackDelayNetwork
    private var output: ReverbOutput
    private let glide: Int
    private let sampleRate: Float
    private let channelCount: Int
    private var time = 0
    private var framesLeft = 0
    /// What the delays were last set for.
    private var size: Float = 0
    private var preDelay: Float = 0

    init(_ setup: RenderSetup) throws(UnitError) {
        let longestCrossing = setup.frameCount(seconds: 50.0 / 343)
        sampleRate = Float(setup.sampleRate)
        channelCount = setup.channelCount
        glide = setup.frameCount(seconds: 0.02)
        controls = ReverbControls(sampleRate: setup.sampleRate)
        crossfade = Crossfade(frameCount: setup.frameCount(seconds: 0.06))
        early = EarlyReflections(
            longestCrossing: longestCrossing, longestPreDelay: setup.frameCount(seconds: 0.25))
        leftWalls = Diffuser(isRight: false, scale: 0.2, longestCrossing: longestCrossing)
        rightWalls = Diffuser(isRight: true, scale: 0.2, longestCrossing: longestCrossing)
        leftDiffuser = Diffuser(isRight: false, scale: 1, longestCrossing: longestCrossing)
        rightDiffuser = Diffuser(isRight: true, scale: 1, longestCrossing: longestCrossing)
        network = FeedbackDelayNetwork(sampleRate: setup.sampleRate, longestCrossing: longestCrossing)
        output = ReverbOutput(sampleRate: Float(setup.sampleRate))
    }

    @_noLocks mutating func apply(_ change: ParameterChange) {
        guard let address = Address(rawValue: change.address) else { return }
        let frames = change.rampFrameCount > 0 ? Int(change.rampFrameCount) : glide
        controls.set(address, to: Float(change.value), over: frames)
    }

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
        crossfade.prepare()
        early.store(Self.sound(leftInput, frameCount), Self.sound(rightInput, frameCount), at: time)
        var level = Vector(repeating: 0)
        for frame in 0..<frameCount { level[frame] = controls.late.next() }
        var left = leftDiffuser.render(early.delayed(isRight: false, at: time, crossfade) * level, at: time, crossfade)
        var right = rightDiffuser.render(early.delayed(isRight: true, at: time, crossfade) * level, at: time, crossfade)
        network.render(&left, &right, at: time, crossfade, frameCount)
        let leftEarly = leftWalls.render(early.heard(isRight: false, at: time, crossfade), at: time, crossfade)
        let rightEarly = rightWalls.render(early.heard(isRight: true, at: time, crossfade), at: time, crossfade)
        for frame in 0..<frameCount {
            let share = controls.early.next()
            let wet = output.next(
                left[frame] + leftEarly[frame] * share, right[frame] + rightEarly[frame] * share, &controls)
            let dry = controls.dry.next()
            let leftSample = leftInput[frame] * dry + wet.left
            let rightSample = rightInput[frame] * dry + wet.right
            rightOutput[frame] = rightSample
            leftOutput[frame] = leftSample
        }
        if crossfade.advance(by: frameCount) { settle() }
        time += frameCount
    }

    /// The input as a vector; what is not finite, or absurdly loud, is silence, so that nothing of it stays behind.
    ///
    /// The offset of −400 dB keeps decaying numbers from becoming denormal.
    @_noLocks private static func sound(_ samples: UnsafePointer<Float>, _ frameCount: Int) -> Vector {
        var vector = Vector(repeating: 0)
        for frame in 0..<frameCount { vector[frame] = (abs(samples[frame]) < 1e4 ? samples[frame] : 0) + 1e-20 }
        return vector
    }

    @_noLocks private mutating func beginPeriod() {
        framesLeft = Self.period
        let isRoomNew = !crossfade.isActive && (size != controls.size || preDelay != controls.preDelay)
        let isDecayMoving = controls.isDecayMoving
        let areCutsMoving = controls.areCutsMoving
        controls.advance(by: Self.period)
        if isRoomNew {
            resize()
            crossfade.begin()
        }
        if isRoomNew || isDecayMoving { controls.late.ramp(to: tune(), over: Self.period) }
        if areCutsMoving { output.tune(controls) }
        output.tidy()
        aim()
    }

    @_noLocks private mutating func aim() {
        network.aim(
            depth: controls.modulationDepth.current, rate: controls.modulationFrequency, sampleRate: sampleRate,
            frameCount: Self.period)
    }

    /// Takes the size and pre-delay that are wanted now.
    @_noLocks private mutating func resize() {
        size = controls.size
        preDelay = controls.preDelay
        early.resize(crossing: controls.crossing, preDelay: controls.preDelayFrameCount)
        leftWalls.resize(crossing: controls.crossing)
        rightWalls.resize(crossing: controls.crossing)
        leftDiffuser.resize(crossing: controls.crossing)
        rightDiffuser.resize(crossing: controls.crossing)
        network.resize(crossing: controls.networkCrossing)
    }

    @_noLocks private mutating func settle() {
        early.settle()
        leftWalls.settle()
        rightWalls.settle()
        leftDiffuser.settle()
        rightDiffuser.settle()
        network.settle()
    }

    /// Sets decay and diffusion; returns the level for the network's input.
    @_noLocks private mutating func tune() -> Float {
        let decay = controls.decayTimes
        let amount = controls.diffusion.current
        leftWalls.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate)
        rightWalls.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate)
        leftDiffuser.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate)
        rightDiffuser.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate)
        return network.tune(decay, diffusion: amount)
    }

    @_noLocks mutating func reset() {
        controls.reset()
        crossfade.reset()
        resize()
        early.reset()
        leftWalls.reset()
        rightWalls.reset()
        leftDiffuser.reset()
        rightDiffuser.reset()
        network.reset()
        output.reset()
        output.tune(controls)
        controls.late.jump(to: tune())
        framesLeft = 0
        time = 0
    }

    /// Frames until the longest of the three decay times has taken 60 dB off the last sound.
    var tailFrameCount: Int {
        @_noLocks get {
            let seconds = controls.longestDecay + controls.preDelay
            return Int(seconds * sampleRate + 3 * controls.crossing)
        }
    }
}

@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { Reverb.exported }
