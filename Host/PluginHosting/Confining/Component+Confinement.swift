// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a plug-in's process is confined to. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

extension Component {
    /// The confinement of a unit of this plug-in that is to read `files` too; nil when the user wants none.
    func confinement(reading files: Set<String> = []) -> Confinement? {
        var paths = Self.paths(ofExecutable: executablePath)
        paths += (granted + files.sorted()).map { Confinement.NamedPath($0, .read) }
        if format != .native {
            paths += Self.paths(ofFormat: format)
            // Where it is, and where there are presets for it.
            paths += ([placePath ?? ""] + locator).filter { $0.hasPrefix("/") }.map { Confinement.NamedPath($0, .read) }
        }
        return Confinement(profile, paths: paths)
    }

    /// The confinement of a bridge that is asked what there is at a place.
    static func confinement(ofBridge executable: String, scanning place: String, format: PluginFormat) -> Confinement? {
        let own = paths(ofExecutable: executable) + paths(ofFormat: format) + [Confinement.NamedPath(place, .read)]
        return Confinement(.standard, paths: own)
    }

    /// The bundle that an executable is in, and what runs it if it is a script.
    static func paths(ofExecutable executable: String) -> [Confinement.NamedPath] {
        let executable = FilePath.resolved(executable) ?? executable
        return [Confinement.NamedPath(FilePath.folder(of: executable), [.read, .run])]
            + [interpreter(of: executable)].compactMap { $0 }.map { Confinement.NamedPath($0, [.read, .run]) }
    }

    /// The folders in which plug-ins of a format and their descriptions lie: a plug-in may need what another one holds.
    private static func paths(ofFormat format: PluginFormat) -> [Confinement.NamedPath] {
        let folders = format.classicFolders(ProcessInfo.processInfo.environment)
        return (folders + MachinePaths.searched("LADSPA_RDF_PATH")).map { Confinement.NamedPath($0, .read) }
    }

    /// The program that the first line of a script names.
    private static func interpreter(of executable: String) -> String? {
        guard let file = fopen(executable, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: Array("#!".utf8)) else { return nil }
        let words = String(decoding: line.dropFirst(2), as: UTF8.self).split { $0 == " " || $0 == "\t" }
        return words.first.map(String.init)
    }
}
