// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files with names that the user chose, in the XDG data folder. Control thread.

import FoundationEssentials
import Glibc

/// Files of one kind in one folder of `$XDG_DATA_HOME/bulkhead`.
struct UserFiles {
    /// The noun for one of them in a sentence.
    let noun: String
    /// The folder; nil if no variable names one.
    let folder: String?
    let fileExtension: String

    /// Makes the files of one kind; `folder` lies beside the other kinds' folders.
    init(
        _ noun: String, in folder: String, fileExtension: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.noun = noun
        self.folder = Self.dataFolder(environment).map { "\($0)/\(folder)" }
        self.fileExtension = fileExtension
    }

    private static func dataFolder(_ environment: [String: String]) -> String? {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (absolute("XDG_DATA_HOME") ?? absolute("HOME").map { "\($0)/.local/share" }).map { "\($0)/bulkhead" }
    }

    /// The names of the existing files.
    var names: [String] {
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let ours = files.filter { $0.hasSuffix(".\(fileExtension)") && !$0.hasPrefix(".") && $0.isPrintable }
        return ours.map { String($0.dropLast(fileExtension.count + 1)) }.sorted()
    }

    func path(of name: String) throws(HostingError) -> String {
        guard let folder else {
            throw .noFolder(act: "look for the \(noun) \"\(name)\"", variables: ["XDG_DATA_HOME", "HOME"])
        }
        return "\(folder)/\(name).\(fileExtension)"
    }

    /// Writes the file of that name, whole or not at all; returns its path.
    ///
    /// An older file is replaced.
    func save(_ data: Data, as name: String) throws(HostingError) -> String {
        try checkName(name)
        let path = try path(of: name)
        try attempt("save", path) {
            try FileManager.default.createDirectory(atPath: FilePath.folder(of: path), withIntermediateDirectories: true)
        }
        try replace(path, with: data)
        return path
    }

    /// Writes a file at any path, whole or not at all.
    ///
    /// A link stays, and the file behind it is replaced.
    func replace(_ path: String, with data: Data) throws(HostingError) {
        // The new file would replace a device or a folder.
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let defect = FileDefect("there is something of that name that is not a file")
            throw .file(act: "save the \(noun) \"\(path)\"", cause: defect)
        }
        let target = FilePath.resolved(path) ?? path
        try attempt("save", path) { try data.write(to: URL(fileURLWithPath: target), options: .atomic) }
    }

    /// Throws unless `name` can be a file's name.
    func checkName(_ name: String) throws(HostingError) {
        guard name.isPrintable, !name.contains("/"), !name.hasPrefix("."), name.utf8.count < 200 else {
            let rule = "it needs 1 to 199 bytes, no slash, no control characters, and no dot at its beginning"
            throw .file(act: "save the \(noun) \"\(name)\"", cause: FileDefect("the name cannot be that of a file; \(rule)"))
        }
    }

    /// Removes the file of that name; `owner` follows the name in sentences.
    func delete(_ name: String, owner: String = "") throws(HostingError) {
        guard names.contains(name) else {
            throw .file(act: "delete the \(noun) \"\(name)\"\(owner)", cause: noSuch(name))
        }
        let path = try path(of: name)
        try attempt("delete", path) {
            guard unlink(path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    /// The defect of a missing file, with the existing names.
    func noSuch(_ name: String) -> FileDefect {
        func defect(_ hint: String) -> FileDefect {
            FileDefect("there is no such \(noun) of yours. \(hint)", code: ENOENT)
        }
        if let near = NearestNames.among(names, to: name, limit: 1).first { return defect("Did you mean \"\(near)\"?") }
        if folder == nil { return defect("Neither XDG_DATA_HOME nor HOME says where they would be") }
        if names.isEmpty { return defect("You have saved none") }
        return defect("There is \(names.map { "\"\($0)\"" }.joined(separator: ", "))")
    }

    private func attempt(_ act: String, _ path: String, _ body: () throws -> Void) throws(HostingError) {
        do {
            try body()
        } catch {
            throw .file(act: "\(act) the \(noun) \"\(path)\"", cause: FileDefect(error))
        }
    }
}
