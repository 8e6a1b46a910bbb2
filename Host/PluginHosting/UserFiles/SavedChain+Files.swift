// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The files of saved chains: under a name in the XDG data folder, or at a path. Control thread.

import FoundationEssentials
import LinuxSystem

extension SavedChain {
    private static let fileExtension = "json"

    private static var files: UserFiles { UserFiles("chain", in: "chains", fileExtension: fileExtension) }

    /// The names of the user's chains.
    package static var names: [String] { files.names }

    /// The path for a word: the word itself if it holds a slash or ends in `.json`, otherwise the file of that name.
    package static func path(of word: String) throws(HostingError) -> String {
        isPath(word) ? word : try files.path(of: word)
    }

    private static func isPath(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(".\(fileExtension)") }

    /// Reads the chain with a name or at a path.
    package static func load(_ word: String) throws(HostingError) -> SavedChain {
        guard isPath(word) || files.names.contains(word) else {
            throw .file(act: "use the chain \"\(word)\"", cause: files.noSuch(word))
        }
        let path = try path(of: word)
        do throws(FileDefect) {
            return try SavedChain(encoded: try SmallFile.read(path, maximumByteCount: maximumByteCount))
        } catch {
            throw .file(act: "read the chain \"\(path)\"", cause: error)
        }
    }

    /// Writes the chain under a name or to a path, whole or not at all; returns the path.
    ///
    /// An older file is replaced.
    @discardableResult
    package func save(as word: String) throws(HostingError) -> String {
        let data: Data
        do throws(FileDefect) {
            data = try encoded()
        } catch {
            throw .file(act: "save the chain \"\(word)\"", cause: error)
        }
        guard Self.isPath(word) else { return try Self.files.save(data, as: word) }
        try Self.files.replace(word, with: data)
        return word
    }

    /// Writes the chain to a path, so that it survives a crash of the process or of the machine.
    ///
    /// Makes the folder.
    package func keep(at path: String) throws(HostingError) {
        let data: Data
        do throws(FileDefect) {
            data = try encoded()
        } catch {
            throw .file(act: "keep what is played in \"\(path)\"", cause: error)
        }
        do throws(SystemError) {
            try ReplacedFile.write(Array(data), to: path)
        } catch {
            throw .system(error)
        }
    }

    /// Throws unless a chain can be saved under this name; a check before units are started.
    package static func checkName(_ word: String) throws(HostingError) {
        if !isPath(word) { try files.checkName(word) }
    }

    /// Removes the chain of that name.
    package static func delete(_ name: String) throws(HostingError) { try files.delete(name) }
}
