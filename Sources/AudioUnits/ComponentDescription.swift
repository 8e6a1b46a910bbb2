// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a component is: type, subtype and manufacturer, and queries over them. Any thread.

/// What kind of unit a component makes.
public enum ComponentType: String, CaseIterable, Sendable {
    case effect = "aufx"
    case instrument = "aumu"
    case musicEffect = "aumf"
    case generator = "augn"
    case formatConverter = "aufc"
    case mixer = "aumx"
    case midiProcessor = "aumi"
    /// No unit itself: makes units of the plug-ins of a classic format.
    case bridge = "brdg"

    public var code: FourCharCode { FourCharCode(rawValue)! }

    public init?(code: FourCharCode) { self.init(rawValue: code.description) }

    /// The type's name in a sentence.
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

/// The triple that names a component. In a query, `FourCharCode.any` matches everything.
public struct ComponentDescription: Hashable, Sendable {
    public var type: FourCharCode
    public var subtype: FourCharCode
    public var manufacturer: FourCharCode

    public init(type: FourCharCode = .any, subtype: FourCharCode = .any, manufacturer: FourCharCode = .any) {
        self.type = type
        self.subtype = subtype
        self.manufacturer = manufacturer
    }

    public init(_ type: ComponentType, _ subtype: FourCharCode, _ manufacturer: FourCharCode) {
        self.init(type: type.code, subtype: subtype, manufacturer: manufacturer)
    }

    /// Reads `type:subtype:manufacturer`, such as `aufx:gain:blkh`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { FourCharCode(String($0)) }
        guard parts.count == 3, let type = parts[0], let subtype = parts[1], let manufacturer = parts[2] else { return nil }
        self.init(type: type, subtype: subtype, manufacturer: manufacturer)
    }

    /// Whether `component` is among what this query asks for.
    public func matches(_ component: ComponentDescription) -> Bool {
        (type == .any || type == component.type) && (subtype == .any || subtype == component.subtype)
            && (manufacturer == .any || manufacturer == component.manufacturer)
    }
}

extension ComponentDescription: CustomStringConvertible {
    public var description: String { "\(type):\(subtype):\(manufacturer)" }
}

/// A version of three numbers, major, minor and patch, each below 2^10 (major 2^12).
public struct UnitVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) {
        rawValue = (major & 0xFFF) << 20 | (minor & 0x3FF) << 10 | (patch & 0x3FF)
    }

    public var description: String { "\(rawValue >> 20).\(rawValue >> 10 & 0x3FF).\(rawValue & 0x3FF)" }

    public static func < (left: UnitVersion, right: UnitVersion) -> Bool { left.rawValue < right.rawValue }
}
