// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A session in a file, written as the session changes and read after any end of the host. Control thread.

import FoundationEssentials
import GraphDocuments
import LinuxSystem
import PluginHosting

/// The graph of a session, and its scenes.
package struct SessionFile: Codable, Hashable, Sendable {
    /// The version of the format.
    package static let formatVersion = 1
    /// The most bytes of a file that is read or written.
    package static let maximumByteCount = 512 << 20

    private var bulkheadSession = SessionFile.formatVersion
    /// The graph that plays, with the settings of its units.
    package var graph: GraphDocument
    /// The folder that relative paths of files start from.
    package var folder: String
    /// The scenes in their order.
    package var scenes: [SessionScene]
    /// The scene that the graph came from.
    package var scene: String?
    /// The mappings of MIDI; nil if there are none.
    package var mappings: [ControlMapping]?
    /// True if a program without a mapping selects the scene of its number.
    package var programsChooseScenes: Bool?
    /// The identifier of the capture that the session began; nil in a session that is kept for later.
    package private(set) var capture: String?
    /// The large states of effects that the graph and the scenes share; nil if there are none, or once they are in their places.
    var sharedStates: [SharedState]?
    /// The seal of the host that wrote the file, in base64.
    private var seal: Data?

    init(
        _ graph: GraphDocument, scenes: [SessionScene], scene: String?, mappings: [ControlMapping] = [],
        programsChooseScenes: Bool = false
    ) {
        (self.graph, self.scenes, self.scene) = (graph, scenes, scene)
        // Default values are left out.
        (self.mappings, self.programsChooseScenes) = (mappings.isEmpty ? nil : mappings, programsChooseScenes ? true : nil)
        folder = FilePath.absolute(graph.folder)
        setFolders()
    }

    /// Makes all graphs find their files in the session's folder.
    private mutating func setFolders() {
        graph.folder = folder
        for index in scenes.indices { scenes[index].graph.folder = folder }
    }

    /// Reads a session; the thrown reason names the defect.
    package init(contentsOfFile path: String) throws(FileDefect) {
        let bytes = try SmallFile.bytes(path, maximumByteCount: Self.maximumByteCount)
        let unknown: UnknownKey?
        do {
            (self, unknown) = try ReadableJSON.document(SessionFile.self, from: bytes)
        } catch {
            throw FileDefect((error as? GraphDocumentError).map { "\($0)" } ?? ReadableJSON.reason(of: error))
        }
        guard bulkheadSession == Self.formatVersion else {
            throw FileDefect("it has format \(bulkheadSession), and this host reads \(Self.formatVersion)")
        }
        if let unknown { throw FileDefect(unknown.reason()) }
        guard (mappings ?? []).count <= ControlMapping.mostMappings else {
            throw FileDefect("it has more than \(ControlMapping.mostMappings) mappings")
        }
        setFolders()
        try putSharedStates()
        if let defect = ([graph] + scenes.map(\.graph)).lazy.compactMap(\.defects.first).first { throw FileDefect("\(defect)") }
    }

    /// Writes the session, sealed or not, so that it survives a crash of the process or of the machine.
    ///
    /// Throws an error, and leaves the former file, if this one could not be read again, or once it is not wanted any more.
    package func keep(
        at path: String, asCapture capture: String? = nil, isSealed: Bool = true, mostBytes: Int = Self.maximumByteCount,
        while isWanted: () -> Bool = { true }
    ) throws {
        var kept = self.sharingStates
        kept.capture = capture
        kept.seal = isSealed ? DocumentSeal.current.mark(try kept.plain()).map { Data($0) } : nil
        let text = try SessionFileText(kept)
        guard text.byteCount <= mostBytes else {
            let reason = "it would have \(text.byteCount) bytes, mostly states of effects, and \(mostBytes) are the most"
            throw HostingError.file(act: "keep the session in \"\(path)\"", cause: FileDefect(reason))
        }
        try ReplacedFile.write(to: path) { try text.write(to: $0, act: "write \"\(path)\"", while: isWanted) }
    }

    /// True if this user's host wrote the file, and it is unchanged.
    ///
    /// Its units then keep the rights that the user gave them.
    package var isOwn: Bool {
        // A file that has been read can be written.
        guard let seal, let plain = try? plain() else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: plain)
    }

    /// The bytes that the seal covers: all but the seal, with the digest of each state in its place.
    private func plain() throws -> [UInt8] {
        var plain = sharingStates.replacingStates { DocumentSeal.digest(of: $0) }
        plain.seal = nil
        return Array(try ReadableJSON.encode(plain))
    }
}

extension Session {
    /// The session in the form of a file.
    package var file: SessionFile {
        let (graph, scenes, scene) = state.withLock { ($0.graph, $0.scenes, $0.scene) }
        return SessionFile(
            graph.captured, scenes: scenes, scene: scene, mappings: midi.mappings, programsChooseScenes: midi.programsChooseScenes)
    }

    /// Writes the session as it is now.
    ///
    /// It gets a seal if the user has given its units, and those of its scenes, all the rights that they ask for.
    /// Units from elsewhere that were not started ask for their rights when the session is resumed.
    ///
    /// Returns a sentence that says why the session has no seal; nil if it has one. Throws, and leaves the former file, once it is not
    /// wanted any more.
    @discardableResult
    package func keep(
        at path: String, asCapture capture: String? = nil, while isWanted: () -> Bool = { true }
    ) throws -> String? {
        let (file, allowances) = (file, allowances)
        let units = ([file.graph] + file.scenes.map(\.graph)).flatMap(\.savedUnits)
        let foreign = units.first { $0.mayWish && !allowances.covers($0) }
        try file.keep(at: path, asCapture: capture, isSealed: foreign == nil, while: isWanted)
        guard let foreign else { return DocumentSeal.complaint }
        return "The session is kept without your seal, so it will ask for the rights of its effects: "
            + "\"\(foreign.name)\" may want something that you have not given it."
    }

    /// Takes the scenes and the mappings of a file.
    package func take(scenesOf file: SessionFile) {
        state.withLock { ($0.scenes, $0.scene) = (file.scenes, file.scene) }
        midi.state.withLock { state in
            state.motions = (file.mappings ?? []).map { MappingMotion($0) }
            state.programsChooseScenes = file.programsChooseScenes ?? false
        }
        midi.listen(to: self)
    }
}
