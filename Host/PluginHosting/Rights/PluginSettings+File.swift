// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's decisions as a JSON file that the user can read. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import Printing

extension PluginSettings {
    static let maximumByteCount = 1 << 20
    private static let maximumIdentifierByteCount = 1024
    private static let maximumPathByteCount = 4096

    /// The file's contents, under the keys of the JSON.
    private struct File: Codable {
        static let formatVersion = 4
        /// The versions that named plug-ins without identifying their code.
        static let vagueVersions = 1...3

        var version: Int
        var blocked: [String]
        /// Nil if empty.
        var quarantined: [String: String]?
        /// The rights by ID; nil if empty, as they mostly are.
        var rights: [String: PluginRights]?

        init(_ settings: PluginSettings) {
            version = Self.formatVersion
            blocked = settings.blocked.sorted()
            quarantined = settings.quarantined.isEmpty ? nil : settings.quarantined
            rights = settings.rights.isEmpty ? nil : settings.rights
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            version = try container.decode(Int.self, forKey: .version)
            blocked = []
            guard isKnown else { return }
            blocked = try container.decode([String].self, forKey: .blocked)
            quarantined = try container.decodeIfPresent([String: String].self, forKey: .quarantined)
            // Rights in older versions are dropped: those files do not identify the code.
            guard version == Self.formatVersion else { return }
            rights = try container.decodeIfPresent([String: PluginRights].self, forKey: .rights)
        }

        var isKnown: Bool { version == Self.formatVersion || Self.vagueVersions.contains(version) }
    }

    /// Reads the file; without one there are no decisions.
    ///
    /// A malformed file is an error, because it may block plug-ins.
    static func read(_ path: String) throws(HostingError) -> PluginSettings {
        func malformed(_ reason: String) -> HostingError { .malformedSettings(path: path, reason: reason) }
        guard !FilePath.isAbsent(path) else { return PluginSettings() }
        let (file, unknown): (File, UnknownKey?)
        do throws(FileDefect) {
            (file, unknown) = try ReadableJSON.document(File.self, in: try SmallFile.read(path, maximumByteCount: maximumByteCount))
        } catch {
            throw malformed(FilePath.isLinkToNowhere(path) ? "it is a link to a file that is not there" : error.reason)
        }
        guard file.isKnown else {
            throw malformed("it has version \(file.version), and this host reads up to \(File.formatVersion)")
        }
        // Of an older version not all keys are read.
        if file.version == File.formatVersion, let unknown { throw malformed(unknown.reason()) }
        let (quarantined, rights) = (file.quarantined ?? [:], file.rights ?? [:])
        let ids = file.blocked + quarantined.keys + rights.keys
        guard ids.allSatisfy(isIdentifier) else { throw malformed("it holds something that is not an ID") }
        guard quarantined.values.allSatisfy({ $0.isEmpty || PrintableText.isPrintable($0) }) else {
            throw malformed("it gives a reason that cannot be shown")
        }
        for (id, rights) in rights {
            guard isPath(rights.code.path), rights.granted.keys.allSatisfy(isPath) else {
                throw malformed("the rights of \(id) name something that is not a path")
            }
            let days = [rights.trusted, rights.unconfined, rights.windowed].compactMap { $0 } + rights.granted.values
            guard days.allSatisfy(isDay) else { throw malformed("the rights of \(id) begin on something that is not a day") }
        }
        return PluginSettings(blocked: Set(file.blocked), quarantined: quarantined, rights: rights)
    }

    private static func isIdentifier(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumIdentifierByteCount && PrintableText.isPrintable(text)
    }

    private static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.utf8.count <= maximumPathByteCount
    }

    /// True if the text is a date such as `2026-11-25`.
    private static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-") }
    }

    /// Reads the file, changes the decisions, and writes it.
    ///
    /// Processes that do so wait for each other.
    static func change(
        _ path: String, isStopped: () -> Bool, _ body: (inout PluginSettings) -> Bool
    ) throws(HostingError) -> Bool {
        let lock = try lock(besides: path, isStopped)
        var settings = try read(path)
        let isChanged = body(&settings)
        if isChanged { try settings.write(path) }
        withExtendedLifetime(lock) {}
        return isChanged
    }

    /// Waits until no other process changes the file.
    ///
    /// The lock ends with the descriptor.
    private static func lock(besides path: String, _ isStopped: () -> Bool) throws(HostingError) -> LockedFolder {
        let folder = FilePath.folder(of: FilePath.resolved(path) ?? path)
        do throws(SystemError) {
            return try LockedFolder(folder, isStopped: isStopped)
        } catch {
            guard error.code != EINTR else {
                throw .interrupted(path: path)
            }
            throw .system(error)
        }
    }

    private func write(_ path: String) throws(HostingError) {
        let bytes: [UInt8]
        do {
            bytes = try ReadableJSON.bytes(File(self))
        } catch {
            throw .file(act: "write \"\(path)\"", cause: FileDefect(error))
        }
        do throws(SystemError) { try ReplacedFile.write(bytes, to: path) } catch { throw .system(error) }
    }
}
