// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The manifest of a bundle: its unit's description in JSON, which is read without starting the unit. Control thread.

import AudioUnits
import FoundationEssentials

/// The contents of a bundle's `manifest.json`: the plug-in's description of itself.
package struct Manifest: Codable, Hashable, Sendable {
    /// The version of this file's format.
    package static let formatVersion = 1
    package static let fileName = "manifest.json"

    package var manifest: Int
    /// The component as `type:subtype:manufacturer`.
    package var component: String
    package var name: String
    package var manufacturerName: String
    package var version: String
    package var tags: [String]
    /// The file in the bundle that runs the unit in a process of its own.
    package var executable: String
    /// The file in the bundle that a host can load; nil if no host can load the unit.
    package var library: String?
    /// True if the plug-in consents to being loaded into a host.
    package var consentsToInProcess: Bool

    package init(
        component: ComponentDescription, name: String, manufacturerName: String, version: UnitVersion, tags: [String],
        executable: String, library: String?, consentsToInProcess: Bool
    ) {
        manifest = Self.formatVersion
        self.component = component.description
        self.name = name
        self.manufacturerName = manufacturerName
        self.version = version.description
        self.tags = tags
        self.executable = executable
        self.library = library
        self.consentsToInProcess = consentsToInProcess
    }

    /// The most bytes of a manifest.
    static let maximumByteCount = 1 << 20

    /// Reads a manifest; the thrown reason names the wrong field.
    static func read(path: String) throws(HostingError) -> Manifest {
        func malformed(_ reason: String) -> HostingError { .malformedManifest(path: path, reason: reason) }
        let (manifest, unknown): (Manifest, UnknownKey?)
        do throws(FileDefect) {
            let data = try SmallFile.read(path, maximumByteCount: maximumByteCount)
            (manifest, unknown) = try ReadableJSON.document(Manifest.self, in: data)
        } catch {
            throw malformed(error.reason)
        }
        if let reason = manifest.defect ?? unknown?.reason() { throw malformed(reason) }
        return manifest
    }

    /// The first wrong field, as a reason; nil if all are right.
    private var defect: String? {
        if manifest != Self.formatVersion {
            return "it has format \(manifest), and this host reads \(Self.formatVersion)"
        }
        if ComponentDescription(component).map({ ![$0.type, $0.subtype, $0.manufacturer].contains(.any) }) != true {
            return "\"component\" is \"\(component)\", not type:subtype:manufacturer"
        }
        for (field, text) in [("name", name), ("manufacturerName", manufacturerName)] where !text.isPrintable {
            return "\"\(field)\" is not a name"
        }
        if !tags.allSatisfy(\.isPrintable) { return "\"tags\" holds something that is not a name" }
        if UnitVersion(version) == nil { return "\"version\" is \"\(version)\", not three numbers" }
        for (field, file) in [("executable", executable), ("library", library ?? "library")]
        where file.isEmpty || file.contains("/") || file.hasPrefix(".") {
            return "\"\(field)\" is \"\(file)\", not the name of a file in the bundle"
        }
        return nil
    }
}

extension UnitVersion {
    /// Reads three numbers separated by dots.
    init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2],
            major < 4096, minor < 1024, patch < 1024
        else { return nil }
        self.init(major, minor, patch)
    }
}
