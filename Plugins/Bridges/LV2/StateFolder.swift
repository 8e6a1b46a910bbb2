// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folder in which a plug-in keeps the files that belong to its state, private and gone with the process. Control thread.

import Glibc
import PluginSDK

/// A folder of a unit's own, made when something is to be put there.
final class StateFolder {
    /// The most that files of a state may hold together, in bytes, and how many there may be. As much again is for its
    /// properties; both together fit into a message.
    static let maximumByteCount = 28 << 20
    static let maximumFileCount = 4096

    private(set) var path: String?
    /// Locked while the folder is in use: a process that is killed removes nothing, and leaves the lock open behind it.
    private var lock: Int32 = -1

    init() {}

    deinit {
        if let path { Self.remove(path) }
        if lock >= 0 { close(lock) }
    }

    private static var parent: String {
        let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }
    private static let prefix = "bulkhead-lv2-"
    private static let lockName = ".lock"

    /// The folder's path; made now if it was not there.
    func make() throws(UnitError) -> String {
        if let path { return path }
        Self.removeAbandoned()
        var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .failed("no folder for its files can be made in \"\(Self.parent)\": \(String(cString: strerror(errno)))")
        }
        let made = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Under its name only once it is locked, or another process could find it open and the folder abandoned.
        lock = open("\(made)/\(Self.lockName).new", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        _ = flock(lock, LOCK_EX | LOCK_NB)
        rename("\(made)/\(Self.lockName).new", "\(made)/\(Self.lockName)")
        path = made
        return made
    }

    /// The name of a file relative to the folder; nil for a file elsewhere.
    func name(of file: String) -> String? {
        guard let path, file.hasPrefix(path + "/") else { return nil }
        let name = String(file.dropFirst(path.count + 1))
        return Self.isName(name) ? name : nil
    }

    /// Whether a text names a file inside a folder, and nothing outside.
    static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return !name.isEmpty && !name.contains("\0") && name != lockName
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// The path of a file that is to be written, with the folders that it lies in.
    func makePath(_ name: String) throws(UnitError) -> String {
        guard Self.isName(name) else { throw .failed("\"\(name)\" is no name of a file in a state") }
        var folder = try make()
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o700)
        }
        return "\(try make())/\(name)"
    }

    /// Every file, by name.
    func files() throws(UnitError) -> [String: [UInt8]] {
        guard let path else { return [:] }
        var files: [String: [UInt8]] = [:]
        var byteCount = 0
        for name in Self.names(in: path) where name != Self.lockName {
            files[name] = try FileBytes.read("\(path)/\(name)", limit: Self.maximumByteCount)
            byteCount += files[name]?.count ?? 0
            guard byteCount <= Self.maximumByteCount, files.count <= Self.maximumFileCount else {
                throw .failed("the files of its state are too many or too large; 28 MiB are the most")
            }
        }
        return files
    }

    /// Puts files there, in place of others of the same names, all or none.
    func take(_ files: [String: [UInt8]]) throws(UnitError) {
        guard !files.isEmpty else { return }
        let incoming = ".incoming"
        for (name, bytes) in files { try FileBytes.write(bytes, to: try makePath("\(incoming)/\(name)")) }
        for name in files.keys { rename("\(try make())/\(incoming)/\(name)", try makePath(name)) }
        Self.remove("\(try make())/\(incoming)")
    }

    /// The regular files in a folder and below.
    private static func names(in folder: String, below prefix: String = "") -> [String] {
        entries(of: folder).flatMap { name -> [String] in
            switch FileBytes.kind("\(folder)/\(name)") {
            case S_IFREG: [prefix + name]
            case S_IFDIR: names(in: "\(folder)/\(name)", below: "\(prefix)\(name)/")
            default: []
            }
        }
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ folder: String) {
        for name in entries(of: folder) {
            let path = "\(folder)/\(name)"
            if FileBytes.kind(path) == S_IFDIR { remove(path) } else { unlink(path) }
        }
        rmdir(folder)
    }

    /// Removes what processes left behind that were killed: nobody holds the lock of their folders.
    private static func removeAbandoned() {
        for name in entries(of: parent) where name.hasPrefix(prefix) && FileBytes.isOwn("\(parent)/\(name)") {
            let lock = open("\(parent)/\(name)/\(lockName)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove("\(parent)/\(name)") }
            close(lock)
        }
    }
}
