// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The room around a listener in a graph's document: a preset, a level and a filter. Any thread.

import AudioGraph

extension GraphDocument {
    /// The room around a listener, in which sources are heard by their `Placement.reverbBlend`.
    public struct Reverb: Hashable, Sendable {
        /// The preset.
        public var preset = AudioUnitReverbPreset.mediumHall
        /// The level in decibels, from −40 to 40.
        public var level = 0.0
        /// The filter behind it; nil: none.
        public var filter: ReverbFilter?

        /// A medium hall.
        public init() {}
    }

    /// The filter behind a room.
    public struct ReverbFilter: Hashable, Sendable {
        /// The shape.
        public var type: AudioUnitEQFilterType
        /// The frequency in hertz, from 20 to 22,000.
        public var frequency: Double
        /// The bandwidth in octaves, from 0.05 to 5.
        public var bandwidth = 0.5
        /// The gain in decibels, from −96 to 24, for the shapes that have one.
        public var gain = 0.0

        /// A filter of half an octave.
        public init(_ type: AudioUnitEQFilterType, frequency: Double) { (self.type, self.frequency) = (type, frequency) }
    }

    /// The defects of a room, as ends of sentences.
    static func defects(of reverb: Reverb) -> [String] {
        let filter = reverb.filter
        return [
            defect("reverb.level", reverb.level, -40...40), defect("reverb.filter.frequency", filter?.frequency, 20...22_000),
            defect("reverb.filter.bandwidth", filter?.bandwidth, 0.05...5), defect("reverb.filter.gain", filter?.gain, -96...24),
        ].compactMap(\.self)
    }

    /// The nodes that no room hears, although they say how much it should.
    func unheardBlends() -> [GraphDocumentError] {
        let rooms = Set(nodes.lazy.filter(\.kind.hasReverb).map(\.id))
        let heard = Set(connections.lazy.filter { rooms.contains($0.to.node) }.map(\.from.node))
        return nodes.filter { $0.placement.reverbBlend ?? 0 > 0 && !heard.contains($0.id) }.map {
            .malformed(
                node: $0.id,
                reason: "it has a \"reverbBlend\", and leads to no environment with a \"reverb\"; give one to its environment")
        }
    }
}

extension GraphDocument.Kind {
    /// True for an environment with a room.
    fileprivate var hasReverb: Bool {
        if case .environment(let environment) = self { environment.reverb != nil } else { false }
    }
}

extension GraphDocument.Reverb {
    /// The present room of an environment; nil if there is none.
    init?(of room: AudioEnvironmentReverbParameters) {
        guard room.enable else { return nil }
        (preset, level) = (room.factoryPreset, Double(room.level))
        let band = room.filterParameters
        guard !band.bypass else { return }
        var filter = GraphDocument.ReverbFilter(band.filterType, frequency: Double(band.frequency))
        (filter.bandwidth, filter.gain) = (Double(band.bandwidth), Double(band.gain))
        self.filter = filter
    }

    /// Gives an environment this room.
    func give(to room: AudioEnvironmentReverbParameters) {
        if room.factoryPreset != preset { room.loadFactoryReverbPreset(preset) }
        room.level = Float(level)
        let band = room.filterParameters
        if let filter {
            (band.filterType, band.frequency) = (filter.type, Float(filter.frequency))
            (band.bandwidth, band.gain) = (Float(filter.bandwidth), Float(filter.gain))
        }
        band.bypass = filter == nil
        room.enable = true
    }
}
