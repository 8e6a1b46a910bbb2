// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state of a connection from plan to plan: fade, level at a mixer, delay. Render thread; made by the control thread.

import Realtime
import Synchronization

/// The state of one connection, which plans hand to each other.
public final class ConnectionState: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<ConnectionCore>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<ConnectionCore.Shared>
    /// The source's level, if the connection leads to a mixer.
    public let mixing: MixingState?
    /// The processor of the source's signal.
    public let processor: (any ConnectionProcessor)?
    /// An object of the connection's maker, which lives as long as the state.
    public let companion: (any AnyObject & Sendable)?
    /// Every memory of the delay line so far; the newest is the last.
    ///
    /// A plan that the render thread still has may use an older one.
    private let memories = Mutex<[DelayMemory]>([])

    /// Makes a connection that has not been heard.
    ///
    /// A connection with a processor may have a level, too, and has no pan.
    public init(
        mixing: MixingState? = nil, processor: (any ConnectionProcessor)? = nil, companion: (any AnyObject & Sendable)? = nil
    ) {
        (self.mixing, self.processor, self.companion) = (mixing, processor, companion)
        shared = .allocate(capacity: 1)
        shared.initialize(to: ConnectionCore.Shared())
        core = .allocate(capacity: 1)
        core.initialize(to: ConnectionCore(shared: shared, mixing: mixing?.shared, isProcessed: processor != nil))
    }

    deinit {
        core.pointee.deallocate()
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Makes a connection that is heard in full from its first cycle on, without a fade.
    public static func standing() -> ConnectionState {
        let state = ConnectionState()
        state.core.pointee.soundInside()
        return state
    }

    /// True if the connection has faded out.
    public var isInaudible: Bool { shared.pointee.isInaudible.load(ordering: .acquiring) }

    /// True if the connection passes its signal on unchanged: no fade, no level, no processor, no delay.
    public var isPlain: Bool { mixing == nil && processor == nil && shared.pointee.isPlain.load(ordering: .acquiring) }

    /// Returns memory for a delay; that of an earlier plan if it suffices.
    func memory(channelCount: Int, delayFrameCount: Int, maximumFrameCount: Int) -> UnsafeMutablePointer<DelayMemory.Core> {
        memories.withLock { memories in
            if let last = memories.last,
                last.holds(channelCount: channelCount, delayFrameCount: delayFrameCount, maximumFrameCount: maximumFrameCount)
            {
                return last.core
            }
            // No smaller than the last one in any way: a plan may still read far back in it.
            let former = memories.last?.core.pointee
            let memory = DelayMemory(
                channelCount: max(channelCount, former?.channelCount ?? 0),
                delayFrameCount: max(delayFrameCount, former?.frameCount ?? 0), maximumFrameCount: maximumFrameCount)
            memories.append(memory)
            return memory.core
        }
    }

    /// True if the connection has been delayed.
    var hasMemory: Bool { memories.withLock { !$0.isEmpty } }
}

/// The render thread's part of a connection.
struct ConnectionCore {
    struct Shared: ~Copyable {
        let isInaudible = Atomic<Bool>(true)
        let isPlain = Atomic<Bool>(false)
    }

    private let shared: UnsafeMutablePointer<Shared>
    private let mixing: UnsafeMutablePointer<MixingState.Shared>?
    /// True if a processor replaces the pan, so that `left` is the volume.
    private let isProcessed: Bool
    /// The share of the connection that is heard.
    private(set) var fade = SmoothedValue(0)
    /// The frames before a fade begins, in which the delay line puts nothing out yet.
    private var pause = 0
    /// The gains of the source at a mixer.
    var left = SmoothedValue(1)
    var right = SmoothedValue(1)
    var line = DelayLine()
    private var hasBegun = false
    /// True if the delay of the next cycle takes effect at once, because the connection has not been heard.
    var isUnheard = true
    /// True if the processor would still sound with a silent source; nil without a processor.
    ///
    /// It has memory of its own, so that a plain connection takes as few cache lines as possible.
    let ringing: UnsafeMutablePointer<Bool>?

    init(shared: UnsafeMutablePointer<Shared>, mixing: UnsafeMutablePointer<MixingState.Shared>?, isProcessed: Bool) {
        (self.shared, self.mixing, self.isProcessed) = (shared, mixing, isProcessed)
        ringing = isProcessed ? .allocate(capacity: 1) : nil
        ringing?.initialize(to: false)
    }

    func deallocate() { ringing?.deallocate() }

    /// True if the processor would still sound with a silent source.
    var isRinging: Bool {
        @_noLocks get {
            guard let ringing else { return false }
            return ringing.pointee
        }
    }

    /// Sets the targets of fade and gains for a cycle.
    ///
    /// With `isAbrupt` there is no fade: the source is silent or sounds for the first time, so nothing can click.
    @_noLocks
    mutating func aim(
        isLeaving: Bool, isAbrupt: Bool, fadeFrameCount: Int, glideFrameCount: Int, _ log: UnsafePointer<EventLogCore>?
    ) {
        isUnheard = !hasBegun || hasFadedOut
        let target: Float = isLeaving ? 0 : 1
        if fade.target != target { fade.ramp(to: target, over: isAbrupt ? 0 : fadeFrameCount) }
        guard let mixing else {
            hasBegun = true
            return
        }
        let volume = Float(bitPattern: mixing.pointee.volume.load(ordering: .relaxed))
        let pan = isProcessed ? 0 : Float(bitPattern: mixing.pointee.pan.load(ordering: .relaxed))
        let gains = BalanceLaw.gains(volume: volume, pan: pan)
        let glide = hasBegun ? glideFrameCount : 0
        // The first level is logged in any case: a replay may have begun with another one.
        if let log, !hasBegun || gains.left != left.target || gains.right != right.target && !isProcessed {
            log.pointee.write(
                LoggedEvent(
                    .level, at: log.pointee.now, of: mixing.pointee.identity, value: Double(volume), detail: pan.bitPattern))
        }
        if gains.left != left.target { left.ramp(to: gains.left, over: glide) }
        if !isProcessed, gains.right != right.target { right.ramp(to: gains.right, over: glide) }
        hasBegun = true
    }

    /// Makes the connection heard in full, inside a node that stands for several.
    @_noLocks
    mutating func soundInside() {
        fade = SmoothedValue(1)
        (hasBegun, isUnheard) = (true, false)
        publish()
    }

    /// True if fade and gains do not change during a cycle.
    var isSteady: Bool {
        @_noLocks get { !fade.isMoving && !left.isMoving && !right.isMoving }
    }

    /// Lets the connection begin with a delay at once; a fade waits until the first frame has come through.
    @_noLocks
    mutating func begin(delayedBy frameCount: Int) {
        line.reset(to: frameCount)
        pause = fade.isMoving ? frameCount : 0
    }

    /// The fade at the next frame.
    @_noLocks
    mutating func nextFade() -> Float {
        guard pause > 0 else { return fade.next() }
        pause &-= 1
        return fade.current
    }

    /// True if the fade is steady at 0.
    var hasFadedOut: Bool {
        @_noLocks get { fade.current == 0 && !fade.isMoving }
    }

    /// The gain of a connection with a processor, while it is steady.
    var levelledFade: Float {
        @_noLocks get { fade.current * left.current }
    }

    /// The gain of a side, while it is steady.
    @_noLocks
    func gain(_ side: ChannelRoute.Side) -> Float {
        switch side {
        case .left: fade.current * left.current
        case .right: fade.current * right.current
        // A pan does not apply here, and the side that is not turned down has the volume.
        case .neither: fade.current * max(left.current, right.current)
        }
    }

    /// Moves fade and gains on by `frameCount` frames.
    @_noLocks
    mutating func advance(by frameCount: Int) {
        let paused = min(pause, frameCount)
        pause &-= paused
        _ = fade.advance(by: frameCount &- paused)
        _ = left.advance(by: frameCount)
        _ = right.advance(by: frameCount)
    }

    /// Publishes to the control thread whether the connection can be heard, and whether it is plain.
    @_noLocks
    func publish() {
        shared.pointee.isInaudible.store(hasFadedOut && !isRinging, ordering: .releasing)
        shared.pointee.isPlain.store(isSteady && fade.current == 1 && line.isIdle(0), ordering: .releasing)
    }
}
