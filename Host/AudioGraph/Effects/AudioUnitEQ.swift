// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The equalizer that comes with Bulkhead, as a node. Any thread.

/// The filter shapes of a band.
public enum AudioUnitEQFilterType: Int, Sendable, CaseIterable {
    case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop
    case lowShelf, highShelf, resonantLowShelf, resonantHighShelf
}

/// Equalizes a sound with up to sixteen bands, in a process of its own.
open class AudioUnitEQ: AudioUnit, @unchecked Sendable {
    // SAFETY: as for AudioNode; only init writes the bands.
    /// The largest number of bands of an equalizer.
    public static let mostBands = 16
    /// The bands, in the order in which they filter the sound; at first each is bypassed.
    public private(set) var bands: [AudioUnitEQFilterParameters] = []

    /// Starts the plug-in with `numberOfBands` bands, clamped to 0 to `mostBands`.
    public init(numberOfBands: Int = 1) {
        super.init(starting: "aufx:eqlz:blkh", name: "Equalizer")
        makeBands(max(0, min(Self.mostBands, numberOfBands)))
    }

    /// Starts the plug-in with one band for a node of the engine's own.
    init(inside name: String) {
        super.init(UnitBody(starting: "aufx:eqlz:blkh", isInternal: true), name: name)
        makeBands(1)
    }

    private func makeBands(_ count: Int) {
        bands = (0..<count).map { AudioUnitEQFilterParameters(self, band: $0 + 1) }
        for band in bands { (band.bandwidth, band.bypass) = (0.5, true) }
    }

    /// The gain of the whole equalizer in decibels, −96 to 24.
    public var globalGain: Float {
        get { value("gain") }
        set { set("gain", newValue, within: -96...24) }
    }
}

/// One band of an equalizer; without its equalizer it changes nothing.
public final class AudioUnitEQFilterParameters: Sendable {
    private struct Weak: @unchecked Sendable {
        // SAFETY: set once, in init, and read by any thread.
        weak var equalizer: AudioUnitEQ?
    }

    private let owner: Weak
    private let group: String

    init(_ equalizer: AudioUnitEQ, band: Int) {
        owner = Weak(equalizer: equalizer)
        group = "band\(band)"
    }

    private func value(_ name: String) -> Float { owner.equalizer?.value("\(group).\(name)") ?? 0 }
    private func set(_ name: String, _ value: Float, within range: ClosedRange<Float>) {
        owner.equalizer?.set("\(group).\(name)", value, within: range)
    }

    /// The filter shape.
    public var filterType: AudioUnitEQFilterType {
        get { AudioUnitEQFilterType(rawValue: Int(exactly: value("type")) ?? 0) ?? .parametric }
        set { set("type", Float(newValue.rawValue), within: 0...10) }
    }

    /// The frequency in hertz, 20 to half of the rate.
    public var frequency: Float {
        get { value("frequency") }
        set { set("frequency", newValue, within: 20...22_000) }
    }

    /// The bandwidth in octaves, 0.05 to 5.
    public var bandwidth: Float {
        get { value("bandwidth") }
        set { set("bandwidth", newValue, within: 0.05...5) }
    }

    /// The gain in decibels, −96 to 24.
    public var gain: Float {
        get { value("gain") }
        set { set("gain", newValue, within: -96...24) }
    }

    /// True if the band leaves the sound unchanged.
    public var bypass: Bool {
        get { value("bypass") > 0.5 }
        set { set("bypass", newValue ? 1 : 0, within: 0...1) }
    }
}
