// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes new packages from Plugins/Template in Bulkhead's sources. Main thread.

import AudioUnits
import FoundationEssentials
import Glibc
import PluginHosting

/// The values that replace the template's names in a new package.
struct PackageValues {
    let name: PackageName
    let author: String
    let subtype: FourCharCode
    let manufacturer: FourCharCode

    /// The text of a template's file for the new package.
    ///
    /// The lines about Bulkhead's licence are left out.
    func filled(_ text: String, sdk: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("SPDX-FileCopyrightText: ") && !$0.contains("SPDX-License-Identifier: ") }
            .joined(separator: "\n")
            .replacing("\"../..\"", with: "\"\(sdk.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
            .replacing("\"tmpl\"", with: "\"\(subtype)\"")
            .replacing("\"Tmpl\"", with: "\"\(manufacturer)\"")
            .replacing("Template Author", with: author)
            .replacing("Template Effect", with: name.display)
            .replacing("TemplateEffect", with: name.module)
    }
}

/// The template, with the sources around it.
struct PackageTemplate {
    private static let path = "Plugins/Template"

    /// Bulkhead's sources, as an absolute path.
    let sdk: String

    /// Takes the sources in `sdk`; without it, those from which this command was built or installed.
    ///
    /// Throws if there is no template.
    init(sdk given: String? = nil) throws(CommandError) {
        let candidates = given.map { [FilePath.absolute($0)] } ?? Self.candidates
        guard let sdk = candidates.first(where: Self.isSDK) else {
            let place = given ?? candidates.first ?? ""
            throw .failed("Couldn't find Bulkhead's sources in \"\(place)\". Name their folder with --sdk.")
        }
        self.sdk = FilePath.resolved(sdk) ?? sdk
    }

    /// Throws if Bulkhead or Swift has a module of the package's name.
    func check(_ name: PackageName) throws(CommandError) {
        let manifest = (try? String(contentsOfFile: "\(sdk)/Package.swift", encoding: .utf8)) ?? ""
        let systemModules = ["Swift", "Foundation", "Glibc", "Testing", "Synchronization", "Dispatch", "Any", "Self", "Type"]
        for module in name.modules where systemModules.contains(module) || manifest.contains("\"\(module)\"") {
            throw .failed("Couldn't call a package \"\(name.display)\": there is a module \(module) already. Choose another name.")
        }
    }

    /// Writes the package.
    ///
    /// Throws without writing if `folder` is not empty.
    func write(_ values: PackageValues, to folder: String) throws(CommandError) {
        let present = try? FileManager.default.contentsOfDirectory(atPath: folder)
        guard present?.isEmpty ?? !FileManager.default.fileExists(atPath: folder) else {
            throw .failed("Couldn't write a package to \"\(folder)\": something is there already. Choose another --folder.")
        }
        do {
            try copy("\(sdk)/\(Self.path)", to: folder, values)
        } catch {
            throw .failed("Couldn't write a package to \"\(folder)\": \(FilePath.reason(of: error)).")
        }
    }

    private func copy(_ source: String, to target: String, _ values: PackageValues) throws {
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        // The products of a build in the template are no part of it.
        for name in try FileManager.default.contentsOfDirectory(atPath: source) where ![".build", ".swiftpm"].contains(name) {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name.replacing("TemplateEffect", with: values.name.module))")
            var isFolder = false
            guard FileManager.default.fileExists(atPath: from, isDirectory: &isFolder) else { continue }
            if isFolder {
                try copy(from, to: to, values)
            } else {
                let text = try String(contentsOfFile: from, encoding: .utf8)
                try values.filled(text, sdk: sdk).write(toFile: to, atomically: false, encoding: .utf8)
            }
        }
    }

    /// The possible folders: beside this command in an installation, or around it in a build.
    private static var candidates: [String] {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = FilePath.folder(of: executable)
        var candidates = ["\(folder)/../lib/bulkhead/sdk"]
        while folder != "/", folder != "." {
            candidates.append(folder)
            folder = FilePath.folder(of: folder)
        }
        return candidates
    }

    private static func isSDK(_ folder: String) -> Bool {
        FileManager.default.isReadableFile(atPath: "\(folder)/\(path)/Package.swift")
    }
}
