// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The project's source files as text, and what rules can be read from it.

import FoundationEssentials
import Glibc
import Testing

/// One file of the project.
struct SourceFile: Sendable, CustomTestStringConvertible {
    /// From the root of the project.
    let path: String
    let text: String

    var testDescription: String { path }

    private var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }

    var isTest: Bool { path.hasPrefix("Tests/") && !path.hasPrefix("Tests/TestPlugins/") }
    var isPlugin: Bool { path.hasPrefix("Plugins/") }
    var isBridge: Bool { path.hasPrefix("Plugins/Bridges/") }

    /// The module that the file belongs to.
    var module: String {
        let isNested = isBridge || ["Tests/TestPlugins/", "Host/Apple/", "Host/Examples/"].contains { path.hasPrefix($0) }
        let depth = isNested ? 2 : 1
        return folders.count > depth ? folders[depth] : folders.last ?? ""
    }

    let lines: [Substring]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The modules that the file imports, submodules by their module.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let position = words.firstIndex(of: "import"),
                words[..<position].allSatisfy({ $0.hasPrefix("@") || ["public", "internal", "private"].contains($0) })
            else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = words[(position + 1)...].first { !kinds.contains($0) }
            return name?.split(separator: ".").first.map(String.init)
        }
    }

    /// The modules that the file re-exports with all that they have, and not name by name.
    var wholeExports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard words.contains("@_exported"), let position = words.firstIndex(of: "import"), words.count == position + 2 else {
                return nil
            }
            return String(words[position + 1])
        }
    }

    /// The imports that the architecture does not permit.
    var forbiddenImports: [String] { imports.filter { !permitted(self).contains($0) } }

    var hasLicenceHeader: Bool {
        let marks = text.hasPrefix("#!") || text.hasPrefix("// swift-tools-version") ? Array(lines.dropFirst()) : lines
        return marks.count > 2 && marks[0].hasSuffix("SPDX-FileCopyrightText: 2026 The Bulkhead authors")
            && marks[1].hasSuffix("SPDX-License-Identifier: MIT")
    }

    /// Lines that take a promise from the compiler on themselves and say nowhere near why it holds.
    var unexplainedPromises: [String] {
        lines.indices.filter { index in
            guard lines[index].holds("@unchecked Sendable") || lines[index].holds("nonisolated(unsafe)"),
                !lines[index].drop(while: { $0 == " " }).hasPrefix("//"), !lines[index].holds("\"")
            else { return false }
            let nearby = lines[max(0, index - 4)...min(lines.count - 1, index + 3)]
            return !nearby.contains { $0.holds("// SAFETY:") }
        }.map { "\(path):\($0 + 1)" }
    }

    /// A kernel's functions of the render thread that do not carry the compiler's check.
    var uncheckedRenderFunctions: [String] {
        lines.indices.filter { index in
            let words = lines[index].split(whereSeparator: { " (".contains($0) })
            guard let position = words.firstIndex(of: "func"), position + 1 < words.count,
                ["render", "_renderTellingDelays", "apply", "handle", "reset"].contains(words[position + 1])
            else { return false }
            let before = index > 0 ? lines[index - 1] : ""
            // A view handles events too, and not on the render thread.
            if lines[index].holds("ViewEvent") { return false }
            return !lines[index].holds("@_noLocks") && !before.holds("@_noLocks")
        }.map { "\(path):\($0 + 1)" }
    }
}

extension Substring {
    /// Whether some ASCII text occurs in this one.
    ///
    /// Compares bytes: `contains` compares characters, which takes a hundred times as long.
    func holds(_ text: StaticString) -> Bool {
        var copy = self
        let (wanted, count) = (text.utf8Start, text.utf8CodeUnitCount)
        return copy.withUTF8 { bytes in
            guard let start = bytes.baseAddress, bytes.count >= count else { return false }
            return (0...bytes.count - count).contains { memcmp(start + $0, wanted, count) == 0 }
        }
    }
}

extension SourceFile {
    private static let root: String = {
        let folders = #filePath.split(separator: "/").dropLast(3)
        return "/" + folders.joined(separator: "/")
    }()

    /// Every file of these kinds below the rooms of the project.
    ///
    /// A package in one of the rooms has a manifest of its own, and is part of it only if `includingPackages` says so. So are the programs in
    /// documentation, which are parts of such a package.
    static func all(_ kinds: [String] = ["swift"], includingPackages: Bool = false) -> [SourceFile] {
        ["Host", "Plugins", "Protocol", "Sources", "Tests"].flatMap { files(in: $0, kinds, includingPackages) }
    }

    private static func files(in folder: String, _ kinds: [String], _ includingPackages: Bool) -> [SourceFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        if !includingPackages, names.contains("Package.swift") || folder.hasSuffix(".docc") { return [] }
        return names.filter { $0 != ".build" }.sorted().flatMap { name -> [SourceFile] in
            let path = "\(folder)/\(name)"
            guard kinds.contains(where: { name.hasSuffix(".\($0)") }) else { return files(in: path, kinds, includingPackages) }
            guard let data = FileManager.default.contents(atPath: "\(root)/\(path)") else { return [] }
            return [SourceFile(path: path, text: String(decoding: data, as: UTF8.self))]
        }
    }
}
