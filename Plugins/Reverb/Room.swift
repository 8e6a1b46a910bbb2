// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A room: pre-delay, early reflections, diffusers and delay network, all of one size. Render thread.

import PluginSDK

/// All parts of the reverb that remember sound, except the filters at its output.
struct Room: ~Copyable {
    /// The frames in which a diffuser's gains reach new values.
    private let period: Int
    private let sampleRate: Float
    private var crossfade: Crossfade
    private var early: EarlyReflections
    private let leftWalls: Diffuser
    private let rightWalls: Diffuser
    private let leftDiffuser: Diffuser
    private let rightDiffuser: Diffuser
    private var network: FeedbackDelayNetwork
    private var time = 0
    /// The size and the pre-delay that the delays were last set for.
    private var size: Float = 0
    private var preDelay: Float = 0

    /// `[control]` Allocates for rooms of up to 50 m and pre-delays of up to 250 ms.
    init(_ setup: RenderSetup, period: Int) {
        self.period = period
        let longestCrossing = setup.frameCount(seconds: 50.0 / 343)
        sampleRate = Float(setup.sampleRate)
        crossfade = Crossfade(frameCount: setup.frameCount(seconds: 0.06))
        early = EarlyReflections(longestCrossing: longestCrossing, longestPreDelay: setup.frameCount(seconds: 0.25))
        leftWalls = Diffuser(isRight: false, scale: 0.2, longestCrossing: longestCrossing)
        rightWalls = Diffuser(isRight: true, scale: 0.2, longestCrossing: longestCrossing)
        leftDiffuser = Diffuser(isRight: false, scale: 1, longestCrossing: longestCrossing)
        rightDiffuser = Diffuser(isRight: true, scale: 1, longestCrossing: longestCrossing)
        network = FeedbackDelayNetwork(sampleRate: setup.sampleRate, longestCrossing: longestCrossing)
    }

    /// Renders at most sixteen frames.
    ///
    /// The two sides become late reverberation, times `level`; the result is the early reflections.
    @_noLocks mutating func render(
        _ left: inout Vector, _ right: inout Vector, level: Vector, _ frameCount: Int
    ) -> (left: Vector, right: Vector) {
        crossfade.prepare()
        early.store(left, right, at: time)
        left = early.delayed(isRight: false, at: time, crossfade) * level
        right = early.delayed(isRight: true, at: time, crossfade) * level
        left = leftDiffuser.render(left, at: time, crossfade, frameCount)
        right = rightDiffuser.render(right, at: time, crossfade, frameCount)
        network.render(&left, &right, at: time, crossfade, frameCount)
        let reflections = reflections(frameCount)
        if crossfade.advance(by: frameCount) { settle() }
        time += frameCount
        return reflections
    }

    @_noLocks private func reflections(_ frameCount: Int) -> (left: Vector, right: Vector) {
        let left = early.heard(isRight: false, at: time, crossfade)
        let right = early.heard(isRight: true, at: time, crossfade)
        return (
            leftWalls.render(left, at: time, crossfade, frameCount),
            rightWalls.render(right, at: time, crossfade, frameCount)
        )
    }

    /// Moves the network's matrix over the next period.
    @_noLocks mutating func aim(_ controls: ReverbControls) {
        network.aim(
            depth: controls.modulationDepth.current, rate: controls.modulationFrequency, sampleRate: sampleRate,
            frameCount: period)
    }

    /// Starts a fade to the requested size and pre-delay.
    ///
    /// Returns false if the room already has them, or if a fade runs.
    @_noLocks mutating func refit(_ controls: ReverbControls) -> Bool {
        guard !crossfade.isActive && (size != controls.size || preDelay != controls.preDelay) else { return false }
        resize(controls)
        crossfade.begin()
        return true
    }

    /// Sets decay and diffusion; returns the level for the network's input.
    @_noLocks mutating func tune(_ controls: ReverbControls) -> Float {
        let decay = controls.decayTimes
        let amount = controls.diffusion.current
        leftWalls.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate, over: period)
        rightWalls.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate, over: period)
        leftDiffuser.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate, over: period)
        rightDiffuser.tune(amount: amount, decay: decay.middle, sampleRate: sampleRate, over: period)
        return network.tune(decay, diffusion: amount, over: period)
    }

    @_noLocks private mutating func resize(_ controls: ReverbControls) {
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

    /// Clears everything and applies the requested size; returns the level for the network's input.
    @_noLocks mutating func reset(_ controls: ReverbControls) -> Float {
        time = 0
        crossfade.reset()
        resize(controls)
        let level = tune(controls)
        early.reset()
        leftWalls.reset()
        rightWalls.reset()
        leftDiffuser.reset()
        rightDiffuser.reset()
        network.reset()
        return level
    }
}
