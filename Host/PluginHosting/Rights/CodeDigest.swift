// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A digest of a plug-in's library or folder: of its contents, or of its entries in the file system. Control threads.

import Confinement
import Glibc
import LinuxSystem

/// Computes a SHA-256 over one file, or over everything in a folder, names and links included.
struct CodeDigest: ~Copyable {
    /// The part of a file that counts.
    enum Part {
        /// Its bytes.
        case contents
        /// Its size, its times and its inode.
        ///
        /// A user can set every time but that of the last change to the inode. So equal stamps mean equal contents.
        case stamp
    }

    /// The most entries of a folder, those of its subfolders included.
    static let maximumEntryCount = 50_000
    private static let maximumDepth = 32
    /// The most bytes of all files together; a sparse file could hold any number.
    static let maximumByteCount: Int64 = 4 << 30

    private let part: Part
    /// True if a link may lead out of the folder: the target of the moment then counts as part of the code.
    private let mayLeadOut: Bool
    private var root = ""
    /// The files that were read or looked at, with their identities.
    private var seen: HeldCode
    private var sum = SHA256()
    private var entryCount = 0
    private var byteCount: Int64 = 0

    private init(_ part: Part, of path: String, mayLeadOut: Bool) {
        (self.part, self.mayLeadOut) = (part, mayLeadOut)
        seen = HeldCode(home: path)
    }

    /// The digest as hexadecimal digits.
    ///
    /// Throws if a file cannot be read, or if there is too much to read.
    static func of(_ path: String, _ part: Part) throws(SystemError) -> String { try reading(path, part).digest }

    /// The digest, and the files that it is about.
    ///
    /// Throws if a file cannot be read, if there is too much to read, or if a link leads out and may not.
    static func reading(
        _ path: String, _ part: Part, mayLeadOut: Bool = false
    ) throws(SystemError) -> (digest: String, code: HeldCode) {
        var digest = CodeDigest(part, of: path, mayLeadOut: mayLeadOut)
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("look at \"\(path)\"") }
        if status.st_mode & S_IFMT == S_IFDIR {
            digest.root = path
            try digest.add(try FolderReader(path: path), at: "", depth: 0)
        } else {
            try digest.add(fileNamed: path, in: AT_FDCWD, at: path, status)
        }
        let code = digest.seen
        return (digest.sum.digest().hexadecimal, code)
    }

    private mutating func add(_ folder: borrowing FolderReader, at place: String, depth: Int) throws(SystemError) {
        seen.folders.append(place.isEmpty ? root : "\(root)/\(place.dropLast())")
        guard depth < Self.maximumDepth else { throw SystemError("look into folders of folders", code: ELOOP) }
        var names: [[CChar]] = []
        let room = Self.maximumEntryCount - entryCount
        try folder.forEach { (name, _) throws(SystemError) in
            guard names.count < room else { throw SystemError("look at so many files", code: EFBIG) }
            names.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
            return true
        }
        entryCount += names.count
        // The kernel lists them in any order.
        names.sort { $0.lexicographicallyPrecedes($1) }
        sum.add(UInt64(names.count))
        for name in names {
            name.withUnsafeBytes { sum.add(counted: $0) }
            var status = stat()
            guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemError("look at a file") }
            sum.add(UInt64(status.st_mode & S_IFMT))
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                let inner = place + Self.text(name) + "/"
                try add(try FolderReader(named: name, in: folder.descriptor), at: inner, depth: depth + 1)
            case S_IFLNK: try addTarget(ofLink: name, in: folder.descriptor, at: place)
            case S_IFREG: try add(fileNamed: name, in: folder.descriptor, at: "\(root)/\(place)\(Self.text(name))", status)
            // A pipe or a device holds nothing by itself.
            default: break
            }
        }
    }

    /// Digests a link to a file in the folder, which is digested there.
    ///
    /// Throws for a link to a file elsewhere: that file could change unseen.
    private mutating func addTarget(ofLink name: [CChar], in folder: Int32, at place: String) throws(SystemError) {
        let path = place + Self.text(name)
        if case .outside = ContainedPath(path, in: root) {
            guard mayLeadOut else {
                throw SystemError(
                    "decide about \"\(root)\", in which \"\(path)\" is a link to something outside of it", code: EXDEV)
            }
            var status = stat()
            if stat("\(root)/\(path)", &status) == 0 { add(status) }
        }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlinkat(folder, name, $0.baseAddress!, $0.count) }
        }
        target.prefix(max(0, count)).withUnsafeBytes { sum.add(counted: $0) }
        let text = String(decoding: target.prefix(max(0, count)), as: UTF8.self)
        seen.links.append(HeldCode.Link(path: "\(root)/\(path)", target: text))
    }

    private static func text(_ name: [CChar]) -> String {
        String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private mutating func add(
        fileNamed name: UnsafePointer<CChar>, in folder: Int32, at path: String, _ status: stat
    ) throws(SystemError) {
        guard part == .contents else {
            seen.files.append(HeldCode.File(path: path, identity: FileIdentity(status)))
            return add(status)
        }
        guard status.st_size <= Self.maximumByteCount else { throw SystemError("read so large a plug-in", code: EFBIG) }
        let number = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw SystemError("read a file of the plug-in") }
        let file = Descriptor(owning: number)
        var opened = stat()
        guard fstat(file.number, &opened) == 0 else { throw SystemError("look at a file of the plug-in") }
        // A write during the read gives the file another identity.
        seen.files.append(HeldCode.File(path: path, identity: FileIdentity(opened)))
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
        defer { piece.deallocate() }
        let before = byteCount
        while true {
            let count = SystemCall.read(file.number, into: piece)
            guard count >= 0 else { throw SystemError("read a file of the plug-in") }
            guard count > 0 else { break }
            sum.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            byteCount += Int64(count)
            guard byteCount <= Self.maximumByteCount else { throw SystemError("read so large a plug-in", code: EFBIG) }
        }
        sum.add(UInt64(byteCount - before))
    }

    private mutating func add(_ status: stat) {
        for time in [status.st_mtim, status.st_ctim] {
            sum.add(UInt64(bitPattern: Int64(time.tv_sec)))
            sum.add(UInt64(bitPattern: Int64(time.tv_nsec)))
        }
        for word in [UInt64(bitPattern: Int64(status.st_size)), UInt64(status.st_ino), UInt64(status.st_dev)] { sum.add(word) }
    }
}
