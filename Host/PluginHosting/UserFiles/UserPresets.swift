// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The user's presets: full states, one file each, in the XDG data folder. Control thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Wire

/// User presets on disk: `$XDG_DATA_HOME/bulkhead/presets/TYPE:SUBTYPE:MANUFACTURER/NAME.preset`.
///
/// A file holds the magic bytes, 32 bytes of the host's seal, the number of bytes of the plug-in's code in JSON (four, the lowest
/// first), the code, and the encoded state. A preset that names no file keeps no code.
package enum UserPresets {
    private static let magic = Array("BLKHPRS3".utf8)
    /// The most bytes of a file: a state that fits into a message.
    private static let maximumByteCount = WireLimits.bodyByteCount + magic.count + SHA256.digestByteCount + maximumCodeByteCount
    /// The most bytes of the code: a path and two digests.
    private static let maximumCodeByteCount = 1 << 16

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
    /// preset that this user's host did not write, or wrote for other code, gets only the rights in `allowances`.
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
        let preset = try load(path: try files(of: unit.component).path(of: name))
        if !preset.isOwn || !preset.isFor(unit.component) {
            let document = "the preset \"\(name)\""
            try allowances.check(try unit.component.wishes(texts: preset.state.texts, in: document), of: document)
        }
        try unit.restoreState(preset.state)
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
        let state = try unit.saveState()
        return try files.save(Data(try bytes(of: state, for: state.texts.isEmpty ? nil : unit.knownCode)), as: name)
    }

    /// The bytes of a file, sealed.
    static func bytes(of state: FullState, for code: PluginCode?) throws(HostingError) -> [UInt8] {
        let sealed = try encoded(code) + state.encoded
        return magic + (DocumentSeal.current.mark(sealed) ?? [UInt8](repeating: 0, count: SHA256.digestByteCount)) + sealed
    }

    /// Removes a user preset.
    package static func delete(_ name: String, of component: Component) throws(HostingError) {
        try files(of: component).delete(name, owner: " of \"\(component.name)\"")
    }

    private static func encoded(_ code: PluginCode?) throws(HostingError) -> [UInt8] {
        guard let code else { return [0, 0, 0, 0] }
        do {
            let bytes = Array(try ReadableJSON.encode(code))
            guard bytes.count <= maximumCodeByteCount else { throw FileDefect("the path of the plug-in is too long") }
            return withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + bytes
        } catch {
            throw .file(act: "save the preset", cause: FileDefect("\(error)"))
        }
    }

    /// A preset as its file holds it.
    struct Preset {
        let state: FullState
        /// The plug-in's code when the preset was saved; nil if no file is named.
        let code: PluginCode?
        /// True if this user's host wrote it.
        let isOwn: Bool

        /// True if a plug-in is the same as when the preset was saved, or if that does not matter.
        func isFor(_ component: Component) -> Bool { code.map { $0.change(at: component.home) == nil } ?? state.texts.isEmpty }
    }

    /// Reads a preset.
    static func load(path: String) throws(HostingError) -> Preset {
        func unreadable(_ defect: FileDefect) -> HostingError { .file(act: "read the preset \"\(path)\"", cause: defect) }
        let data: Data
        do throws(FileDefect) {
            data = try SmallFile.read(path, maximumByteCount: maximumByteCount)
        } catch {
            throw unreadable(error)
        }
        guard data.starts(with: magic) else { throw unreadable(FileDefect("it is not a preset of Bulkhead")) }
        let seal = Array(data.dropFirst(magic.count).prefix(SHA256.digestByteCount))
        let sealed = Array(data.dropFirst(magic.count + SHA256.digestByteCount))
        let codeCount = sealed.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard sealed.count >= 4, codeCount <= min(sealed.count - 4, maximumCodeByteCount) else {
            throw unreadable(FileDefect("it is damaged (it is too short)"))
        }
        let bytes = sealed.dropFirst(4).prefix(codeCount)
        do {
            let code = bytes.isEmpty ? nil : try ReadableJSON.decode(PluginCode.self, from: Data(bytes))
            let state = try FullState(encoded: Array(sealed.dropFirst(4 + codeCount)))
            return Preset(state: state, code: code, isOwn: DocumentSeal.current.isMark(seal, of: sealed))
        } catch {
            throw unreadable(FileDefect("it is damaged (\(error))"))
        }
    }
}
