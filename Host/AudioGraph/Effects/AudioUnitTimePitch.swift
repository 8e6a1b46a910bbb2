// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A time effect that changes time and pitch independently. Any thread.

import Rendering
import Synchronization

/// Plays its input faster or slower at its own pitch, or at another one.
///
/// The sound is 0.19 s late at every rate and pitch, and so is each change of them: `latencyFrameCount` says it. No event is more than 15 ms
/// from its place. At rate 1 and pitch 0 the sound is the input itself. Changes do not click.
open class AudioUnitTimePitch: AudioUnitTimeEffect, @unchecked Sendable {
    // SAFETY: as for the base; rate and pitch are behind mutexes.
    private let wanted = PaceSetting(range: 1.0 / 32...32)
    private let cents = Mutex<Float>(0)
    /// The overlap that the program has set; it has no effect, because the plug-in chooses its own.
    package let wantedOverlap = Mutex<Float>(8)

    /// Starts the plug-in.
    public init() { super.init(starting: "aufc:tmpt:blkh", name: "Time Pitch", highestRate: 32) }

    /// The rate, 1/32 to 32; 1 leaves the time as it is.
    public var rate: Float {
        get { wanted.rate }
        set { wanted.set(rate: newValue, pace) }
    }

    /// The change of the pitch in cents, −2400 to 2400; 0 is no change, 100 are a semitone.
    public var pitch: Float {
        get { cents.withLock { $0 } }
        set {
            guard !newValue.isNaN else { return }
            cents.withLock { $0 = max(-2400, min(2400, newValue)) }
            if !wanted.isBypassed { set("pitch", newValue, within: -2400...2400) }
        }
    }

    /// True if the sound passes unchanged, at rate 1 and pitch 0.
    public override var bypass: Bool {
        get { wanted.isBypassed }
        set {
            wanted.set(isBypassed: newValue, pace)
            set("pitch", newValue ? 0 : pitch, within: -2400...2400)
        }
    }
}
