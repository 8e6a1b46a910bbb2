// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where chains are kept: under a name in the XDG data folder, or wherever a path says. Control thread.

import FoundationEssentials
import LinuxSystem

extension SavedChain {
    private static let fileExtension = "json"

    private static var files: UserFiles { UserFiles("chain", in: "chains", fileExtension: fileExtension) }

    /// The names of the chains that the user saved.
    public static var names: [String] { files.names }

    /// The file that a word means: a path when it holds a slash or ends in `.json`, a name otherwise.
    public static func path(of word: String) throws(HostingError) -> String {
        isPath(word) ? word : try files.path(of: word)
    }

    private static func isPath(_ word: String) -> Bool { word.contains("/") || word.hasSuffix(".\(fileExtension)") }

    /// Reads the chain that a name or a path means.
    public static func load(_ word: String) throws(HostingError) -> SavedChain {
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

    /// Writes the chain under a name or to a path, whole or not at all; an older one is replaced. The file's path.
    @discardableResult
    public func save(as word: String) throws(HostingError) -> String {
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

    /// Writes the chain to a path, so that it survives whatever ends this process or the machine. Makes the folder.
    public func keep(at path: String) throws(HostingError) {
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

    /// Throws unless a chain can be saved so: what is found out too late otherwise, after all units were started.
    public static func checkName(_ word: String) throws(HostingError) {
        if !isPath(word) { try files.checkName(word) }
    }

    /// Removes the chain of that name.
    public static func delete(_ name: String) throws(HostingError) { try files.delete(name) }
}
