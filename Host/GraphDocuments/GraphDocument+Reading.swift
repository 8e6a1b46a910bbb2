// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads and writes a graph's document. Control thread.

import PluginHosting

extension GraphDocument {
    /// Reads the document in a file; paths of sound files begin in the folder of that file.
    ///
    /// A saved chain is read as the graph that leads the input through its units.
    public init(contentsOfFile path: String) throws(GraphDocumentError) {
        self = try Self.unchecked(contentsOfFile: path)
        if let defect = defects.first { throw defect }
    }

    /// Reads the document in a file without a check, for a list of all its defects.
    package static func unchecked(contentsOfFile path: String) throws(GraphDocumentError) -> GraphDocument {
        let bytes: [UInt8]
        do throws(FileDefect) {
            bytes = try SmallFile.bytes(path, maximumByteCount: maximumByteCount)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        var document = try read(bytes)
        document.folder = FilePath.folder(of: path)
        return document
    }

    /// Reads a document; paths of sound files begin in `folder`.
    public init(json bytes: [UInt8], folder: String = ".") throws(GraphDocumentError) {
        self = try Self.read(bytes)
        self.folder = folder
        if let defect = defects.first { throw defect }
    }

    /// The fields that identify a document.
    private struct Header: Decodable {
        let bulkheadGraph: Int?
        let chain: Int?
    }

    private static func read(_ bytes: [UInt8]) throws(GraphDocumentError) -> GraphDocument {
        guard bytes.count <= maximumByteCount else {
            throw .tooMany(what: "bytes", count: bytes.count, maximum: maximumByteCount)
        }
        do {
            let header = try ReadableJSON.value(Header.self, from: bytes)
            guard let version = header.bulkheadGraph else {
                guard header.chain != nil else { throw GraphDocumentError.foreign(reason: "\"bulkheadGraph\" is missing") }
                return GraphDocument(chain: try chain(bytes))
            }
            guard version == formatVersion else { throw GraphDocumentError.version(version) }
        } catch let error as GraphDocumentError {
            throw error
        } catch {
            throw .foreign(reason: ReadableJSON.reason(of: error))
        }
        do {
            let (document, unknown) = try ReadableJSON.document(GraphDocument.self, from: bytes)
            if let unknown { throw document.error(unknown) }
            return document
        } catch let error as GraphDocumentError {
            throw error
        } catch {
            throw .malformed(node: nil, reason: ReadableJSON.reason(of: error, isJSON: true))
        }
    }

    /// The error for a key that nothing reads; it names the node that has the key.
    private func error(_ unknown: UnknownKey) -> GraphDocumentError {
        guard unknown.path.first == .key("nodes"), case .index(let place)? = unknown.path.dropFirst().first,
            nodes.indices.contains(place)
        else { return .malformed(node: nil, reason: unknown.reason()) }
        return .malformed(node: nodes[place].id, reason: unknown.reason(below: 2))
    }

    private static func chain(_ bytes: [UInt8]) throws(GraphDocumentError) -> SavedChain {
        do throws(FileDefect) {
            return try SavedChain(bytes: bytes)
        } catch {
            throw .malformed(node: nil, reason: "as a chain, \(error.reason)")
        }
    }

    /// The document as JSON with sorted keys, on several lines.
    ///
    /// Throws what reading it again would throw.
    public func json() throws(GraphDocumentError) -> [UInt8] {
        if let defect = defects.first { throw defect }
        do {
            return try ReadableJSON.bytes(self)
        } catch {
            throw .malformed(node: nil, reason: "it cannot be written as JSON")
        }
    }
}
