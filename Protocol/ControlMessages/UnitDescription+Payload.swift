// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The encoding of a unit's description, its presets and its texts. Control thread.

import AudioUnits
import Wire

extension UnitDescription {
    func write(to writer: inout PayloadWriter) {
        writer.write(component)
        writer.write(optional: classicIdentifier)
        writer.write(version.rawValue)
        writer.write(flags.rawValue)
        writer.write(UInt8(channelCountsMatch ? 1 : 0))
        writer.write(name)
        writer.write(manufacturerName)
        writer.write(tags) { $0.write($1) }
        writer.write(inputs) { $0.write($1) }
        writer.write(outputs) { $0.write($1) }
    }

    init(from reader: inout PayloadReader) throws(WireViolation) {
        let component = try reader.readComponent()
        let classicIdentifier = try reader.readOptionalString()
        let version = UnitVersion(rawValue: try reader.read(UInt32.self))
        let flags = UnitFlags(rawValue: try reader.read(UInt32.self))
        let channelCountsMatch = try reader.read(UInt8.self) != 0
        let name = try reader.readString()
        let manufacturerName = try reader.readString()
        let tags = try reader.readItems(minimumByteCount: 4) { reader throws(WireViolation) in try reader.readString() }
        let inputs = try reader.readBuses()
        let outputs = try reader.readBuses()
        self.init(
            component, classicIdentifier: classicIdentifier, name: name, manufacturerName: manufacturerName, version: version,
            tags: tags, flags: flags,
            inputs: inputs, outputs: outputs, channelCountsMatch: channelCountsMatch)
    }
}

extension FactoryPreset {
    func write(to writer: inout PayloadWriter) {
        writer.write(name)
        writer.write(values)
    }

    init(from reader: inout PayloadReader) throws(WireViolation) {
        let name = try reader.readString()
        self.init(name, try reader.readValues())
    }
}

extension TextProperty {
    func write(to writer: inout PayloadWriter) {
        writer.write(identifier)
        writer.write(name)
        writer.write(kind.rawValue)
    }

    init(from reader: inout PayloadReader) throws(WireViolation) {
        let identifier = try reader.readIdentifier(maximumByteCount: ParameterTree.maximumKeyPathByteCount)
        let name = try reader.readString()
        self.init(identifier, name: name, kind: Kind(rawValue: try reader.read(UInt8.self)) ?? .text)
    }
}

extension PayloadWriter {
    mutating func write(optional text: String?) {
        write(UInt8(text == nil ? 0 : 1))
        if let text { write(text) }
    }

    /// Writes texts by identifier, sorted, so that equal texts have equal bytes.
    mutating func write(_ texts: [String: String]) {
        write(texts.sorted { $0.key < $1.key }) { writer, text in
            writer.write(text.key)
            writer.write(text.value)
        }
    }

    mutating func write(_ component: ComponentDescription) {
        write(component.type.rawValue)
        write(component.subtype.rawValue)
        write(component.manufacturer.rawValue)
    }

    mutating func write(_ bus: Bus) {
        write(bus.name)
        write(UInt32(bus.defaultFormat.channelCount))
        write(UInt8(bus.isOptional ? 1 : 0))
        write(bus.supportedChannelCounts) { $0.write(UInt32($1)) }
    }

    /// Writes values by key path, sorted, so that equal values have equal bytes.
    mutating func write(_ values: [String: Double]) {
        write(values.sorted { $0.key < $1.key }) { writer, value in
            writer.write(value.key)
            writer.write(value.value)
        }
    }
}

extension PayloadReader {
    mutating func readOptionalString() throws(WireViolation) -> String? {
        try read(UInt8.self) == 0 ? nil : try readString()
    }

    mutating func readTextValues() throws(WireViolation) -> [String: String] {
        let pairs = try readItems(minimumByteCount: 8) { reader throws(WireViolation) in
            (try reader.readString(), try reader.readString())
        }
        return Dictionary(pairs) { _, last in last }
    }

    mutating func readComponent() throws(WireViolation) -> ComponentDescription {
        let type = FourCharCode(rawValue: try read(UInt32.self))
        let subtype = FourCharCode(rawValue: try read(UInt32.self))
        let manufacturer = FourCharCode(rawValue: try read(UInt32.self))
        for code in [type, subtype, manufacturer] where code == .any || !code.isPrintable {
            throw WireViolation("a component \"\(type):\(subtype):\(manufacturer)\", whose codes are not all four characters")
        }
        return ComponentDescription(type: type, subtype: subtype, manufacturer: manufacturer)
    }

    mutating func readBuses() throws(WireViolation) -> [Bus] {
        let buses = try readItems(minimumByteCount: 13) { reader throws(WireViolation) in
            let name = try reader.readString()
            let channelCount = try reader.readChannelCount()
            let isOptional = try reader.read(UInt8.self) != 0
            let counts = try reader.readItems(minimumByteCount: 4) { reader throws(WireViolation) in
                try reader.readChannelCount()
            }
            return Bus(name, channelCount: channelCount, supportedChannelCounts: counts, isOptional: isOptional)
        }
        guard buses.count <= WireLimits.busCount else { throw WireViolation("\(buses.count) buses") }
        return buses
    }

    mutating func readChannelCount() throws(WireViolation) -> Int {
        let count = try read(UInt32.self)
        guard count <= WireLimits.channelCount else { throw WireViolation("\(count) channels") }
        return Int(count)
    }

    mutating func readValues() throws(WireViolation) -> [String: Double] {
        // At most one value for each parameter.
        let most = ParameterTree.maximumParameterCount
        let pairs = try readItems("values", most: most, minimumByteCount: 12) { reader throws(WireViolation) in
            let keyPath = try reader.readIdentifier(maximumByteCount: ParameterTree.maximumKeyPathByteCount)
            return (keyPath, try reader.readDouble())
        }
        return Dictionary(pairs) { _, last in last }
    }
}
