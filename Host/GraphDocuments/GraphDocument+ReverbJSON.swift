// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes the room of a graph's document as JSON. Any thread.

import AudioGraph

extension AudioUnitReverbPreset: DocumentWord {
    package static let words: [(word: String, value: AudioUnitReverbPreset)] = [
        ("smallRoom", .smallRoom), ("mediumRoom", .mediumRoom), ("largeRoom", .largeRoom), ("largeRoom2", .largeRoom2),
        ("mediumHall", .mediumHall), ("mediumHall2", .mediumHall2), ("mediumHall3", .mediumHall3), ("largeHall", .largeHall),
        ("largeHall2", .largeHall2), ("plate", .plate), ("mediumChamber", .mediumChamber), ("largeChamber", .largeChamber),
        ("cathedral", .cathedral),
    ]
}

extension AudioUnitEQFilterType: DocumentWord {
    package static let words: [(word: String, value: AudioUnitEQFilterType)] = [
        ("parametric", .parametric), ("lowPass", .lowPass), ("highPass", .highPass), ("resonantLowPass", .resonantLowPass),
        ("resonantHighPass", .resonantHighPass), ("bandPass", .bandPass), ("bandStop", .bandStop), ("lowShelf", .lowShelf),
        ("highShelf", .highShelf), ("resonantLowShelf", .resonantLowShelf), ("resonantHighShelf", .resonantHighShelf),
    ]
}

extension GraphDocument.Reverb: Codable {
    private enum Key: String, CodingKey {
        case preset, level, filter
    }

    /// Reads what differs from a medium hall.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        preset = try container.word(AudioUnitReverbPreset.self, forKey: .preset) ?? preset
        level = try container.decodeIfPresent(Double.self, forKey: .level) ?? level
        filter = try container.decodeIfPresent(GraphDocument.ReverbFilter.self, forKey: .filter)
    }

    /// Writes the room.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(preset.word, forKey: .preset)
        try container.encode(level, forKey: .level)
        try container.encodeIfPresent(filter, forKey: .filter)
    }
}

extension GraphDocument.ReverbFilter: Codable {
    private enum Key: String, CodingKey {
        case type, frequency, bandwidth, gain
    }

    /// Reads a shape, a frequency, and what differs from half an octave without a gain.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        type = try container.word(AudioUnitEQFilterType.self, forKey: .type) ?? .parametric
        frequency = try container.decode(Double.self, forKey: .frequency)
        bandwidth = try container.decodeIfPresent(Double.self, forKey: .bandwidth) ?? bandwidth
        gain = try container.decodeIfPresent(Double.self, forKey: .gain) ?? gain
    }

    /// Writes the filter.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(type.word, forKey: .type)
        try container.encode(frequency, forKey: .frequency)
        try container.encode(bandwidth, forKey: .bandwidth)
        try container.encode(gain, forKey: .gain)
    }
}
