// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Digests of a plug-in's library or folder: of its entries in the file system, and of its contents. Control threads.

import Confinement
import Glibc
import LinuxSystem

/// The facts about code, all of the same files: nothing that takes their names in between is among them.
struct CodeReading: Sendable {
    /// The SHA-256 of sizes, times and inodes.
    ///
    /// A user can set every time but that of the last change to the inode. So equal stamps mean equal contents.
    let stamp: String
    /// The SHA-256 of the contents; nil if they were not read.
    let digest: String?
    /// The files with their identities.
    let code: HeldCode
    /// Files outside of the code to which its links lead.
    let linked: [HeldCode.File]

    /// The code to hold for a process: the files, and those outside to which links lead.
    var held: [HeldCode] {
        [code]
            + linked.map { file in
                var library = HeldCode(home: file.path)
                library.files = [file]
                return library
            }
    }
}

/// Computes a SHA-256 over one file, or over everything in a folder, names and links included.
struct CodeDigest: ~Copyable {
    /// The part of the files that is read.
    enum Part {
        /// Entries and bytes.
        case contents
        /// Entries alone.
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
    private var linked: [HeldCode.File] = []
    private var stamp = SHA256()
    private var contents = SHA256()
    private var entryCount = 0
    private var byteCount: Int64 = 0

    private init(_ part: Part, of path: String, mayLeadOut: Bool) {
        (self.part, self.mayLeadOut) = (part, mayLeadOut)
        seen = HeldCode(home: path)
    }

    /// Reads a library or a folder.
    ///
    /// Throws if a file cannot be read or changes meanwhile, if there is too much to read, or if a link leads out and may not.
    static func reading(_ path: String, _ part: Part, mayLeadOut: Bool = false) throws(SystemError) -> CodeReading {
        var digest = CodeDigest(part, of: path, mayLeadOut: mayLeadOut)
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("look at \"\(path)\"") }
        if status.st_mode & S_IFMT == S_IFDIR {
            digest.root = path
            try digest.add(try FolderReader(path: path), at: "", depth: 0)
        } else {
            try digest.add(fileNamed: path, in: AT_FDCWD, at: path, status)
        }
        let (code, linked) = (digest.seen, digest.linked)
        let sums = digest.sums()
        return CodeReading(stamp: sums.stamp, digest: sums.contents, code: code, linked: linked)
    }

    private consuming func sums() -> (stamp: String, contents: String?) {
        let isRead = part == .contents
        return (stamp.digest().hexadecimal, isRead ? contents.digest().hexadecimal : nil)
    }

    private mutating func add(_ word: UInt64) {
        stamp.add(word)
        contents.add(word)
    }

    private mutating func add(counted bytes: UnsafeRawBufferPointer) {
        stamp.add(counted: bytes)
        contents.add(counted: bytes)
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
        add(UInt64(names.count))
        for name in names {
            name.withUnsafeBytes { add(counted: $0) }
            var status = stat()
            guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemError("look at a file") }
            add(UInt64(status.st_mode & S_IFMT))
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
            addFile(outside: "\(root)/\(path)")
        }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { readlinkat(folder, name, $0.baseAddress!, $0.count) }
        }
        target.prefix(max(0, count)).withUnsafeBytes { add(counted: $0) }
        let text = String(decoding: target.prefix(max(0, count)), as: UTF8.self)
        seen.links.append(HeldCode.Link(path: "\(root)/\(path)", target: text))
    }

    private static func text(_ name: [CChar]) -> String {
        String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Adds the file to which a link leads out of the folder.
    private mutating func addFile(outside link: String) {
        guard let path = FilePath.resolved(link) else { return }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        add(status)
        if status.st_mode & S_IFMT == S_IFREG { linked.append(HeldCode.File(path: path, identity: FileIdentity(status))) }
    }

    private mutating func add(
        fileNamed name: UnsafePointer<CChar>, in folder: Int32, at path: String, _ status: stat
    ) throws(SystemError) {
        guard part == .contents else { return keep(path, status) }
        guard status.st_size <= Self.maximumByteCount else { throw SystemError("read so large a plug-in", code: EFBIG) }
        // A folder's entry may have become a link; only the code itself may be one.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (folder == AT_FDCWD ? 0 : O_NOFOLLOW)
        let number = openat(folder, name, flags)
        guard number >= 0 else { throw SystemError("read a file of the plug-in") }
        let file = Descriptor(owning: number)
        let before = try Self.status(of: file)
        try addContents(of: file)
        let after = try Self.status(of: file)
        guard FileIdentity(before) == FileIdentity(after), before.st_size == after.st_size else {
            throw SystemError("read a file of the plug-in, which is being changed,", code: ESTALE)
        }
        keep(path, after)
    }

    private static func status(of file: borrowing Descriptor) throws(SystemError) -> stat {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw SystemError("look at a file of the plug-in") }
        return status
    }

    private mutating func addContents(of file: borrowing Descriptor) throws(SystemError) {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
        defer { piece.deallocate() }
        let before = byteCount
        while true {
            let count = SystemCall.read(file.number, into: piece)
            guard count >= 0 else { throw SystemError("read a file of the plug-in") }
            guard count > 0 else { break }
            contents.add(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            byteCount += Int64(count)
            guard byteCount <= Self.maximumByteCount else { throw SystemError("read so large a plug-in", code: EFBIG) }
        }
        contents.add(UInt64(byteCount - before))
    }

    /// Keeps a file with its identity.
    private mutating func keep(_ path: String, _ status: stat) {
        seen.files.append(HeldCode.File(path: path, identity: FileIdentity(status)))
        add(status)
    }

    private mutating func add(_ status: stat) {
        for time in [status.st_mtim, status.st_ctim] {
            stamp.add(UInt64(bitPattern: Int64(time.tv_sec)))
            stamp.add(UInt64(bitPattern: Int64(time.tv_nsec)))
        }
        for word in [UInt64(bitPattern: Int64(status.st_size)), UInt64(status.st_ino), UInt64(status.st_dev)] { stamp.add(word) }
    }
}
