// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reverb that comes with Bulkhead, as a node. Any thread.

/// The factory presets of the reverb.
public enum AudioUnitReverbPreset: Int, Sendable, CaseIterable {
    case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral, largeRoom2
    case mediumHall2, mediumHall3, largeHall2
}

/// Adds the sound of a room, in a process of its own.
///
/// The first preset is a medium hall.
open class AudioUnitReverb: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() {
        super.init(starting: "aufx:rvrb:blkh", name: "Reverb")
        loadFactoryPreset(.mediumHall)
    }

    /// Starts the plug-in for a node of the engine's own.
    init(inside name: String) {
        super.init(UnitBody(starting: "aufx:rvrb:blkh", isInternal: true), name: name)
        loadFactoryPreset(.mediumHall)
    }

    /// Loads the room of a preset; the mix stays.
    public func loadFactoryPreset(_ preset: AudioUnitReverbPreset) { selectPreset(preset.rawValue, keeping: ["mix"]) }

    /// The share of the room in percent: 0 is the input alone, 100 the room alone.
    public var wetDryMix: Float {
        get { value("mix") }
        set { set("mix", newValue, within: 0...100) }
    }
}
