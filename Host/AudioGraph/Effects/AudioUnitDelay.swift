// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The delay that comes with Bulkhead, as a node. Any thread.

/// Repeats a sound, in a process of its own.
open class AudioUnitDelay: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() {
        super.init(starting: "aufx:dlay:blkh", name: "Delay")
        (delayTime, feedback, lowPassCutoff, wetDryMix) = (1, 50, 15_000, 100)
    }

    /// The time of a repeat in seconds, 0 to 2.
    public var delayTime: Double {
        get { Double(value("time")) }
        set { set("time", Float(newValue), within: 0...2) }
    }

    /// The share of each repeat that is repeated again, in percent, −100 to 100.
    public var feedback: Float {
        get { value("feedback") }
        set { set("feedback", newValue, within: -100...100) }
    }

    /// The cutoff of the low-pass filter for each repeat, in hertz, 10 to half of the rate.
    public var lowPassCutoff: Float {
        get { value("lowpass") }
        set { set("lowpass", newValue, within: 10...22_000) }
    }

    /// The share of the repeats in percent: 0 is the input alone, 100 the repeats alone.
    public var wetDryMix: Float {
        get { value("mix") }
        set { set("mix", newValue, within: 0...100) }
    }
}
