// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The installed plug-ins. Control thread.

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
    /// The plug-ins, sorted by name, native ones first.
    public private(set) var components: [Component]
    /// The bridges, which make units of classic plug-ins; of several for one format the first one counts.
    let bridges: [Component]
    /// The defects of bundles that cannot be used.
    public let defects: [HostingError]
    /// The report of a scan for classic plug-ins; empty without a scan.
    public internal(set) var report = ScanReport()

    /// Searches folders for bundles, in order; it does not look for classic plug-ins.
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
        // A bridge has the rights of every classic plug-in. So the host's own bridge, or one in a folder that the user named for
        // bridges, comes before any bundle that merely calls itself one.
        let named = (ProcessInfo.processInfo.environment["BULKHEAD_BRIDGES"] ?? "").split(separator: ":").map(String.init)
        let own = Set((named.isEmpty ? ConfinementOffer.defaultSupportFolders : named).compactMap(FilePath.resolved))
        func isOwn(_ bridge: Component) -> Bool { own.contains(FilePath.folder(of: bridge.home)) }
        self.bridges = bridges.filter(isOwn) + bridges.filter { !isOwn($0) }
        self.components = Self.sorted(components)
        self.defects = defects
    }

    /// Sorts by name, native plug-ins first: there may be hundreds of classic ones.
    private static func sorted(_ components: [Component]) -> [Component] {
        components.sorted { left, right in
            let (isNative, isOtherNative) = (left.format == .native, right.format == .native)
            return isNative == isOtherNative ? (left.name, left.id) < (right.name, right.id) : isNative
        }
    }

    /// Adds classic plug-ins, and marks each with the user's decisions.
    mutating func add(_ classics: [Component], _ settings: PluginSettings) {
        components = Self.sorted(components + classics)
        for index in components.indices {
            let component = components[index]
            components[index].isBlocked = settings.blocks(component.id)
            components[index].quarantineReason = settings.quarantined[component.id]
            components[index].take(settings.rights[component.id])
        }
    }

    /// The bridges, by their formats.
    var bridgesByFormat: [PluginFormat: Component] {
        let pairs = PluginFormat.allCases.compactMap { format in
            bridges.first { $0.description == format.bridge }.map { (format, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The folders to search, in this order: BULKHEAD_PATH, this program's, the user's, the administrator's, the distribution's.
    ///
    /// The program's folder is that of a build, or of an installation under any prefix.
    package static var defaultSearchPath: [String] {
        let environment = ProcessInfo.processInfo.environment
        var path = (environment["BULKHEAD_PATH"] ?? "").split(separator: ":").map(String.init)
        let folder = OwnExecutable.folder
        if !folder.isEmpty { path += [folder, "\(FilePath.folder(of: folder))/lib/bulkhead"] }
        if let home = environment["HOME"], !home.isEmpty { path.append("\(home)/.local/lib/bulkhead") }
        return path + ["/usr/local/lib/bulkhead", "/usr/lib/bulkhead"]
    }

    private static func bundles(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".\(bundleExtension)") }.sorted().map { "\(folder)/\($0)" }
    }

    /// The components that a description with wildcards matches.
    public func components(matching query: ComponentDescription) -> [Component] {
        components.filter { query.matches($0.description) }
    }

    /// The components that have a tag, in upper or lower case.
    public func components(taggedWith tag: String) -> [Component] {
        components.filter { $0.isTagged(tag) }
    }
}
