// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The identity of a component: type, subtype and manufacturer, and queries over them. Any thread.

/// The kind of unit that a component makes; the raw value is its four-character code.
public enum ComponentType: String, CaseIterable, Sendable {
    /// Processes audio.
    case effect = "aufx"
    /// Makes sound from MIDI events.
    case instrument = "aumu"
    /// Processes audio and takes MIDI events.
    case musicEffect = "aumf"
    /// Makes sound without any input.
    case generator = "augn"
    /// Converts between formats, such as sample rates.
    case formatConverter = "aufc"
    /// Mixes several inputs.
    case mixer = "aumx"
    /// Takes MIDI events and emits others.
    case midiProcessor = "aumi"
    /// Makes units of the plug-ins of a classic format; it is not a unit itself.
    case bridge = "brdg"

    /// The type as a four-character code.
    public var code: FourCharCode { FourCharCode(rawValue)! }

    /// The type that has this code; nil for a code of no known type.
    public init?(code: FourCharCode) { self.init(rawValue: code.description) }

    /// The name of the type in the middle of a sentence, such as `music effect`.
    public var name: String {
        switch self {
        case .effect: "effect"
        case .instrument: "instrument"
        case .musicEffect: "music effect"
        case .generator: "generator"
        case .formatConverter: "format converter"
        case .mixer: "mixer"
        case .midiProcessor: "MIDI processor"
        case .bridge: "bridge"
        }
    }
}

/// The three codes that identify a component.
///
/// In a query, `FourCharCode.any` matches every code.
public struct ComponentDescription: Hashable, Sendable {
    /// The kind of unit; the code of a `ComponentType`.
    public var type: FourCharCode
    /// Distinguishes components of the same manufacturer and type.
    public var subtype: FourCharCode
    /// The code of the manufacturer.
    public var manufacturer: FourCharCode

    /// Makes a query, or a description from three codes; a code left out matches every code.
    public init(type: FourCharCode = .any, subtype: FourCharCode = .any, manufacturer: FourCharCode = .any) {
        self.type = type
        self.subtype = subtype
        self.manufacturer = manufacturer
    }

    /// Makes the description of a component of a known type.
    public init(_ type: ComponentType, _ subtype: FourCharCode, _ manufacturer: FourCharCode) {
        self.init(type: type.code, subtype: subtype, manufacturer: manufacturer)
    }

    /// Reads `type:subtype:manufacturer`, such as `aufx:gain:blkh`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { FourCharCode(String($0)) }
        guard parts.count == 3, let type = parts[0], let subtype = parts[1], let manufacturer = parts[2] else { return nil }
        self.init(type: type, subtype: subtype, manufacturer: manufacturer)
    }

    /// True if this query matches `component`.
    public func matches(_ component: ComponentDescription) -> Bool {
        (type == .any || type == component.type) && (subtype == .any || subtype == component.subtype)
            && (manufacturer == .any || manufacturer == component.manufacturer)
    }
}

extension ComponentDescription: CustomStringConvertible {
    /// The form that `init(_:)` reads: `type:subtype:manufacturer`.
    public var description: String { "\(type):\(subtype):\(manufacturer)" }
}

/// A version of three numbers, packed into 32 bits.
///
/// Major takes the highest 12 bits, minor 10 and patch 10. Versions compare in that order.
public struct UnitVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The packed number, as messages carry it.
    public let rawValue: UInt32

    /// Unpacks a version from a message.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Makes a version; major must be below 4096, minor and patch below 1024.
    ///
    /// Higher bits are dropped.
    public init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) {
        rawValue = (major & 0xFFF) << 20 | (minor & 0x3FF) << 10 | (patch & 0x3FF)
    }

    /// The version as `major.minor.patch`.
    public var description: String { "\(rawValue >> 20).\(rawValue >> 10 & 0x3FF).\(rawValue & 0x3FF)" }

    /// True if `left` is the older version.
    public static func < (left: UnitVersion, right: UnitVersion) -> Bool { left.rawValue < right.rawValue }
}
