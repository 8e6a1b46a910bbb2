// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The distortion that comes with Bulkhead, as a node. Any thread.

/// The factory presets of the distortion.
public enum AudioUnitDistortionPreset: Int, Sendable, CaseIterable {
    case drumsBitBrush, drumsBufferBeats, drumsLoFi
    case multiBrokenSpeaker, multiCellphoneConcert, multiDecimated1, multiDecimated2, multiDecimated3, multiDecimated4
    case multiDistortedFunk, multiDistortedCubed, multiDistortedSquared, multiEcho1, multiEcho2, multiEchoTight1, multiEchoTight2
    case multiEverythingIsBroken
    case speechAlienChatter, speechCosmicInterference, speechGoldenPi, speechRadioTower, speechWaves
}

/// Distorts a sound in many ways, in a process of its own.
open class AudioUnitDistortion: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; it has no properties of its own.
    /// Starts the plug-in.
    public init() {
        super.init(starting: "aufx:dist:blkh", name: "Distortion")
        (preGain, wetDryMix) = (-6, 50)
    }

    /// Loads the sound of a preset; mix and gain stay.
    public func loadFactoryPreset(_ preset: AudioUnitDistortionPreset) {
        selectPreset(preset.rawValue, keeping: ["preGain", "mix"])
    }

    /// The gain in front of the distortion in decibels, −80 to 20.
    public var preGain: Float {
        get { value("preGain") }
        set { set("preGain", newValue, within: -80...20) }
    }

    /// The share of the distorted sound in percent: 0 is the input alone.
    public var wetDryMix: Float {
        get { value("mix") }
        set { set("mix", newValue, within: 0...100) }
    }
}
