// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are installed. Control thread.

import AudioUnits
import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem

/// The installed plug-ins.
///
/// A bundle found earlier hides a later one of the same ID.
public struct ComponentRegistry: Sendable {
    package static let bundleExtension = "bulkhead"
    /// The plug-ins, native ones first, by name.
    public private(set) var components: [Component]
    /// The bridges, which make units of classic plug-ins; of several for one format the first counts.
    let bridges: [Component]
    /// Bundles that cannot be used, and why.
    public let defects: [HostingError]
    /// What a scan for classic plug-ins reported; empty where nothing was scanned.
    public internal(set) var report = ScanReport()

    /// Searches folders for bundles, in order, and not for classic plug-ins.
    public init(searchPath: [String]) {
        var components: [Component] = []
        var bridges: [Component] = []
        var defects: [HostingError] = []
        var seen: Set<ComponentDescription> = []
        for bundle in searchPath.flatMap(Self.bundles(in:)) {
            do throws(HostingError) {
                let (folder, name) = (FilePath.folder(of: bundle), FilePath.name(of: bundle))
                if let defect = ContainedPath(name, in: folder).defect { throw .unusableLocation(path: bundle, reason: defect) }
                let component = try Component(bundlePath: bundle)
                if component.description.type == ComponentType.bridge.code {
                    bridges.append(component)
                } else if seen.insert(component.description).inserted {
                    components.append(component)
                }
            } catch {
                defects.append(error)
            }
        }
        // A bridge has the rights of every classic plug-in. So the host's own, or one in a folder that the user named for bridges,
        // comes before any that only calls itself one.
        let named = (ProcessInfo.processInfo.environment["BULKHEAD_BRIDGES"] ?? "").split(separator: ":").map(String.init)
        let own = Set((named.isEmpty ? ConfinementOffer.defaultSupportFolders : named).compactMap(FilePath.resolved))
        func isOwn(_ bridge: Component) -> Bool { own.contains(FilePath.folder(of: bridge.home)) }
        self.bridges = bridges.filter(isOwn) + bridges.filter { !isOwn($0) }
        self.components = Self.sorted(components)
        self.defects = defects
    }

    /// Sorted by name, native plug-ins first: classic ones may be hundreds.
    private static func sorted(_ components: [Component]) -> [Component] {
        components.sorted { left, right in
            let (isNative, isOtherNative) = (left.format == .native, right.format == .native)
            return isNative == isOtherNative ? (left.name, left.id) < (right.name, right.id) : isNative
        }
    }

    /// Adds classic plug-ins, and marks what the user has decided about each.
    mutating func add(_ classics: [Component], _ settings: PluginSettings) {
        components = Self.sorted(components + classics)
        for index in components.indices {
            let component = components[index]
            components[index].isBlocked = settings.blocks(component.id)
            components[index].quarantineReason = settings.quarantined[component.id]
            components[index].take(settings.rights[component.id])
        }
    }

    /// The bridges, by the format that each understands.
    var bridgesByFormat: [PluginFormat: Component] {
        let pairs = PluginFormat.allCases.compactMap { format in
            bridges.first { $0.description == format.bridge }.map { (format, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The folders to search: those of BULKHEAD_PATH, of this program (a build, or an installation under any prefix), of the
    /// user, of the administrator, of the distribution.
    package static var defaultSearchPath: [String] {
        let environment = ProcessInfo.processInfo.environment
        var path = (environment["BULKHEAD_PATH"] ?? "").split(separator: ":").map(String.init)
        let folder = OwnExecutable.folder
        if !folder.isEmpty { path += [folder, "\(FilePath.folder(of: folder))/lib/bulkhead"] }
        if let home = environment["HOME"], !home.isEmpty { path.append("\(home)/.local/lib/bulkhead") }
        return path + ["/usr/local/lib/bulkhead", "/usr/lib/bulkhead"]
    }

    private static func bundles(in folder: String) -> [String] {
        // Most folders of the search path do not exist.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".\(bundleExtension)") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The components that a description with wildcards matches.
    public func components(matching query: ComponentDescription) -> [Component] {
        components.filter { query.matches($0.description) }
    }

    /// The components that have a tag, in any case.
    public func components(taggedWith tag: String) -> [Component] {
        components.filter { $0.isTagged(tag) }
    }
}
