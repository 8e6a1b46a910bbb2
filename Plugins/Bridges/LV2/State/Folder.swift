// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Folders as descriptors: paths through them stay inside, even with links of a plug-in. Control thread.

import Glibc
import PluginSDK

/// An open folder, closed at the end of its life.
///
/// Names are parts of paths, without a "/".
struct Folder: ~Copyable {
    let descriptor: Int32

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens a folder; nil for anything else, such as a link to one.
    init?(_ path: [UInt8], in folder: Int32 = AT_FDCWD) {
        let descriptor = Self.with(path) { openat(folder, $0, Self.flags) }
        guard descriptor >= 0 else { return nil }
        self.init(adopting: descriptor)
    }

    /// True if it belongs to this user.
    var isOwn: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    }

    /// The kind of the entry with a name, as in `S_IFREG`.
    ///
    /// Links are not followed; zero means that there is no entry.
    func kind(_ name: [UInt8]) -> mode_t {
        var status = stat()
        return Self.with(name) { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0 ? status.st_mode & S_IFMT : 0
    }

    /// Opens the folder of a file; `makes` creates a missing one.
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

    /// Every entry but "." and "..", by name.
    func entries() -> [[UInt8]] {
        // The stream has its own descriptor, which starts at the beginning.
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

    /// Removes a file, a link, or a folder with all its contents.
    func remove(_ name: [UInt8]) {
        if kind(name) == S_IFDIR {
            if let folder = Folder(name, in: descriptor) { for name in folder.entries() { folder.remove(name) } }
            _ = Self.with(name) { unlinkat(descriptor, $0, AT_REMOVEDIR) }
        } else {
            _ = Self.with(name) { unlinkat(descriptor, $0, 0) }
        }
    }

    /// Calls `body` with bytes as a C string.
    static func with<Value>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Value) -> Value {
        (bytes + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
        }
    }
}

extension String {
    /// The bytes of a C string, in any encoding.
    static func bytes(_ text: UnsafePointer<CChar>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))
    }
}
