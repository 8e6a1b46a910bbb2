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
    public let format: PluginFormat
    /// What people and scripts call it.
    public let id: String
    /// Which of its units the executable is to become; empty where it has only one.
    public let locator: [String]
    /// The bundle's folder; for a classic plug-in that of the bridge.
    public let bundlePath: String
    public let executablePath: String
    /// The library for in-process loading, if the bundle has one.
    public let libraryPath: String?
    /// Its manifest says so; of a classic plug-in the user.
    public let consentsToInProcess: Bool
    /// The library or folder that a classic plug-in is in.
    public let placePath: String?
    /// Where the plug-in was when the user trusted it, if that is not where this one is: it may be another.
    public internal(set) var trustedElsewhere: String?
    /// How far its process gets.
    public internal(set) var profile: ConfinementProfile
    /// Files and folders that the user lets it read.
    public internal(set) var granted: [String] = []
    /// Why it is in quarantine, as "was ended by SIGSEGV, …"; nil for one that is not.
    public internal(set) var quarantineReason: String?
    /// The user does not want it to be instantiated.
    public internal(set) var isBlocked = false

    /// A plug-in of a classic format, as the unit that `bridge` makes of it.
    init(
        _ unit: ListedUnit, format: PluginFormat, bridge: Component, consentsToInProcess: Bool, placePath: String? = nil
    ) {
        description = unit.description.component
        name = unit.description.name
        manufacturerName = unit.description.manufacturerName
        version = unit.description.version
        tags = unit.description.tags
        self.format = format
        profile = ConfinementProfile(for: format)
        id = unit.description.identifier
        locator = unit.locator
        bundlePath = bridge.bundlePath
        executablePath = bridge.executablePath
        libraryPath = bridge.libraryPath
        self.consentsToInProcess = consentsToInProcess
        self.placePath = placePath
    }

    /// The library or folder that is the plug-in itself: what a decision about it is about.
    public var home: String {
        let path = placePath ?? bundlePath
        return FilePath.resolved(path) ?? FilePath.absolute(path)
    }

    /// Whether it carries a tag, in any case.
    public func isTagged(_ tag: String) -> Bool { tags.contains { $0.lowercased() == tag.lowercased() } }

    /// Reads a bundle.
    public init(bundlePath: String) throws(HostingError) {
        let manifest = try Manifest.read(path: "\(bundlePath)/\(Manifest.fileName)")
        description = ComponentDescription(manifest.component)!
        name = manifest.name
        manufacturerName = manifest.manufacturerName
        version = UnitVersion(manifest.version)!
        tags = manifest.tags
        format = .native
        profile = .strict
        id = description.description
        locator = []
        self.bundlePath = bundlePath
        executablePath = "\(bundlePath)/\(manifest.executable)"
        libraryPath = manifest.library.map { "\(bundlePath)/\($0)" }
        consentsToInProcess = manifest.consentsToInProcess
        placePath = nil
        guard FileManager.default.isExecutableFile(atPath: executablePath) else {
            throw .missingExecutable(bundle: bundlePath, executable: manifest.executable)
        }
        if let library = manifest.library, !FileManager.default.isReadableFile(atPath: "\(bundlePath)/\(library)") {
            throw .missingLibrary(bundle: bundlePath, library: library)
        }
    }
}
