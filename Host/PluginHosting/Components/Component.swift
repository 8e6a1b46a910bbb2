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
    /// Words that describe the plug-in's purpose.
    public let tags: [String]
    /// The format in which the plug-in was written.
    public let format: PluginFormat
    /// The plug-in's ID: `type:subtype:manufacturer`, `ladspa:library:label` or `lv2:uri`.
    public let id: String
    /// The arguments that choose one unit of the executable; empty if it has only one.
    package internal(set) var locator: [String]
    /// Folders of bundles with presets for the plug-in.
    ///
    /// The plug-in's process never reads them.
    package internal(set) var extensionPaths: [String] = []
    /// The bundle's folder; the bridge's for a classic plug-in.
    public let bundlePath: String
    package let executablePath: String
    /// The library for in-process loading, if the bundle has one.
    package let libraryPath: String?
    /// True if the manifest consents to being loaded into the host.
    ///
    /// A classic plug-in cannot consent; it needs the user's trust only.
    package let consentsToInProcess: Bool
    /// The library or folder that holds a classic plug-in.
    package let locationPath: String?
    /// The library or folder of the plug-in itself, without links; the user's decisions are about it.
    public let home: String
    /// True if the user lets exactly this code be loaded into the host.
    ///
    /// A program that loads plug-ins on its own account sets it in the user's name.
    public var isTrusted = false
    /// The rights that the user gave to this code; nil without any.
    package internal(set) var rights: PluginRights?
    /// The rights that the user gave to other code of the same ID, and which this plug-in therefore lacks.
    public internal(set) var lapsedRights: LapsedRights?
    /// The limits of the plug-in's process.
    public internal(set) var profile: ConfinementProfile
    /// The files and folders that the user lets the plug-in read.
    public internal(set) var granted: [String] = []
    /// The reason for the plug-in's quarantine, such as "was ended by SIGSEGV, …"; nil if it is not in quarantine.
    public internal(set) var quarantineReason: String?
    /// True if the user has blocked the plug-in: it is not instantiated.
    public internal(set) var isBlocked = false

    /// The same plug-in for a trial, which its quarantine does not prevent.
    package var outOfQuarantine: Component {
        var component = self
        component.quarantineReason = nil
        return component
    }

    /// Makes the component of a classic plug-in, of which `bridge` makes units.
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

    /// True if the plug-in has a tag, in upper or lower case.
    public func isTagged(_ tag: String) -> Bool { tags.contains { $0.lowercased() == tag.lowercased() } }

    /// Reads a bundle.
    ///
    /// Throws `malformedManifest`, `missingExecutable` or `missingLibrary`. Throws `unusableLocation` if a link among its files
    /// leads out of it.
    public init(bundlePath: String) throws(HostingError) {
        let manifest = try Manifest.read(path: "\(bundlePath)/\(Manifest.fileName)")
        // Cannot trap: `Manifest.read` has checked both texts.
        description = ComponentDescription(manifest.component)!
        name = manifest.name
        manufacturerName = manifest.manufacturerName
        // Cannot trap: as for the component.
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
