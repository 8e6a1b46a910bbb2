// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A group of sounds, whose gain and speed change together. Any thread but the render thread.

import Synchronization

/// A group of sounds.
///
/// `[any]` but the render thread. Samplers name it in `Sampler.group`.
public final class SoundGroup: Sendable {
    /// The identifier.
    public let id: String
    // SAFETY: only the render thread uses the values; others send commands.
    nonisolated(unsafe) let core: UnsafeMutablePointer<GroupCore>
    private let engine: SoundEngineBox
    private let state = Mutex(State())

    private struct State {
        var gain = 1.0
        var rate = 1.0
        var isMuted = false
        var isSolo = false
    }

    init(_ id: String, in engine: SoundEngine) {
        (self.id, self.engine) = (id, SoundEngineBox(engine))
        let factors = UnsafeMutablePointer<Ramp>.allocate(capacity: GroupCore.factorCount)
        factors.initialize(repeating: Ramp(1), count: GroupCore.factorCount)
        core = .allocate(capacity: 1)
        core.initialize(to: GroupCore(factors: factors))
    }

    deinit {
        core.pointee.factors.deallocate()
        core.deallocate()
    }

    /// The level of the group, 0 to 1; other values are clamped, and NaN changes nothing.
    public var gain: Double {
        get { state.withLock { $0.gain } }
        set {
            guard !newValue.isNaN else { return }
            let gain = max(0, min(1, newValue))
            state.withLock { $0.gain = gain }
            send(.gain, gain, over: SoundEvent.fadeSeconds)
        }
    }

    /// The speed of the group, 0.25 to 4; other values are clamped, and NaN changes nothing.
    public var rate: Double {
        get { state.withLock { $0.rate } }
        set {
            guard !newValue.isNaN else { return }
            let rate = max(0.25, min(4, newValue))
            state.withLock { $0.rate = rate }
            send(.rate, rate)
        }
    }

    /// Fades a second gain, which multiplies `gain`, to a value from 0 to 1.
    ///
    /// Throws `notANumber`.
    public func fadeGain(to gain: Double, over seconds: Double, _ curve: FadeCurve = .linear) throws(SoundEventError) {
        guard !gain.isNaN, !seconds.isNaN else { throw .notANumber(id) }
        send(.fadeGain, max(0, min(1, gain)), over: seconds, curve)
    }

    /// Fades a second speed, which multiplies `rate`, to a value from 0.25 to 4.
    ///
    /// Throws `notANumber`.
    public func fadeRate(to rate: Double, over seconds: Double, _ curve: FadeCurve = .linear) throws(SoundEventError) {
        guard !rate.isNaN, !seconds.isNaN else { throw .notANumber(id) }
        send(.fadeRate, max(0.25, min(4, rate)), over: seconds, curve)
    }

    /// True if the group is silent.
    public var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { change { $0.isMuted = newValue } }
    }

    /// True if only this group, and others that play solo, are heard; sounds without a group are heard as before.
    public var isSolo: Bool {
        get { state.withLock { $0.isSolo } }
        set { change { $0.isSolo = newValue } }
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        engine.engine?.updateAudibleGroups()
    }

    /// The command that makes the group heard, or silent, beside others.
    func audibility(anySolo: Bool, frameCount: Int64) -> SceneCommand {
        let isAudible = state.withLock { !$0.isMuted && ($0.isSolo || !anySolo) }
        return glide(.audible, isAudible ? 1 : 0, over: frameCount)
    }

    private func send(_ factor: GroupCore.Factor, _ value: Double, over seconds: Double = 0, _ curve: FadeCurve = .linear) {
        guard let engine = engine.engine else { return }
        engine.running.send([glide(factor, value, over: engine.frames(seconds), curve)])
    }

    /// The command that moves a factor of the group.
    func glide(_ factor: GroupCore.Factor, _ value: Double, over frameCount: Int64, _ curve: FadeCurve = .linear) -> SceneCommand {
        var command = SceneCommand(.glide)
        (command.ramp, command.value) = (core.pointee.factors + factor.rawValue, value)
        (command.frameCount, command.curve) = (frameCount, curve)
        return command
    }
}
