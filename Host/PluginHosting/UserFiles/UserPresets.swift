// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's presets: full states, one file each, in the XDG data folder. Control thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Wire

/// User presets on disk: `$XDG_DATA_HOME/bulkhead/presets/TYPE:SUBTYPE:MANUFACTURER/NAME.preset`.
///
/// A file holds the magic bytes, 32 bytes of the host's seal, and the encoded state.
package enum UserPresets {
    private static let magic = Array("BLKHPRS2".utf8)
    /// The most bytes of a file: a state that fits into a message.
    private static let maximumByteCount = WireLimits.bodyByteCount + magic.count + SHA256.digestByteCount

    private static func files(of component: Component) -> UserFiles {
        UserFiles("preset", in: "presets/\(folderName(of: component.id))", fileExtension: "preset")
    }

    /// The folder's name for an ID, in which slashes are encoded: IDs of classic formats may hold any characters.
    ///
    /// An ID that is too long for a file name is cut and ends in a checksum of itself.
    static func folderName(of id: String) -> String {
        let name = id.replacing("%", with: "%25").replacing("/", with: "%2F")
        guard name.utf8.count > 240 else { return name }
        let beginning = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        return beginning + "%" + String(Checksum.of(Array(id.utf8)[...]), radix: 16)
    }

    /// Selects a preset by its name.
    ///
    /// A factory preset of that name comes first, then a user preset, then a preset for the plug-in in another bundle. A user
    /// preset that this user's host did not write gets only the rights in `allowances`.
    package static func select(
        _ name: String, of unit: HostedUnit, allowing allowances: Allowances = Allowances()
    ) throws(HostingError) {
        let own = names(for: unit.component)
        let isFactory = unit.ownPresets.contains { $0.name.lowercased() == name.lowercased() }
        // Presets of other bundles come last: any author can give one the name of a user's preset.
        if isFactory || own.isEmpty { return try unit.selectFactoryPreset(name) }
        guard own.contains(name) else {
            let isForeign = unit.factoryPresets.contains { $0.name.lowercased() == name.lowercased() }
            guard isForeign else { throw unknown(name, unit, own) }
            return try unit.selectFactoryPreset(name)
        }
        let (state, isOwn) = try load(path: try files(of: unit.component).path(of: name))
        if !isOwn {
            let document = "the preset \"\(name)\""
            try allowances.check(try unit.component.wishes(texts: state.texts, in: document), of: document)
        }
        try unit.restoreState(state)
    }

    private static func unknown(_ name: String, _ unit: HostedUnit, _ own: [String]) -> HostingError {
        let all = unit.factoryPresets.map(\.name) + own
        let nearest = NearestNames.among(all, to: name, limit: 1).first
        let hint = nearest.map { "did you mean \"\($0)\"?" } ?? "it has \(all.map { "\"\($0)\"" }.joined(separator: ", "))"
        return .refused(unit: unit.name, act: "select a preset of", cause: .unknownPreset(name), hint: hint)
    }

    /// The names of the user presets of a component.
    package static func names(for component: Component) -> [String] { files(of: component).names }

    /// The file of a user preset; nil without one of that name.
    package static func path(of name: String, for component: Component) -> String? {
        names(for: component).contains(name) ? try? files(of: component).path(of: name) : nil
    }

    /// Saves the unit's state under a name; returns the file's path.
    ///
    /// An older preset of that name is replaced.
    @discardableResult
    package static func save(_ name: String, of unit: HostedUnit) throws(HostingError) -> String {
        let files = files(of: unit.component)
        try files.checkName(name)
        // It could never be selected: factory presets come first.
        guard !unit.ownPresets.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            let reason = "\"\(unit.name)\" has a factory preset of that name; choose another"
            throw .file(act: "save the preset \"\(name)\"", cause: FileDefect(reason))
        }
        let state = try unit.saveState().encoded
        let seal = DocumentSeal.current.mark(state) ?? [UInt8](repeating: 0, count: SHA256.digestByteCount)
        return try files.save(Data(magic + seal + state), as: name)
    }

    /// Removes a user preset.
    package static func delete(_ name: String, of component: Component) throws(HostingError) {
        try files(of: component).delete(name, owner: " of \"\(component.name)\"")
    }

    /// Reads a preset's state; `isOwn` is true if this user's host wrote it.
    static func load(path: String) throws(HostingError) -> (state: FullState, isOwn: Bool) {
        func unreadable(_ defect: FileDefect) -> HostingError { .file(act: "read the preset \"\(path)\"", cause: defect) }
        let data: Data
        do throws(FileDefect) {
            data = try SmallFile.read(path, maximumByteCount: maximumByteCount)
        } catch {
            throw unreadable(error)
        }
        guard data.starts(with: magic) else { throw unreadable(FileDefect("it is not a preset of Bulkhead")) }
        let seal = Array(data.dropFirst(magic.count).prefix(SHA256.digestByteCount))
        let encoded = Array(data.dropFirst(magic.count + SHA256.digestByteCount))
        do throws(WireViolation) {
            return (try FullState(encoded: encoded), DocumentSeal.current.isMark(seal, of: encoded))
        } catch {
            throw unreadable(FileDefect("it is damaged (\(error))"))
        }
    }
}
