// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The life of a sound beside its event's: awake, asleep, or taken by the limit on voices. Render thread.

/// The life of a sound; each change of it fades.
///
/// `[render]` throughout.
struct LeafLife {
    private enum State { case awake, dozing, asleep, ending }

    let culling: Sampler.Culling
    private var state = State.awake
    private var fade = Ramp(1)
    /// The frame at which the fade to silence ends.
    private var silenceTime = Int64.max
    /// True if the limit on voices has taken the sound.
    private(set) var isTaken = false
    private var random: SeededRandom

    init(_ culling: Sampler.Culling, _ random: SeededRandom) { (self.culling, self.random) = (culling, random) }

    /// True if it sounds, and is not on its way to silence.
    var isVoice: Bool { @_noLocks get { isAwake } }

    private var isAwake: Bool {
        @_noLocks get {
            switch state {
            case .awake: true
            default: false
            }
        }
    }

    /// True if it sleeps, without a sound.
    var isAsleep: Bool {
        @_noLocks get {
            switch state {
            case .asleep: true
            default: false
            }
        }
    }

    /// True if it goes on in its sleep.
    var passesAsleep: Bool {
        @_noLocks get {
            switch culling {
            case .sleepWakeAtRealtimeOffset: true
            default: false
            }
        }
    }

    @_noLocks
    func isMoving(from frame: Int64) -> Bool { fade.isMoving(from: frame) }

    @_noLocks
    func gain(at frame: Int64) -> Double { fade.value(at: frame) }

    /// The frame before which it falls silent, from one frame on and before another.
    @_noLocks
    func end(from first: Int64, to last: Int64) -> Int64 { isAsleep ? first : max(first, min(last, silenceTime)) }

    @_noLocks
    private mutating func fadeOut(_ state: State, at frame: Int64, over frameCount: Int64) {
        self.state = state
        fade.go(to: 0, at: frame, over: frameCount)
        silenceTime = frame &+ frameCount
    }

    /// The limit on voices takes the sound.
    @_noLocks
    mutating func take(at frame: Int64, over frameCount: Int64) {
        isTaken = true
        fadeOut(.ending, at: frame, over: frameCount)
    }

    /// Puts the sound to sleep from a frame on; it ends if it is to.
    @_noLocks
    mutating func sleep(at frame: Int64, over frameCount: Int64) {
        guard isAwake else { return }
        switch culling {
        case .doNotCull: return
        case .terminate: fadeOut(.ending, at: frame, over: frameCount)
        default: fadeOut(.dozing, at: frame, over: frameCount)
        }
    }

    /// Wakes the sound at a frame, which is the next to be rendered.
    @_noLocks
    mutating func wake(_ source: inout LeafSource, at frame: Int64, over frameCount: Int64) {
        switch state {
        case .awake, .ending: return
        case .dozing: break
        case .asleep:
            switch culling {
            case .sleepWakeAtZero: source.seek(toFrame: 0)
            case .sleepWakeAtRandomOffset: source.seek(toShare: random.nextShare())
            default: source.readOn()
            }
        }
        (state, silenceTime) = (.awake, .max)
        fade.go(to: 1, at: frame, over: frameCount)
    }

    /// Takes the end of a fade to silence; true if the sound has ended with it.
    @_noLocks
    mutating func passSilence(before end: Int64) -> Bool {
        guard silenceTime <= end else { return false }
        silenceTime = .max
        switch state {
        case .ending: return true
        case .dozing: state = .asleep
        default: break
        }
        return false
    }
}
