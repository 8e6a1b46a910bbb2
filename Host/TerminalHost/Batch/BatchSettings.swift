// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The settings, besides the inputs, that the sound of a batch depends on. Main thread.

import LinuxSystem
import PluginHosting

/// The arguments, the program and the effects; an input gives the same output while they are equal.
struct BatchSettings: Codable, Equatable {
    struct Effect: Codable, Equatable {
        let id, version: String
        /// The sizes and times of its code; nil if they cannot be read.
        let code: String?
        /// The rights of its process: its confinement, and the files that it may read.
        let access: [String]
    }

    /// The size and the time of a file.
    struct NamedFile: Codable {
        let path: String
        let time: FileTime
    }

    let host: String
    /// Sizes and times of this program and of the files that the arguments name, in the order of their paths.
    let files: [NamedFile]
    let arguments: [String]
    let effects: [Effect]

    /// Throws the defects of the effects, before a process starts for a file.
    init(_ render: FileRender, _ words: [String], folder: String) throws {
        let (chain, registry) = try render.requested(for: folder, asking: false)
        let components = try chain.effects.map { try $0.component(in: registry) }
        host = TerminalHost.version
        arguments = words
        effects = components.map { component in
            Effect(
                id: component.id, version: component.version.description, code: component.codeStamp,
                access: [component.profile.rawValue] + component.granted.sorted())
        }
        let presets = zip(components, chain.effects).compactMap { component, effect in
            effect.preset.flatMap { UserPresets.path(of: $0, for: component) }
        }
        // Texts may be paths, such as an impulse response in a saved chain.
        let texts = chain.effects.flatMap { $0.saved?.unit.texts.map { Array($0.values) } ?? [] }
        files = Self.times(of: Self.paths(in: words) + presets + texts + render.chain.files + [OwnExecutable.path])
    }

    /// The possible paths: each word, and the part of it after the first "=".
    private static func paths(in words: [String]) -> [String] {
        words + words.compactMap { word in word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) } }
    }

    private static func times(of paths: [String]) -> [NamedFile] {
        let absolute = Set(paths.filter { !$0.isEmpty }.map { ExactPath(FilePath.absolute($0)) }).sorted()
        return absolute.compactMap { path in FileTime(of: path.text).map { NamedFile(path: path.text, time: $0) } }
    }

    /// True for the same settings, byte by byte: an argument may be a path.
    static func == (left: BatchSettings, right: BatchSettings) -> Bool {
        guard let own = try? ReadableJSON.line(left), let other = try? ReadableJSON.line(right) else { return false }
        return own == other
    }
}
