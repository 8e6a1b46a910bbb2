// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The encoding of a unit's full state, in messages and on disk. Control thread.

import AudioUnits
import Wire

extension FullState {
    /// The version of this encoding.
    static let encodingVersion: UInt32 = 2

    /// The state as bytes; equal states have equal bytes.
    package var encoded: [UInt8] {
        var writer = PayloadWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Reads the bytes of `encoded`.
    ///
    /// Throws `WireViolation` for any other bytes.
    package init(encoded bytes: [UInt8]) throws(WireViolation) {
        var reader = PayloadReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    func write(to writer: inout PayloadWriter) {
        writer.write(Self.encodingVersion)
        writer.write(component)
        writer.write(optional: classicIdentifier)
        writer.write(version.rawValue)
        writer.write(values)
        writer.write(texts)
        writer.write(custom)
    }

    init(from reader: inout PayloadReader) throws(WireViolation) {
        let encoding = try reader.read(UInt32.self)
        // The first encoding had neither classic formats nor texts.
        guard (1...Self.encodingVersion).contains(encoding) else {
            throw WireViolation("a state in encoding \(encoding); 1 to \(Self.encodingVersion) are understood")
        }
        let component = try reader.readComponent()
        let classicIdentifier = encoding < 2 ? nil : try reader.readOptionalString()
        let version = UnitVersion(rawValue: try reader.read(UInt32.self))
        let values = try reader.readValues()
        let texts = encoding < 2 ? [:] : try reader.readTextValues()
        self.init(
            component: component, classicIdentifier: classicIdentifier, version: version, values: values, texts: texts,
            custom: try reader.readBlob())
    }
}
