// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The state that a plug-in stores, as values and as portable bytes. Control thread.

import PluginSDK

/// A plug-in's own state: properties, and the files that it made for them.
struct SavedState: Equatable {
    struct Property: Equatable {
        /// The URIs of key and type, because numbers of URIs are private to a process.
        var key: String
        var type: String
        var flags: UInt32
        var bytes: [UInt8]
    }

    var plugin: String
    /// The preset of the state, until an instance has taken it.
    var preset: String?
    var properties: [Property] = []
    var files: [FileName: [UInt8]] = [:]
}

extension SavedState {
    private static let mark: UInt32 = 0x3253_564C
    private static let version: UInt32 = 1

    /// True if it equals a new instance's state.
    var isEmpty: Bool { preset == nil && properties.isEmpty && files.isEmpty }

    /// A mark, a version, and then each part with its length before it; little-endian.
    ///
    /// Properties are sorted, because some plug-ins store them in another order each time.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.number(Self.mark)
        writer.number(Self.version)
        writer.text(plugin)
        writer.text(preset ?? "")
        writer.number(UInt32(properties.count))
        for property in properties.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.text(property.key)
            writer.text(property.type)
            writer.number(property.flags)
            writer.blob(property.bytes)
        }
        writer.number(UInt32(files.count))
        for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
            writer.blob(name.bytes)
            writer.blob(bytes)
        }
        return writer.bytes
    }

    /// Reads the result of `bytes`; throws for other bytes, and for another plug-in's state.
    init(_ bytes: [UInt8], of plugin: String) throws(UnitError) {
        guard let state = try Self.read(bytes) else { throw .stateRefused("because it is damaged") }
        guard state.plugin.utf8.elementsEqual(plugin.utf8) else {
            throw .stateRefused("because \(state.plugin) saved it and this is \(plugin)")
        }
        for property in state.properties where property.namesOutside {
            throw .stateRefused("because \"\(property.key)\" names a file outside of it")
        }
        self = state
    }

    private static func read(_ bytes: [UInt8]) throws(UnitError) -> SavedState? {
        var reader = ByteReader(bytes)
        guard reader.number() == mark, reader.number() == version, let plugin = reader.text(), let preset = reader.text(),
            let propertyCount = reader.number()
        else { return nil }
        var state = SavedState(plugin: plugin, preset: preset.isEmpty ? nil : preset)
        for _ in 0..<propertyCount {
            guard let key = reader.text(), let type = reader.text(), let flags = reader.number(), let bytes = reader.blob()
            else { return nil }
            state.properties.append(Property(key: key, type: type, flags: flags, bytes: bytes))
        }
        guard let fileCount = reader.number() else { return nil }
        for _ in 0..<fileCount {
            guard let name = reader.blob(), let bytes = reader.blob() else { return nil }
            guard let name = FileName(name) else {
                throw .stateRefused("because it holds a file named \"\(String(decoding: name, as: UTF8.self))\"")
            }
            state.files[name] = bytes
        }
        return reader.isAtEnd ? state : nil
    }
}

extension SavedState.Property {
    /// True if it is a path that is neither absolute nor inside the state's folder.
    fileprivate var namesOutside: Bool {
        guard type == Names.atom + "Path" else { return false }
        let path = bytes.prefix { $0 != 0 }
        return !path.isEmpty && !FileName.isAbsolute(path) && FileName(path) == nil
    }
}

/// Writes numbers, texts and blobs one after another.
private struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }

    mutating func blob(_ blob: some Collection<UInt8>) {
        number(UInt32(blob.count))
        bytes.append(contentsOf: blob)
    }

    mutating func text(_ text: String) { blob(text.utf8) }
}

/// Reads them back; nil at the first missing item.
private struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt32? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func blob() -> [UInt8]? {
        guard let count = number(), rest.count >= Int(count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? { blob().flatMap { String(validating: $0, as: UTF8.self) } }
}
