// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells documents that this user's host wrote from documents of other origin. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization

/// A mark that only a program of this user can make: an HMAC under a key that no confined plug-in can read.
///
/// A document with the mark holds rights that the user had given before it was saved. Without the mark, or after a change by
/// another program, it holds wishes.
package struct DocumentSeal {
    /// The file of the key; nil if no variable names a folder.
    let keyPath: String?

    package static var current: DocumentSeal {
        DocumentSeal(keyPath: Installation.current.stateFolder.map { "\($0)/document.key" })
    }

    /// The reason why the host cannot seal documents, as a sentence; nil if it can.
    ///
    /// A document without a seal asks again for rights that the user had given before it was saved.
    package static var complaint: String? {
        guard current.mark([]) == nil else { return nil }
        let act = "Couldn't seal it as yours, so it will ask again for the files that it names"
        guard let path = current.keyPath else { return "\(act): neither XDG_STATE_HOME nor HOME says where the key is." }
        return "\(act): the key \"\(path)\" has to be a file of \(SHA256.digestByteCount) bytes that only you can read."
    }

    /// The mark of a document; nil if there is no key and none can be made.
    package func mark(_ document: [UInt8]) -> [UInt8]? {
        guard let keyPath, let key = Self.key(keyPath) ?? Self.makeKey(keyPath) else { return nil }
        return SHA256.authentication(of: document, key: key)
    }

    /// True if a mark is the document's.
    package func isMark(_ mark: [UInt8], of document: [UInt8]) -> Bool {
        guard let keyPath, let key = Self.key(keyPath) else { return false }
        return SHA256.authentication(of: document, key: key) == mark
    }

    /// The SHA-256 of a large part of a document, which the mark covers in the place of the part.
    package static func digest(of part: Data) -> Data {
        var hash = SHA256()
        part.withUnsafeBytes { hash.add($0) }
        return Data(hash.digest())
    }

    /// A key that was read, and the file that held it.
    private struct KnownKey {
        let file: FileStamp
        let key: [UInt8]
    }

    /// The file of a key, as it was when it was read.
    private struct FileStamp: Equatable {
        let device: dev_t
        let inode: ino_t
        let changeSeconds: Int
        let changeNanoseconds: Int

        init(_ status: stat) {
            (device, inode) = (status.st_dev, status.st_ino)
            (changeSeconds, changeNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        }
    }

    /// The keys that were read, by their paths: a host that lacks descriptors for a moment still seals what it saves.
    private static let known = Mutex<[ExactPath: KnownKey]>([:])

    private static func key(_ path: String) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { return nil }
        let (file, name) = (FileStamp(status), ExactPath(path))
        if let known = known.withLock({ $0[name] }), known.file == file { return known.key }
        guard let data = try? SmallFile.read(path, maximumByteCount: SHA256.digestByteCount), data.count == SHA256.digestByteCount
        else { return nil }
        known.withLock { $0[name] = KnownKey(file: file, key: Array(data)) }
        return Array(data)
    }

    /// Makes the key, unless another process is faster.
    private static func makeKey(_ path: String) -> [UInt8]? {
        let folder = FilePath.folder(of: path)
        // Without the folder there is no file in it, which `complaint` is about.
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var random = SystemRandomNumberGenerator()
        let key = (0..<SHA256.digestByteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
        var draft = Array("\(path).XXXXXX".utf8CString)
        let file = mkstemp(&draft)
        guard file >= 0 else { return nil }
        defer {
            close(file)
            unlink(draft)
        }
        do throws(SystemError) { try Descriptor.write(key, to: file, "write \"\(path)\"") } catch { return nil }
        guard fsync(file) == 0 else { return nil }
        guard link(draft, path) == 0 else { return Self.key(path) }
        return key
    }
}
