// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Nodes that stretch time: the nodes before them render at a pace of their own. Any thread.

import PluginHosting
import Rendering

/// Takes in more or fewer frames than it puts out, in a process of its own.
///
/// All nodes that lead to it render at its pace. They can lead to other nodes only through this one. The engine's input cannot be among
/// them: a live sound comes at one pace. The engine refuses such connections with an error.
open class AudioUnitTimeEffect: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; the pace is a constant that threads may share.
    let pace: TimePace

    init(stretching unit: PluginUnit, highestRate: Float) {
        let stretch = TimeStretch(highestRate: highestRate)
        pace = stretch.pace
        super.init(UnitBody(unit, stretch: stretch), name: unit.name)
    }

    init(starting id: String, name: String, highestRate: Float) {
        let stretch = TimeStretch(highestRate: highestRate)
        pace = stretch.pace
        super.init(UnitBody(starting: id, stretch: stretch), name: name)
    }
}

/// Plays its input faster or slower, as a tape would, pitch included.
///
/// The sound is some milliseconds late, the same at every rate: `latencyFrameCount` says it. At rate 1 it is the input itself. A change of
/// the rate does not click.
open class AudioUnitVarispeed: AudioUnitTimeEffect, @unchecked Sendable {
    // SAFETY: as for the base; the rate is behind a mutex.
    private let wanted = PaceSetting(range: 0.25...4)

    /// Starts the plug-in.
    public init() { super.init(starting: "aufc:vari:blkh", name: "Varispeed", highestRate: 4) }

    /// The rate, 0.25 to 4; 1 leaves the sound as it is.
    public var rate: Float {
        get { wanted.rate }
        set { wanted.set(rate: newValue, pace) }
    }

    /// True if the sound passes unchanged, at rate 1.
    public override var bypass: Bool {
        get { wanted.isBypassed }
        set { wanted.set(isBypassed: newValue, pace) }
    }
}
