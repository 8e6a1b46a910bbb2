// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Notes which keys of a document are read while it is decoded, so that the others can be named. Any thread.

import FoundationEssentials
import Synchronization

/// The keys of each object of a document, and the keys that its type asked for.
final class KeyNotes: Sendable {
    /// The keys of one object.
    final class Note: Sendable {
        let path: [UnknownKey.Step]
        let present: [String]
        private let asked = Mutex<Set<String>>([])

        init(_ path: [UnknownKey.Step], present: [String]) { (self.path, self.present) = (path, present) }

        /// Notes a key that a type asked for.
        func ask(_ key: String) { _ = asked.withLock { $0.insert(key) } }

        /// The first key that no type asked for; nil if there is none.
        var unknown: UnknownKey? {
            let asked = asked.withLock { $0 }
            return present.filter { !asked.contains($0) }.min().map { UnknownKey(path: path, key: $0, known: asked.sorted()) }
        }
    }

    private let notes = Mutex<[[UnknownKey.Step]: Note]>([:])

    /// The note of an object; a type may open the object more than once.
    func note(_ path: [any CodingKey], _ keys: [String]) -> Note {
        let steps = path.map { UnknownKey.Step($0) }
        return notes.withLock { notes in
            if let known = notes[steps] { return known }
            let note = Note(steps, present: keys)
            notes[steps] = note
            return note
        }
    }

    /// An outermost key that no type asked for; nil if there is none.
    var unknown: UnknownKey? {
        let found = notes.withLock { $0.values.compactMap(\.unknown) }
        return found.min { ($0.path.count, "\($0.path)") < ($1.path.count, "\($1.path)") }
    }
}

/// A value of a document, read with notes.
struct NotedValue<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        let notes = CodingUserInfoKey.keyNotes.flatMap { decoder.userInfo[$0] } as? KeyNotes
        value = try notes.map { try Value(from: NotingDecoder(base: decoder, notes: $0)) } ?? Value(from: decoder)
    }
}

extension CodingUserInfoKey {
    /// The notes of a decoder.
    static let keyNotes = CodingUserInfoKey(rawValue: "keyNotes")
}

/// Any key.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?
    init?(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init?(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

/// Reads from another decoder, and notes the keys.
private struct NotingDecoder: Decoder {
    let base: any Decoder
    let notes: KeyNotes
    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let container = try base.container(keyedBy: type)
        let all = try base.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        return KeyedDecodingContainer(NotingContainer(base: container, note: notes.note(codingPath, all), notes: notes))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        NotingList(base: try base.unkeyedContainer(), notes: notes)
    }

    // A single value has no keys.
    func singleValueContainer() throws -> any SingleValueDecodingContainer { try base.singleValueContainer() }

    /// Reads a value whose own keys are noted; bytes are base64 in JSON, which the other decoder reads.
    static func value<Value: Decodable>(
        _ type: Value.Type, _ base: () throws -> Value, _ decoder: () throws -> any Decoder, _ notes: KeyNotes
    ) throws -> Value {
        if type == Data.self { return try base() }
        return try Value(from: NotingDecoder(base: try decoder(), notes: notes))
    }
}

/// Reads from another container, and notes each key that is asked for.
private struct NotingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let note: KeyNotes.Note
    let notes: KeyNotes
    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] { base.allKeys }

    private func asked(_ key: Key) -> KeyedDecodingContainer<Key> {
        note.ask(key.stringValue)
        return base
    }

    func contains(_ key: Key) -> Bool { asked(key).contains(key) }
    func decodeNil(forKey key: Key) throws -> Bool { try asked(key).decodeNil(forKey: key) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try asked(key).decode(type, forKey: key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try asked(key).decode(type, forKey: key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try asked(key).decode(type, forKey: key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try asked(key).decode(type, forKey: key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let base = asked(key)
        // The other container has the error of a key that is missing.
        guard base.contains(key) else { return try base.decode(type, forKey: key) }
        return try NotingDecoder.value(
            type, { try base.decode(type, forKey: key) }, { try base.superDecoder(forKey: key) }, notes)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { NotingDecoder(base: try base.superDecoder(), notes: notes) }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        NotingDecoder(base: try asked(key).superDecoder(forKey: key), notes: notes)
    }
}

/// Reads from another list, and notes the keys in its elements.
private struct NotingList: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let notes: KeyNotes
    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Data.self { return try base.decode(type) }
        return try Value(from: NotingDecoder(base: try base.superDecoder(), notes: notes))
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try superDecoder().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try superDecoder().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { NotingDecoder(base: try base.superDecoder(), notes: notes) }
}
