// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that can be instantiated: its manifest and where its files are. Any thread.

import AudioUnits
import FoundationEssentials
import Glibc

/// An installed plug-in.
public struct Component: Hashable, Sendable {
    public let description: ComponentDescription
    public let name: String
    public let manufacturerName: String
    public let version: UnitVersion
    public let tags: [String]
    /// The bundle's folder.
    public let bundlePath: String
    public let executablePath: String
    /// The library for in-process loading, if the bundle has one.
    public let libraryPath: String?
    public let consentsToInProcess: Bool

    /// What people and scripts call it.
    public var id: String { description.description }
    /// Where units of this kind come from; classic formats will have others.
    public var format: String { "native" }

    /// Reads a bundle.
    public init(bundlePath: String) throws(HostingError) {
        let manifest = try Manifest.read(path: "\(bundlePath)/\(Manifest.fileName)")
        description = ComponentDescription(manifest.component)!
        name = manifest.name
        manufacturerName = manifest.manufacturerName
        version = UnitVersion(manifest.version)!
        tags = manifest.tags
        self.bundlePath = bundlePath
        executablePath = "\(bundlePath)/\(manifest.executable)"
        libraryPath = manifest.library.map { "\(bundlePath)/\($0)" }
        consentsToInProcess = manifest.consentsToInProcess
        guard FileManager.default.isExecutableFile(atPath: executablePath) else {
            throw .missingExecutable(bundle: bundlePath, executable: manifest.executable)
        }
        if let library = manifest.library, !FileManager.default.isReadableFile(atPath: "\(bundlePath)/\(library)") {
            throw .missingLibrary(bundle: bundlePath, library: library)
        }
    }
}
