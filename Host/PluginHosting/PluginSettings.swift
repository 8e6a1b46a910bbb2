// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the user has decided about single plug-ins: blocked ones, trusted ones. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// The user's decisions, by component ID. One JSON file holds them, short enough to be read by people.
public struct PluginSettings: Hashable, Sendable {
    /// Plug-ins that are not instantiated.
    public private(set) var blocked: Set<String> = []
    /// Classic plug-ins that may be loaded into the host. They cannot consent themselves; the user does.
    public private(set) var trusted: Set<String> = []

    static let maximumByteCount = 1 << 20
    private static let maximumIdentifierByteCount = 1024

    public func blocks(_ id: String) -> Bool { blocked.contains(id) }
    public func trusts(_ id: String) -> Bool { trusted.contains(id) }

    /// Blocks a plug-in or lets it be used again; false when that changes nothing.
    public mutating func block(_ id: String, _ isBlocked: Bool = true) -> Bool {
        isBlocked ? blocked.insert(id).inserted : blocked.remove(id) != nil
    }

    /// Trusts a plug-in or no longer; false when that changes nothing.
    public mutating func trust(_ id: String, _ isTrusted: Bool = true) -> Bool {
        isTrusted ? trusted.insert(id).inserted : trusted.remove(id) != nil
    }
}

extension PluginSettings {
    /// The file, with its keys as they are written.
    private struct File: Codable {
        static let formatVersion = 1

        var version: Int
        var blocked: [String]
        var trusted: [String]
    }

    /// Reads the file; without one nothing is decided.
    ///
    /// A file that cannot be understood is an error: nobody would know what it blocks.
    static func read(_ path: String) throws(HostingError) -> PluginSettings {
        func malformed(_ reason: String) -> HostingError { .malformedSettings(path: path, reason: reason) }
        guard access(path, F_OK) == 0 || errno != ENOENT else { return PluginSettings() }
        let file: File
        do throws(FileDefect) {
            file = try ReadableJSON.decode(File.self, from: try SmallFile.read(path, maximumByteCount: maximumByteCount))
        } catch {
            throw malformed(error.reason)
        }
        guard file.version == File.formatVersion else {
            throw malformed("it has version \(file.version), and this host reads \(File.formatVersion)")
        }
        guard (file.blocked + file.trusted).allSatisfy(isIdentifier) else {
            throw malformed("it holds something that is not an ID")
        }
        return PluginSettings(blocked: Set(file.blocked), trusted: Set(file.trusted))
    }

    private static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumIdentifierByteCount && PrintableText.isPrintable(text)
    }

    /// Reads the file, changes what it says, and writes it anew. Others that do the same wait for each other.
    static func change(_ path: String, _ body: (inout PluginSettings) -> Bool) throws(HostingError) -> Bool {
        let folder = FilePath.folder(of: path)
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The lock goes with the descriptor.
        let lock = Descriptor(owning: open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        if lock.number >= 0 { flock(lock.number, LOCK_EX) }
        var settings = try read(path)
        guard body(&settings) else { return false }
        try settings.write(path)
        return true
    }

    private func write(_ path: String) throws(HostingError) {
        let file = File(version: File.formatVersion, blocked: blocked.sorted(), trusted: trusted.sorted())
        guard let data = try? ReadableJSON.encode(file) else { throw .system("Couldn't write \"\(path)\": it is not text.") }
        do throws(SystemError) {
            try ReplacedFile.write(Array(data) + Array("\n".utf8), to: path)
        } catch {
            throw .system(error.description)
        }
    }
}
