// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mapping from a knob, a key or a program to a value, with its range. Any thread.

import JSON
import PluginHosting
import Printing

/// The effect of one source of MIDI.
package struct ControlMapping: Hashable, Sendable {
    /// The most mappings of a session.
    static let mostMappings = 1000

    /// The knob, key or program.
    package var source: MIDISource
    /// The target: `NODE.PARAMETER`, `NODE.volume`, `bypass NODE`, `scene NAME` or `panic`.
    package var path: String
    /// The values at both ends, in the parameter's unit.
    package var range: MappedRange
    /// The curve from positions to values.
    package var curve: MappingCurve
    /// True if the target keeps its value until the knob has met it.
    package var picksUp: Bool

    /// A sentence about the mapping's defect; nil without one.
    var defect: String? {
        if path.isEmpty || path.utf8.count > 1000 || !PrintableText.isPrintable(path) {
            return "A mapping's path has 1 to 1000 bytes that can be shown."
        }
        if !range.minimum.isFinite || !range.maximum.isFinite || !(range.maximum - range.minimum).isFinite {
            return "The ends of a mapping are numbers."
        }
        if curve == .logarithmic, !range.takesRatios {
            return "A logarithmic mapping has two ends above 0, or two below."
        }
        if source.kind == .program, curve.isContinuous { return "A program has no positions; its curve is switch or toggle." }
        return nil
    }

    /// The mapping as clients read it.
    var json: JSONValue {
        .object([
            "source": .text(source.text), "path": .text(path), "minimum": .number(range.minimum), "maximum": .number(range.maximum),
            "curve": .text(curve.rawValue), "pickUp": .flag(picksUp),
        ])
    }
}

extension ControlMapping: Codable {
    private enum Keys: String, CodingKey { case source, path, minimum, maximum, curve, pickUp }

    /// Reads and checks a mapping.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        source = try container.decode(MIDISource.self, forKey: .source)
        path = try container.decode(String.self, forKey: .path)
        range = MappedRange(
            minimum: try container.decode(Double.self, forKey: .minimum),
            maximum: try container.decode(Double.self, forKey: .maximum))
        curve = try container.decode(MappingCurve.self, forKey: .curve)
        picksUp = try container.decode(Bool.self, forKey: .pickUp)
        if let defect { throw DecodingError.dataCorruptedError(forKey: .path, in: container, debugDescription: defect) }
    }

    /// Writes the mapping.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(source, forKey: .source)
        try container.encode(path, forKey: .path)
        try container.encode(range.minimum, forKey: .minimum)
        try container.encode(range.maximum, forKey: .maximum)
        try container.encode(curve, forKey: .curve)
        try container.encode(picksUp, forKey: .pickUp)
    }
}
