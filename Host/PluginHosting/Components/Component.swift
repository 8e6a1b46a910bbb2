// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that can be instantiated: its manifest and the paths of its files. Any thread.

import AudioUnits
import FoundationEssentials
import Glibc

/// An installed plug-in.
public struct Component: Hashable, Sendable {
    /// Type, subtype and manufacturer.
    public let description: ComponentDescription
    /// The plug-in's name.
    public let name: String
    /// The name of the plug-in's maker.
    public let manufacturerName: String
    /// The plug-in's version.
    public let version: UnitVersion
    /// Words that say what the plug-in is for.
    public let tags: [String]
    /// The format in which the plug-in was written.
    public let format: PluginFormat
    /// The plug-in's ID: `type:subtype:manufacturer`, `ladspa:library:label` or `lv2:uri`.
    public let id: String
    /// Which unit the executable becomes; empty where it has one only.
    package internal(set) var locator: [String]
    /// Folders of bundles that have presets for the plug-in.
    ///
    /// They are never read by the plug-in's process.
    package internal(set) var extensionPaths: [String] = []
    /// The bundle's folder; for a classic plug-in the bridge's.
    public let bundlePath: String
    package let executablePath: String
    /// The library for in-process loading, if the bundle has one.
    package let libraryPath: String?
    /// Whether the manifest consents to being loaded into the host.
    ///
    /// A classic plug-in cannot say so; the user's trust is all that it needs.
    package let consentsToInProcess: Bool
    /// The library or folder that holds a classic plug-in.
    package let locationPath: String?
    /// The library or folder that is the plug-in itself, which the user's decisions are about; without links.
    public let home: String
    /// Whether the user lets exactly this code be loaded into the host.
    ///
    /// A program that loads plug-ins on its own account sets it, in the user's name.
    public var isTrusted = false
    /// The rights that the user gave to this code; nil if there are none.
    package internal(set) var rights: PluginRights?
    /// The rights that this plug-in does not have, because the user gave them to other code.
    public internal(set) var lapsedRights: LapsedRights?
    /// What the plug-in's process may reach.
    public internal(set) var profile: ConfinementProfile
    /// Files and folders that the user lets the plug-in read.
    public internal(set) var granted: [String] = []
    /// Why the plug-in is in quarantine, such as "was ended by SIGSEGV, …"; nil if it is not.
    public internal(set) var quarantineReason: String?
    /// Whether the user has blocked the plug-in: it is not instantiated.
    public internal(set) var isBlocked = false

    /// Makes a component of a classic plug-in, as the unit that `bridge` makes of it.
    init(
        _ unit: ListedUnit, format: PluginFormat, bridge: Component, locationPath: String? = nil
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
        consentsToInProcess = true
        self.locationPath = locationPath
        home = Self.home(locationPath ?? bundlePath)
    }

    private static func home(_ path: String) -> String { FilePath.resolved(path) ?? FilePath.absolute(path) }

    /// Whether the plug-in has a tag, in any case.
    public func isTagged(_ tag: String) -> Bool { tags.contains { $0.lowercased() == tag.lowercased() } }

    /// Reads a bundle.
    ///
    /// Throws `malformedManifest`, `missingExecutable` or `missingLibrary`, or `unusableLocation` if one of its files is a link
    /// that leads out of it.
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
        locationPath = nil
        home = Self.home(bundlePath)
        for file in [manifest.executable] + [manifest.library].compactMap({ $0 }) {
            guard let defect = ContainedPath(file, in: bundlePath).defect else { continue }
            throw .unusableLocation(path: "\(bundlePath)/\(file)", reason: defect)
        }
        guard FileManager.default.isExecutableFile(atPath: executablePath) else {
            throw .missingExecutable(bundle: bundlePath, executable: manifest.executable)
        }
        if let library = manifest.library, !FileManager.default.isReadableFile(atPath: "\(bundlePath)/\(library)") {
            throw .missingLibrary(bundle: bundlePath, library: library)
        }
    }
}
