// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The private folder for the files of a plug-in's state, removed with the process. Control thread; paths also from a plug-in's
// own threads.

import Glibc
import PluginSDK
import Synchronization

/// A unit's own folder, made when the first file needs it.
final class StateFolder: Sendable {
    /// The most bytes of all files of a state together, and the most files.
    ///
    /// The properties may take as many bytes again; both together fit into a message.
    static let maximumByteCount = 28 << 20
    static let maximumFileCount = 4096

    /// The folder, once it is made; a plug-in's worker may request paths while the control thread saves.
    private let made = Mutex<Place?>(nil)

    init() {}

    deinit { made.withLock { $0 }?.remove() }

    /// The folder, if it has been made.
    private var place: Place? { made.withLock { $0 } }

    /// Returns the folder, and makes it if necessary.
    private func make() throws(UnitError) -> Place {
        try made.withLock { made throws(UnitError) in
            if let made { return made }
            let new = try Place.make()
            made = new
            return new
        }
    }

    /// `[any]` The name of a file relative to the folder; nil for a file elsewhere.
    func name(of file: [UInt8]) -> FileName? {
        guard let place else { return nil }
        let prefix = place.path + Array("/".utf8)
        return file.starts(with: prefix) ? FileName(file.dropFirst(prefix.count)) : nil
    }

    /// `[any]` The path of a file, which need not exist.
    func path(of name: FileName) throws(UnitError) -> [UInt8] { try make().path + Array("/".utf8) + name.bytes }

    /// `[any]` The path of a file to write; makes the folders on the way.
    func makePath(_ name: FileName) throws(UnitError) -> [UInt8] {
        _ = try make().open().parent(of: name, makes: true)
        return try path(of: name)
    }

    /// Every file, by name.
    func files() throws(UnitError) -> [FileName: [UInt8]] {
        guard let place else { return [:] }
        let root = try place.open()
        var files: [FileName: [UInt8]] = [:]
        var roomByteCount = Self.maximumByteCount
        for name in Self.names(in: root) {
            guard files.count < Self.maximumFileCount else {
                throw .failed("its state has more than \(Self.maximumFileCount) files")
            }
            let bytes = try FileBytes.read(name, in: root.parent(of: name, makes: false), limit: roomByteCount)
            roomByteCount -= bytes.count
            files[name] = bytes
        }
        return files
    }

    /// Puts files into the folder, and replaces those of the same names.
    ///
    /// All files are written before the first one gets its name.
    func take(_ files: [FileName: [UInt8]]) throws(UnitError) {
        guard !files.isEmpty else { return }
        let root = try make().open()
        // A killed process, or a failure, may have left some files.
        root.remove(FileName.incoming)
        _ = Folder.with(FileName.incoming) { mkdirat(root.descriptor, $0, 0o700) }
        defer { root.remove(FileName.incoming) }
        guard let incoming = Folder(FileName.incoming, in: root.descriptor) else {
            throw .failed("no folder for the files of its state can be made: \(String(cString: strerror(errno)))")
        }
        for (name, bytes) in files { try FileBytes.write(bytes, to: name, in: incoming.parent(of: name, makes: true)) }
        for name in files.keys.sorted() {
            try FileBytes.move(name, from: incoming.parent(of: name, makes: false), to: root.parent(of: name, makes: true))
        }
    }

    /// The regular files in a folder and below.
    private static func names(in folder: borrowing Folder, below prefix: [UInt8] = []) -> [FileName] {
        var names: [FileName] = []
        for entry in folder.entries() {
            // A path that is no file name of a state is too deep, or does not belong to the plug-in.
            guard let name = FileName(prefix + entry) else { continue }
            switch folder.kind(entry) {
            case S_IFREG: names.append(name)
            case S_IFDIR:
                guard let inner = Folder(entry, in: folder.descriptor) else { continue }
                names += Self.names(in: inner, below: name.bytes + Array("/".utf8))
            default: continue
            }
        }
        return names
    }
}
