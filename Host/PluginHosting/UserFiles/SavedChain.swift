// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain as a document: its units in their order, in JSON that people can read. Any thread.

import FoundationEssentials

/// A chain as a document: everything that makes it again.
package struct SavedChain: Codable, Hashable, Sendable {
    /// The version of the document's format.
    package static let formatVersion = 1
    /// The longest document that is read and written, in bytes.
    package static let maximumByteCount = 32 << 20
    /// The most units, each of which may become a process.
    package static let maximumUnitCount = 256

    /// The document's version; that there is one tells a chain from other JSON.
    package private(set) var chain: Int
    /// The units in their order.
    package var units: [SavedUnit]
    /// The mark of the host that wrote the document, in base64; nil in a document that a person wrote.
    private var seal: Data?

    package init(_ units: [SavedUnit]) {
        chain = Self.formatVersion
        self.units = units
    }

    /// Whether they make the same units, whoever wrote them.
    package static func == (left: SavedChain, right: SavedChain) -> Bool { left.units == right.units }
    package func hash(into hasher: inout Hasher) { hasher.combine(units) }

    /// The units whose plug-ins are not installed.
    package func missingUnits(from registry: ComponentRegistry) -> [SavedUnit] {
        units.filter { $0.component(in: registry) == nil }
    }
}

extension SavedChain {
    /// The part that every version has.
    private struct Header: Decodable {
        let chain: Int
    }

    /// The document, sealed; the thrown reason says what about the chain cannot be written.
    func encoded() throws(FileDefect) -> Data {
        if let defect { throw FileDefect(defect) }
        var sealed = self
        // What cannot be written for the seal cannot be written below, either.
        sealed.seal = (try? sealedPart).flatMap { DocumentSeal.current.mark($0) }.map { Data($0) }
        let data: Data
        do { data = Data(try ReadableJSON.bytes(sealed)) } catch { throw FileDefect("it cannot be written as JSON: \(error)") }
        guard data.count <= Self.maximumByteCount else {
            throw FileDefect("it has \(data.count) bytes, and \(Self.maximumByteCount) are the most")
        }
        return data
    }

    /// Whether this user's host wrote the document, and nobody has changed it since.
    package var isOwn: Bool {
        guard let seal, let document = try? sealedPart else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: document)
    }

    /// What the seal is about: all of the document but the seal.
    private var sealedPart: [UInt8] {
        get throws {
            var plain = self
            plain.seal = nil
            return Array(try ReadableJSON.encode(plain))
        }
    }

    /// Reads a document from bytes; the thrown reason names what is wrong with it.
    package init(bytes: [UInt8]) throws(FileDefect) { try self.init(encoded: Data(bytes)) }

    /// Reads a document; the thrown reason names what is wrong with it.
    init(encoded data: Data) throws(FileDefect) {
        let header: Header
        do throws(FileDefect) {
            header = try ReadableJSON.decode(Header.self, from: data)
        } catch {
            throw FileDefect("it is not a chain of Bulkhead, for \(error.reason)")
        }
        guard header.chain == Self.formatVersion else {
            let newer = header.chain > Self.formatVersion ? "; a newer Bulkhead wrote it" : ""
            throw FileDefect("it has format \(header.chain), and this host reads \(Self.formatVersion)\(newer)")
        }
        self = try ReadableJSON.decode(SavedChain.self, from: data)
        if let defect { throw FileDefect(defect) }
    }

    /// What is wrong with the fields, or nil.
    private var defect: String? {
        if units.isEmpty { return "it has no units" }
        if units.count > Self.maximumUnitCount {
            return "it has \(units.count) units, and \(Self.maximumUnitCount) are the most"
        }
        for (index, unit) in units.enumerated() {
            if let defect = unit.defect { return "unit \(index + 1) is malformed, \(defect)" }
        }
        return nil
    }
}
