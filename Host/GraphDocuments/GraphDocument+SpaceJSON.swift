// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes the space of a graph's document as JSON. Any thread.

import AudioGraph

/// A choice that documents write as a word.
package protocol DocumentWord: Hashable, Sendable {
    /// The words of all choices.
    static var words: [(word: String, value: Self)] { get }
}

extension DocumentWord {
    /// Its word in documents.
    package var word: String { Self.words.first { $0.value == self }?.word ?? "" }
}

extension AudioRenderingAlgorithm: DocumentWord {
    package static let words: [(word: String, value: AudioRenderingAlgorithm)] = [
        ("equalPower", .equalPowerPanning), ("sphericalHead", .sphericalHead), ("HRTF", .HRTF), ("HRTFHQ", .HRTFHQ),
        ("soundField", .soundField), ("stereoPassThrough", .stereoPassThrough), ("auto", .auto),
    ]
}

extension AudioSourceMode: DocumentWord {
    package static let words: [(word: String, value: AudioSourceMode)] = [
        ("spatializeIfMono", .spatializeIfMono), ("bypass", .bypass), ("pointSource", .pointSource), ("ambienceBed", .ambienceBed),
    ]
}

extension AudioPointSourceInHeadMode: DocumentWord {
    package static let words: [(word: String, value: AudioPointSourceInHeadMode)] = [("mono", .mono), ("bypass", .bypass)]
}

extension AudioEnvironmentOutputType: DocumentWord {
    package static let words: [(word: String, value: AudioEnvironmentOutputType)] = [
        ("auto", .auto), ("headphones", .headphones), ("builtInSpeakers", .builtInSpeakers),
        ("externalSpeakers", .externalSpeakers),
    ]
}

extension AudioDistanceAttenuationModel: DocumentWord {
    package static let words: [(word: String, value: AudioDistanceAttenuationModel)] = [
        ("exponential", .exponential), ("inverse", .inverse), ("linear", .linear),
    ]
}

extension AudioPath.Shape: DocumentWord {
    package static let words: [(word: String, value: AudioPath.Shape)] = [("lines", .lines), ("spline", .spline)]
}

/// A word that is no choice, or a key beside another one that excludes it.
struct UnknownWord: Error {
    /// The word and all choices, or both keys, as the end of a sentence.
    let reason: String
}

extension KeyedDecodingContainer {
    /// Reads a choice; throws `UnknownWord` for another one.
    func word<Choice: DocumentWord>(_ type: Choice.Type, forKey key: Key) throws -> Choice? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let value = Choice.words.first(where: { $0.word == text })?.value { return value }
        let all = Choice.words.map(\.word).joined(separator: ", ")
        throw UnknownWord(reason: "\"\(key.stringValue)\" is \(GraphDocumentError.quoted(text)), and has to be one of \(all)")
    }
}

extension GraphDocument.Placement {
    enum Key: String, CodingKey {
        case algorithm, sourceMode, inHeadMode, obstruction, occlusion, reverbBlend, path
    }

    /// Reads the fields of a node.
    init(_ container: KeyedDecodingContainer<Key>) throws {
        algorithm = try container.word(AudioRenderingAlgorithm.self, forKey: .algorithm)
        mode = try container.word(AudioSourceMode.self, forKey: .sourceMode)
        inHeadMode = try container.word(AudioPointSourceInHeadMode.self, forKey: .inHeadMode)
        obstruction = try container.decodeIfPresent(Double.self, forKey: .obstruction)
        occlusion = try container.decodeIfPresent(Double.self, forKey: .occlusion)
        reverbBlend = try container.decodeIfPresent(Double.self, forKey: .reverbBlend)
        path = try container.decodeIfPresent(GraphDocument.Path.self, forKey: .path)
    }

    /// Writes what the document says.
    func encode(to container: inout KeyedEncodingContainer<Key>) throws {
        try container.encodeIfPresent(algorithm?.word, forKey: .algorithm)
        try container.encodeIfPresent(mode?.word, forKey: .sourceMode)
        try container.encodeIfPresent(inHeadMode?.word, forKey: .inHeadMode)
        try container.encodeIfPresent(obstruction, forKey: .obstruction)
        try container.encodeIfPresent(occlusion, forKey: .occlusion)
        try container.encodeIfPresent(reverbBlend, forKey: .reverbBlend)
        try container.encodeIfPresent(path, forKey: .path)
    }
}

extension GraphDocument.Environment: Codable {
    private enum Key: String, CodingKey {
        case path = "listenerPath"
        case outputVolume, listener, yaw, pitch, roll, headPoses, head, outputType, distance, air, doppler, reverb
    }

    /// Reads the fields of a node.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        outputVolume = try container.decodeIfPresent(Double.self, forKey: .outputVolume) ?? 1
        listener = try container.decodeIfPresent(GraphDocument.Place.self, forKey: .listener) ?? listener
        yaw = try container.decodeIfPresent(Double.self, forKey: .yaw) ?? 0
        pitch = try container.decodeIfPresent(Double.self, forKey: .pitch) ?? 0
        roll = try container.decodeIfPresent(Double.self, forKey: .roll) ?? 0
        path = try container.decodeIfPresent(GraphDocument.Path.self, forKey: .path)
        headPoses = try container.decodeIfPresent(GraphDocument.HeadPoses.self, forKey: .headPoses)
        if headPoses != nil, let angle = [Key.yaw, .pitch, .roll].first(where: container.contains) {
            let key = "\"\(angle.stringValue)\""
            throw UnknownWord(reason: "it has \"headPoses\" and \(key), and can have one of them")
        }
        head = try container.decodeIfPresent(String.self, forKey: .head)
        outputType = try container.word(AudioEnvironmentOutputType.self, forKey: .outputType)
        distance = try container.decodeIfPresent(GraphDocument.Distance.self, forKey: .distance)
        air = try container.decodeIfPresent(GraphDocument.Air.self, forKey: .air)
        hasDoppler = try container.decodeIfPresent(Bool.self, forKey: .doppler) ?? false
        reverb = try container.decodeIfPresent(GraphDocument.Reverb.self, forKey: .reverb)
    }

    /// Writes the listener, and of the rest what the document says.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(outputVolume, forKey: .outputVolume)
        if path == nil { try container.encode(listener, forKey: .listener) }
        if headPoses == nil {
            try container.encode(yaw, forKey: .yaw)
            try container.encode(pitch, forKey: .pitch)
            try container.encode(roll, forKey: .roll)
        }
        try container.encodeIfPresent(headPoses, forKey: .headPoses)
        try container.encodeIfPresent(path, forKey: .path)
        try container.encodeIfPresent(head, forKey: .head)
        try container.encodeIfPresent(outputType?.word, forKey: .outputType)
        try container.encodeIfPresent(distance, forKey: .distance)
        try container.encodeIfPresent(air, forKey: .air)
        if hasDoppler { try container.encode(hasDoppler, forKey: .doppler) }
        try container.encodeIfPresent(reverb, forKey: .reverb)
    }
}

extension GraphDocument.Path: Codable {
    private enum Key: String, CodingKey {
        case points, shape, repeats
    }

    /// Reads the places, the shape and the repeats.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        points = try container.decode([GraphDocument.Point].self, forKey: .points)
        shape = try container.word(AudioPath.Shape.self, forKey: .shape) ?? .lines
        repeats = try container.decodeIfPresent(Int.self, forKey: .repeats) ?? 1
    }

    /// Writes the way without defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        if shape != .lines { try container.encode(shape.word, forKey: .shape) }
        if repeats != 1 { try container.encode(repeats, forKey: .repeats) }
        try container.encode(points, forKey: .points)
    }
}

extension GraphDocument.HeadPoses: Codable {
    private enum Key: String, CodingKey {
        case path, shape
    }

    /// Reads the file's path and the shape.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        path = try container.decode(String.self, forKey: .path)
        shape = try container.word(AudioPath.Shape.self, forKey: .shape) ?? .lines
    }

    /// Writes the file's path, and another shape than lines.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(path, forKey: .path)
        if shape != .lines { try container.encode(shape.word, forKey: .shape) }
    }
}

extension GraphDocument.Point: Codable {
    private enum Key: String, CodingKey {
        case time = "at"
        case position
    }

    /// Reads the seconds and the place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        time = try container.decode(Double.self, forKey: .time)
        position = try container.decode(GraphDocument.Place.self, forKey: .position)
    }

    /// Writes the seconds and the place.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(time, forKey: .time)
        try container.encode(position, forKey: .position)
    }
}

extension GraphDocument.Distance: Codable {
    private enum Key: String, CodingKey {
        case model, reference, maximum, rolloff
    }

    /// Reads what differs from the usual law.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        model = try container.word(AudioDistanceAttenuationModel.self, forKey: .model) ?? model
        reference = try container.decodeIfPresent(Double.self, forKey: .reference) ?? reference
        maximum = try container.decodeIfPresent(Double.self, forKey: .maximum) ?? maximum
        rolloff = try container.decodeIfPresent(Double.self, forKey: .rolloff) ?? rolloff
    }

    /// Writes the law.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(model.word, forKey: .model)
        try container.encode(reference, forKey: .reference)
        try container.encode(maximum, forKey: .maximum)
        try container.encode(rolloff, forKey: .rolloff)
    }
}

extension GraphDocument.Air: Codable {
    private enum Key: String, CodingKey {
        case temperature, humidity
    }

    /// Reads what differs from the usual air.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        temperature = try container.decodeIfPresent(Double.self, forKey: .temperature) ?? temperature
        humidity = try container.decodeIfPresent(Double.self, forKey: .humidity) ?? humidity
    }

    /// Writes the air.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(temperature, forKey: .temperature)
        try container.encode(humidity, forKey: .humidity)
    }
}
