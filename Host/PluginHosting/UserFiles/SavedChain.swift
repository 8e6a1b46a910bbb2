// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A chain as a document: its units in their order, in JSON that people can read. Any thread.

import FoundationEssentials

/// A chain as a document, with everything that is needed to make it again.
package struct SavedChain: Codable, Hashable, Sendable {
    /// The version of the document's format.
    package static let formatVersion = 1
    /// The most bytes of a document that is read or written.
    package static let maximumByteCount = 32 << 20
    /// The most units, each of which may become a process.
    package static let maximumUnitCount = 256

    /// The document's version; its presence tells a chain from other JSON.
    package private(set) var chain: Int
    /// The units in their order.
    package var units: [SavedUnit]
    /// The mark of the host that wrote the document, in base64; nil in a document that a person wrote.
    private var seal: Data?

    package init(_ units: [SavedUnit]) {
        chain = Self.formatVersion
        self.units = units
    }

    /// True if both make the same units; their seals do not count.
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

    /// The document, sealed; the thrown reason names the part of the chain that cannot be written.
    func encoded() throws(FileDefect) -> Data {
        if let defect { throw FileDefect(defect) }
        var sealed = self
        // If this fails, the same error is thrown below.
        sealed.seal = (try? sealedPart).flatMap { DocumentSeal.current.mark($0) }.map { Data($0) }
        let data: Data
        do { data = Data(try ReadableJSON.bytes(sealed)) } catch { throw FileDefect("it cannot be written as JSON: \(error)") }
        guard data.count <= Self.maximumByteCount else {
            throw FileDefect("it has \(data.count) bytes, and \(Self.maximumByteCount) are the most")
        }
        return data
    }

    /// True if this user's host wrote the document, and it has not changed since.
    package var isOwn: Bool {
        guard let seal, let document = try? sealedPart else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: document)
    }

    /// The part under the seal: all of the document but the seal.
    private var sealedPart: [UInt8] {
        get throws {
            var plain = self
            plain.seal = nil
            return Array(try ReadableJSON.encode(plain))
        }
    }

    /// Reads a document from bytes; the thrown reason names its defect.
    package init(bytes: [UInt8]) throws(FileDefect) { try self.init(encoded: Data(bytes)) }

    /// Reads a document; the thrown reason names its defect.
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
        let unknown: UnknownKey?
        (self, unknown) = try ReadableJSON.document(SavedChain.self, in: data)
        if let unknown { throw FileDefect(unknown.reason()) }
        if let defect { throw FileDefect(defect) }
    }

    /// The first wrong field, as a reason; nil if all are right.
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
