// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The equalizer's description, parameter tree and factory presets. Control thread.

import PluginSDK

extension Equalizer {
    static var bandCount: Int { @_noLocks get { 16 } }
    /// The addresses are numbered in rows of this length, one row a band.
    ///
    /// Row 8 holds the overall level: addresses are permanent, and it existed before the last bands.
    static var addressStride: UInt64 { @_noLocks get { 8 } }
    private static var gainRow: Int { @_noLocks get { 8 } }
    /// The address of the overall level.
    static var gainAddress: UInt64 { @_noLocks get { UInt64(gainRow) * addressStride } }

    /// The band for an address outside of the level's row.
    @_noLocks static func band(ofAddress address: UInt64) -> Int {
        let row = Int(address / addressStride)
        return row < gainRow ? row : row - 1
    }

    static func firstAddress(ofBand index: Int) -> UInt64 {
        UInt64(index < gainRow ? index : index + 1) * addressStride
    }

    static let description = UnitDescription(
        ComponentDescription(.effect, "eqlz", "blkh"), name: "Equalizer", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 0, 0), tags: ["Equalization"], flags: .consentsToInProcess)

    static let parameters = ParameterTree(
        [
            .parameter(
                Parameter("gain", name: "Gain", address: gainAddress, range: -96...24, default: 0, unit: .decibels))
        ] + (0..<bandCount).map { .group(band($0)) })

    /// The bands' default frequencies, in hertz.
    private static let frequencies: [Double] = [
        40, 60, 90, 130, 200, 300, 450, 650, 1000, 1500, 2200, 3300, 5000, 7500, 11_000, 16_000,
    ]

    private static func band(_ index: Int) -> ParameterGroup {
        let address = firstAddress(ofBand: index)
        let parameters = [
            Parameter("type", name: "Type", address: address, choices: BandShape.names),
            Parameter(
                "frequency", name: "Frequency", address: address + 1, range: 20...22_000,
                default: frequencies[index], unit: .hertz, flags: [.canRamp, .logarithmic]),
            Parameter(
                "bandwidth", name: "Bandwidth", address: address + 2, range: 0.05...5, default: 1, unit: .octaves),
            // A range never shrinks: states outside of it would be refused.
            Parameter("gain", name: "Gain", address: address + 3, range: -96...30, default: 0, unit: .decibels),
            Parameter("bypass", name: "Bypass", address: address + 4, isOn: false),
        ]
        return ParameterGroup("band\(index + 1)", name: "Band \(index + 1)", parameters.map { .parameter($0) })
    }

    static let factoryPresets = [
        FactoryPreset(
            "Voice Clarity",
            [
                "band1.type": 2, "band1.frequency": 80, "band3.frequency": 260, "band3.gain": -3,
                "band6.frequency": 3800, "band6.gain": 3, "band8.type": 8, "band8.frequency": 10_000, "band8.gain": 2,
            ]),
        FactoryPreset(
            "Loudness",
            [
                "band1.type": 7, "band1.frequency": 110, "band1.gain": 6, "band5.frequency": 1500, "band5.bandwidth": 2.5,
                "band5.gain": -2,
                "band8.type": 8, "band8.frequency": 8000, "band8.gain": 4, "gain": -4,
            ]),
        FactoryPreset(
            "Kick and Bass",
            [
                "band1.type": 2, "band1.frequency": 28, "band2.frequency": 62, "band2.gain": 4, "band2.bandwidth": 0.8,
                "band3.frequency": 320, "band3.gain": -4, "band6.frequency": 2800, "band6.gain": 2,
            ]),
        FactoryPreset(
            "Mains Hum at 50 Hz",
            [
                "band1.type": 6, "band1.frequency": 50, "band1.bandwidth": 0.1,
                "band2.type": 6, "band2.frequency": 100, "band2.bandwidth": 0.07,
                "band3.type": 6, "band3.frequency": 150, "band3.bandwidth": 0.05,
            ]),
        FactoryPreset(
            "Telephone",
            [
                "band1.type": 4, "band1.frequency": 300, "band1.bandwidth": 1, "band5.frequency": 1500,
                "band5.gain": 5,
                "band8.type": 3, "band8.frequency": 3400, "band8.bandwidth": 1,
            ]),
        FactoryPreset("Air", ["band8.type": 8, "band8.frequency": 12_000, "band8.gain": 6]),
    ]
}
