// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Volume and pan of a mixer's sources, and the volume of its output. Set by any thread, read by the render thread.

import Realtime
import Synchronization

/// The level of a source at a mixer.
///
/// Changes glide over 20 ms. `[any]`
public final class MixingState: Sendable {
    // SAFETY: the memory holds atomics.
    nonisolated(unsafe) let shared: UnsafeMutablePointer<Shared>

    struct Shared: ~Copyable {
        let identity: UInt
        let volume: Atomic<UInt32>
        let pan: Atomic<UInt32>
    }

    /// Makes a level with these values.
    public init(volume: Float = 1, pan: Float = 0) {
        shared = .allocate(capacity: 1)
        shared.initialize(
            to: Shared(identity: LogIdentity.next(), volume: Atomic(volume.bitPattern), pan: Atomic(pan.bitPattern)))
    }

    deinit {
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// The identity of the level in a log.
    package var logIdentity: UInt { shared.pointee.identity }

    /// The gain as a factor, up to 1000; 1 leaves the level unchanged.
    ///
    /// NaN counts as 0.
    public var volume: Float {
        get { Float(bitPattern: shared.pointee.volume.load(ordering: .relaxed)) }
        set { shared.pointee.volume.store(Loudness.clamped(newValue).bitPattern, ordering: .relaxed) }
    }

    /// The pan: −1 is left, 0 the centre, 1 right.
    ///
    /// Values outside are clamped; NaN counts as 0. A source of more than two channels has no pan.
    public var pan: Float {
        get { Float(bitPattern: shared.pointee.pan.load(ordering: .relaxed)) }
        set { shared.pointee.pan.store((newValue.isNaN ? 0 : max(-1, min(1, newValue))).bitPattern, ordering: .relaxed) }
    }
}

/// The level of a mixer's output.
///
/// Changes glide over 20 ms. `[any]`
public final class MixerLevel: Sendable {
    // SAFETY: only the render thread uses the core; the shared state consists of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    private nonisolated(unsafe) let shared: UnsafeMutablePointer<Shared>

    struct Shared: ~Copyable {
        let identity: UInt
        let volume: Atomic<UInt32>
    }

    struct Core {
        let shared: UnsafeMutablePointer<Shared>
        var gain = SmoothedValue(1)
        /// True if the mixer has rendered, so that changes glide.
        var hasBegun = false

        /// Sets the gain's target for a cycle.
        @_noLocks
        mutating func aim(glideFrameCount: Int, _ log: UnsafePointer<EventLogCore>?) {
            let volume = Float(bitPattern: shared.pointee.volume.load(ordering: .relaxed))
            // The first level is logged in any case: a replay may have begun with another one.
            if let log, !hasBegun || volume != gain.target {
                log.pointee.write(LoggedEvent(.output, at: log.pointee.now, of: shared.pointee.identity, value: Double(volume)))
            }
            if volume != gain.target { gain.ramp(to: volume, over: hasBegun ? glideFrameCount : 0) }
            hasBegun = true
        }
    }

    /// Makes a level of 1.
    public init() {
        shared = .allocate(capacity: 1)
        shared.initialize(to: Shared(identity: LogIdentity.next(), volume: Atomic(Float(1).bitPattern)))
        core = .allocate(capacity: 1)
        core.initialize(to: Core(shared: shared))
    }

    deinit {
        core.deallocate()
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// The identity of the level in a log.
    package var logIdentity: UInt { shared.pointee.identity }

    /// The gain as a factor, up to 1000; 1 leaves the level unchanged.
    ///
    /// NaN counts as 0.
    public var volume: Float {
        get { Float(bitPattern: shared.pointee.volume.load(ordering: .relaxed)) }
        set { shared.pointee.volume.store(Loudness.clamped(newValue).bitPattern, ordering: .relaxed) }
    }
}

/// The limits of gains.
enum Loudness {
    /// The largest gain: 60 dB.
    private static let largest: Float = 1000

    /// A gain within the bounds; 0 for NaN.
    static func clamped(_ gain: Float) -> Float { gain.isNaN ? 0 : max(-largest, min(largest, gain)) }
}

/// The gains of a balance law.
enum BalanceLaw {
    /// Leaves both sides unchanged at the centre; each side falls with the cosine of the way to the other.
    @_noLocks
    static func gains(volume: Float, pan: Float) -> (left: Float, right: Float) {
        let angle = Float.pi / 2
        let left = pan > 0 ? Maths.cos(angle * pan) : 1
        let right = pan < 0 ? Maths.cos(angle * pan) : 1
        return (volume * left, volume * right)
    }
}
