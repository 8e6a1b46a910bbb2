// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the files of listeners: their heads, and the poses by which they turn. Control thread.

import AudioGraph

/// The files of a listener, as they were read.
struct ListenerFiles: Sendable {
    /// The head; nil for the standard one.
    var head: AudioHead?
    /// The poses; nil for a head that keeps its orientation.
    var poses: HeadPoseFile?
}

/// The names of a listener's files in a document, by their bytes.
struct ListenerFileNames: Equatable {
    private let head, poses: [UInt8]?

    fileprivate init(_ environment: GraphDocument.Environment) {
        (head, poses) = (environment.head.map { Array($0.utf8) }, environment.headPoses.map { Array($0.path.utf8) })
    }

    fileprivate var isEmpty: Bool { head == nil && poses == nil }
}

extension GraphDocument {
    /// Reads the files of listeners, by the places of their environments; those at places that are not chosen are left out.
    func openedListeners(at isChosen: (Int) -> Bool = { _ in true }) throws(GraphDocumentError) -> [Int: ListenerFiles] {
        var listeners: [Int: ListenerFiles] = [:]
        var known: [String: AudioHead] = [:]
        for (place, node) in nodes.enumerated() where isChosen(place) && listenerFileNames(at: place) != nil {
            guard case .environment(let environment) = node.kind else { continue }
            var files = ListenerFiles()
            if let path = environment.head.map({ self.path(from: $0) }) {
                files.head = if let head = known[path] { head } else { try Self.head(path, of: node.id) }
                known[path] = files.head
            }
            files.poses = try environment.headPoses.map { (poses) throws(GraphDocumentError) in
                try Self.poses(path(from: poses.path), of: node.id)
            }
            listeners[place] = files
        }
        return listeners
    }

    private static func head(_ path: String, of node: String) throws(GraphDocumentError) -> AudioHead {
        do throws(AudioHeadError) {
            return try AudioHead(contentsOfFile: path)
        } catch {
            throw .head(node: node, error)
        }
    }

    private static func poses(_ path: String, of node: String) throws(GraphDocumentError) -> HeadPoseFile {
        do throws(HeadPoseFile.Defect) {
            return try HeadPoseFile(path: path)
        } catch {
            throw .headPoses(node: node, path: path, line: error.line, reason: error.reason)
        }
    }

    /// The files of a listener as the document names them; nil for a listener without files, and for other nodes.
    func listenerFileNames(at place: Int) -> ListenerFileNames? {
        guard case .environment(let environment) = nodes[place].kind else { return nil }
        let names = ListenerFileNames(environment)
        return names.isEmpty ? nil : names
    }
}
