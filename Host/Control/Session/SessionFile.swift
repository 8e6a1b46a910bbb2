// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A session in a file: it is written as the session changes, and is back after any end of the host. Control thread.

import FoundationEssentials
import GraphDocuments
import LinuxSystem
import PluginHosting

/// What a session plays, and its scenes.
package struct SessionFile: Codable, Hashable, Sendable {
    /// The version of the format.
    package static let formatVersion = 1

    private var bulkheadSession = SessionFile.formatVersion
    /// The graph that plays, with the settings of its units.
    package var graph: GraphDocument
    /// The folder that paths of files begin in.
    package var folder: String
    /// The scenes in their order.
    package var scenes: [SessionScene]
    /// The scene that the graph came from.
    package var scene: String?
    /// What MIDI moves; nil where nothing is mapped.
    package var mappings: [ControlMapping]?
    /// Whether a program that is not mapped goes to the scene of its number.
    package var programsChooseScenes: Bool?
    /// Which capture the session began; nil in a session that is kept to be resumed.
    package private(set) var capture: String?
    /// The mark of the host that wrote the file, in base64.
    private var seal: Data?

    init(
        _ graph: GraphDocument, scenes: [SessionScene], scene: String?, mappings: [ControlMapping] = [],
        programsChooseScenes: Bool = false
    ) {
        (self.graph, self.scenes, self.scene) = (graph, scenes, scene)
        // What is usual is left out.
        (self.mappings, self.programsChooseScenes) = (mappings.isEmpty ? nil : mappings, programsChooseScenes ? true : nil)
        folder = FilePath.absolute(graph.folder)
        setFolders()
    }

    /// Has all graphs look for their files in the session's folder.
    private mutating func setFolders() {
        graph.folder = folder
        for index in scenes.indices { scenes[index].graph.folder = folder }
    }

    /// Reads a session; the thrown reason says what is wrong with it.
    package init(contentsOfFile path: String) throws(FileDefect) {
        let bytes = try SmallFile.bytes(path, maximumByteCount: GraphDocument.maximumByteCount)
        do {
            self = try ReadableJSON.value(SessionFile.self, from: bytes)
        } catch {
            throw FileDefect((error as? GraphDocumentError).map { "\($0)" } ?? ReadableJSON.reason(of: error))
        }
        guard bulkheadSession == Self.formatVersion else {
            throw FileDefect("it has format \(bulkheadSession), and this host reads \(Self.formatVersion)")
        }
        guard (mappings ?? []).count <= ControlMapping.mostMappings else {
            throw FileDefect("it has more than \(ControlMapping.mostMappings) mappings")
        }
        setFolders()
        if let defect = ([graph] + scenes.map(\.graph)).lazy.compactMap(\.defects.first).first { throw FileDefect("\(defect)") }
    }

    /// Writes the session, sealed or not, so that it survives a crash of the process or of the machine.
    package func keep(at path: String, asCapture capture: String? = nil, isSealed: Bool = true) throws {
        var kept = self
        kept.capture = capture
        kept.seal = isSealed ? DocumentSeal.current.mark(try kept.plain()).map { Data($0) } : nil
        try ReplacedFile.write(try ReadableJSON.bytes(kept), to: path)
    }

    /// Whether this user's host wrote the file, and it is unchanged.
    ///
    /// Its units then keep the rights that the user gave them.
    package var isOwn: Bool {
        // A file that has been read can be written.
        guard let seal, let plain = try? plain() else { return false }
        return DocumentSeal.current.isMark(Array(seal), of: plain)
    }

    /// What the seal is about: all but the seal.
    private func plain() throws -> [UInt8] {
        var plain = self
        plain.seal = nil
        return Array(try ReadableJSON.encode(plain))
    }
}

extension Session {
    /// The session as a file keeps it.
    package var file: SessionFile {
        let (graph, scenes, scene) = state.withLock { ($0.graph, $0.scenes, $0.scene) }
        return SessionFile(
            graph.captured, scenes: scenes, scene: scene, mappings: midi.mappings, programsChooseScenes: midi.programsChooseScenes)
    }

    /// Writes the session as it is now.
    ///
    /// It is sealed if the user has given its units, and those of its scenes, all that they may ask for. What came from elsewhere and was
    /// not started asks for it when the session is resumed. Returns why it has no seal, as a sentence; nil if it has one.
    @discardableResult
    package func keep(at path: String, asCapture capture: String? = nil) throws -> String? {
        let (file, allowances) = (file, allowances)
        let units = ([file.graph] + file.scenes.map(\.graph)).flatMap(\.savedUnits)
        let foreign = units.first { $0.mayWish && !allowances.covers($0) }
        try file.keep(at: path, asCapture: capture, isSealed: foreign == nil)
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
