// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Folders as descriptors: what is reached through one is inside it, whatever links a plug-in has put there. Control thread.

import Glibc
import PluginSDK

/// An open folder, closed when it goes. Names are parts of paths, without a "/".
struct Folder: ~Copyable {
    let descriptor: Int32

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Nil for what is no folder, such as a link to one.
    init?(_ path: [UInt8], in folder: Int32 = AT_FDCWD) {
        let descriptor = Self.with(path) { openat(folder, $0, Self.flags) }
        guard descriptor >= 0 else { return nil }
        self.init(adopting: descriptor)
    }

    /// Whether it belongs to this user.
    var isOwn: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    /// The kind of what has a name, as in `S_IFREG`; a link is a link. Zero for nothing.
    func kind(_ name: [UInt8]) -> mode_t {
        var status = stat()
        return Self.with(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Opens the folder that a file lies in, made if it is not there.
    func parent(of name: FileName, makes: Bool) throws(UnitError) -> Folder {
        var folder = Folder(adopting: dup(descriptor))
        for part in name.parts.dropLast() {
            if makes { _ = Self.with(part) { mkdirat(folder.descriptor, $0, 0o700) } }
            guard let next = Folder(part, in: folder.descriptor) else {
                throw .failed("\"\(name)\" lies in no folder of its state: \(String(cString: strerror(errno)))")
            }
            folder = next
        }
        return folder
    }

    /// Everything in it but itself and the one above, by name.
    func entries() -> [[UInt8]] {
        // The stream has a descriptor of its own, which begins at the beginning.
        let descriptor = openat(descriptor, ".", Self.flags)
        guard descriptor >= 0 else { return [] }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return []
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Removes a file, a link, or a folder with all that is in it.
    func remove(_ name: [UInt8]) {
        if kind(name) == S_IFDIR {
            if let folder = Folder(name, in: descriptor) { for name in folder.entries() { folder.remove(name) } }
            _ = Self.with(name) { unlinkat(descriptor, $0, AT_REMOVEDIR) }
        } else {
            _ = Self.with(name) { unlinkat(descriptor, $0, 0) }
        }
    }

    /// Calls `body` with bytes as C has them.
    static func with<Value>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (bytes + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
        }
    }
}

extension String {
    /// The bytes of a C string, whatever encoding they are in.
    static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))
    }
}
