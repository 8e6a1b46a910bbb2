// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Presets that users saved: full states, one file each, in the XDG data folder. Control thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Glibc
import Wire

/// User presets on disk: `$XDG_DATA_HOME/bulkhead/presets/ID/NAME.preset`; see `folderName(for:)` for the ID.
public enum UserPresets {
    private static let fileExtension = "preset"
    private static let magic = Array("BLKHPRST".utf8)

    static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (data ?? "\(environment["HOME"] ?? "/tmp")/.local/share") + "/bulkhead/presets"
    }

    /// Selects a factory preset of that name, or a user preset when there is no such factory preset.
    public static func select(_ name: String, of unit: HostedUnit) throws(HostingError) {
        let own = names(for: unit.component)
        let isFactory = unit.factoryPresets.contains { $0.name.lowercased() == name.lowercased() }
        if isFactory || own.isEmpty { return try unit.selectFactoryPreset(name) }
        guard own.contains(name) else { throw unknown(name, unit, own) }
        try unit.restoreState(try load(path: path(of: name, unit.component)))
    }

    private static func unknown(_ name: String, _ unit: HostedUnit, _ own: [String]) -> HostingError {
        let all = unit.factoryPresets.map(\.name) + own
        let nearest = NearestNames.among(all, to: name, limit: 1).first
        let hint = nearest.map { "did you mean \"\($0)\"?" } ?? "it has \(all.map { "\"\($0)\"" }.joined(separator: ", "))"
        return .refused(unit: unit.name, act: "select a preset of", reason: "\(UnitError.unknownPreset(name)); \(hint)")
    }

    /// The names of the user presets of a component.
    public static func names(for component: Component) -> [String] {
        let folders = Set([folderName(for: component.id), olderFolderName(for: component)].compactMap { $0 })
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\($0)")) ?? [] }
        let presets = files.filter { $0.hasSuffix(".\(fileExtension)") }.map { String($0.dropLast(fileExtension.count + 1)) }
        return Set(presets).sorted()
    }

    /// A component's ID as the name of a folder: what a file name cannot hold is written as `%` and two digits. An ID that
    /// is too long for a file name ends in a checksum of itself instead.
    static func folderName(for id: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var name = ""
        for (index, byte) in id.utf8.enumerated() {
            let isPlain = byte >= 0x20 && byte < 0x7F && !"/%".utf8.contains(byte) && (index > 0 || byte != UInt8(ascii: "."))
            name += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
        guard name.utf8.count > 200 else { return name }
        return name.prefix(180) + "%" + String(Checksum.of(Array(id.utf8)[...]), radix: 16)
    }

    /// Where presets were before IDs could be anything: of native plug-ins the ID itself.
    private static func olderFolderName(for component: Component) -> String? {
        component.format == .native && !component.id.contains("/") ? component.id : nil
    }

    /// Saves the unit's state under a name; an older preset of that name is replaced. The file's path.
    @discardableResult
    public static func save(_ name: String, of unit: HostedUnit) throws(HostingError) -> String {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), name.utf8.count < 200 else {
            let rule = "it needs 1 to 199 bytes, no slash, and no dot at its beginning"
            throw .system("Couldn't save the preset \"\(name)\": the name cannot be that of a file; \(rule).")
        }
        // Nobody could select it: factory presets come first.
        guard !unit.factoryPresets.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            let reason = "\"\(unit.name)\" has a factory preset of that name; choose another"
            throw .system("Couldn't save the preset \"\(name)\": \(reason).")
        }
        let path = path(of: name, unit.component)
        let state = try unit.saveState()
        do {
            try FileManager.default.createDirectory(
                atPath: FilePath.folder(of: path), withIntermediateDirectories: true)
            try Data(magic + state.encoded).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .system("Couldn't save the preset \"\(path)\": \(FilePath.reason(of: error)).")
        }
        return path
    }

    /// Removes a user preset.
    public static func delete(_ name: String, of component: Component) throws(HostingError) {
        let names = names(for: component)
        guard names.contains(name) else {
            let act = "delete the preset \"\(name)\" of \"\(component.name)\""
            throw .system("Couldn't \(act): there is no such preset of yours. \(hint(for: name, among: names))")
        }
        let path = path(of: name, component)
        guard unlink(path) == 0 else {
            let reason = FilePath.reason(of: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO))
            throw .system("Couldn't delete the preset \"\(path)\": \(reason).")
        }
    }

    private static func hint(for name: String, among names: [String]) -> String {
        if let near = NearestNames.among(names, to: name, limit: 1).first { return "Did you mean \"\(near)\"?" }
        return names.isEmpty ? "You have saved none." : "There is \(names.map { "\"\($0)\"" }.joined(separator: ", "))."
    }

    /// Reads a preset's state.
    static func load(path: String) throws(HostingError) -> FullState {
        guard let data = FileManager.default.contents(atPath: path), data.starts(with: magic) else {
            throw .system("Couldn't read the preset \"\(path)\": it is not a preset of Bulkhead.")
        }
        do throws(WireViolation) {
            return try FullState(encoded: Array(data.dropFirst(magic.count)))
        } catch {
            throw .system("Couldn't read the preset \"\(path)\": it is damaged (\(error)).")
        }
    }

    /// Where a preset is, or will be.
    private static func path(of name: String, _ component: Component) -> String {
        func path(_ inner: String) -> String { "\(folder)/\(inner)/\(name).\(fileExtension)" }
        let own = path(folderName(for: component.id))
        guard let older = olderFolderName(for: component).map(path), access(own, F_OK) != 0 else { return own }
        return access(older, F_OK) == 0 ? older : own
    }
}
