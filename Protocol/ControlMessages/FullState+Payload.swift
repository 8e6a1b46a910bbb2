// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How a unit's full state travels and lies on disk. Control thread.

import AudioUnits
import Wire

extension FullState {
    /// The version of this encoding.
    static let encodingVersion: UInt32 = 1

    /// The state as bytes; equal states are equal bytes.
    public var encoded: [UInt8] {
        var writer = PayloadWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads bytes that `encoded` made.
    public init(encoded bytes: [UInt8]) throws(WireViolation) {
        var reader = PayloadReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    func write(to writer: inout PayloadWriter) {
        writer.write(Self.encodingVersion)
        writer.write(component)
        writer.write(version.rawValue)
        writer.write(values)
        writer.write(custom)
    }

    init(from reader: inout PayloadReader) throws(WireViolation) {
        let encoding = try reader.read(UInt32.self)
        guard encoding == Self.encodingVersion else {
            throw WireViolation("a state in encoding \(encoding); \(Self.encodingVersion) is understood")
        }
        let component = try reader.readComponent()
        let version = UnitVersion(rawValue: try reader.read(UInt32.self))
        let values = try reader.readValues()
        self.init(component: component, version: version, values: values, custom: try reader.readBlob())
    }
}
