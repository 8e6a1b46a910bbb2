// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The plug-ins that are installed, and how one is found among them. Control thread.

import AudioUnits
import FoundationEssentials
import Glibc

/// Every component that the search path holds. A bundle found earlier hides one of the same ID found later.
public struct ComponentRegistry: Sendable {
    public static let bundleExtension = "bulkhead"
    public let components: [Component]
    /// What makes units of classic plug-ins.
    let bridges: [Component]
    /// Bundles that cannot be used, and why.
    public let defects: [HostingError]

    /// Searches these folders, in order.
    public init(searchPath: [String]) {
        var components: [Component] = []
        var defects: [HostingError] = []
        var seen: Set<ComponentDescription> = []
        for bundle in searchPath.flatMap(Self.bundles(in:)) {
            do throws(HostingError) {
                let component = try Component(bundlePath: bundle)
                if seen.insert(component.description).inserted { components.append(component) }
            } catch {
                defects.append(error)
            }
        }
        bridges = components.filter { $0.description.type == ComponentType.bridge.code }
        components.removeAll { $0.description.type == ComponentType.bridge.code }
        self.components = components.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        self.defects = defects
    }

    /// BULKHEAD_PATH, then what belongs to this very command (the folder of a build, or of an installation under
    /// any prefix), then the user's, the administrator's and the distribution's.
    public static var defaultSearchPath: [String] {
        let environment = ProcessInfo.processInfo.environment
        var path = (environment["BULKHEAD_PATH"] ?? "").split(separator: ":").map(String.init)
        if let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
            let folder = FilePath.folder(of: executable)
            path += [folder, "\(FilePath.folder(of: folder))/lib/bulkhead"]
        }
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

    /// The components that carry a tag, in any case.
    public func components(taggedWith tag: String) -> [Component] {
        components.filter { $0.tags.contains { $0.lowercased() == tag.lowercased() } }
    }

    /// The one component that an ID or a name means.
    ///
    /// An ID is exact; a name may be in any case, and may be the beginning of one, as long as it is unambiguous.
    public func component(named text: String) throws(HostingError) -> Component {
        if let query = ComponentDescription(text) {
            let matches = components(matching: query)
            if matches.count == 1 { return matches[0] }
            if matches.count > 1 { throw .ambiguousComponent(text, matches: matches.map(\.id)) }
        }
        let wanted = text.lowercased()
        let exact = components.filter { $0.name.lowercased() == wanted }
        let found = exact.isEmpty ? components.filter { $0.name.lowercased().hasPrefix(wanted) && !wanted.isEmpty } : exact
        guard let first = found.first else { throw defect(of: text) ?? .unknownComponent(text, nearest: nearest(to: text)) }
        guard found.count == 1 else { throw .ambiguousComponent(text, matches: found.map(\.id)) }
        return first
    }

    /// Why the bundle of that name cannot be used, if there is one that cannot.
    private func defect(of text: String) -> HostingError? {
        let file = "\(text).\(Self.bundleExtension)".lowercased()
        return defects.first { $0.bundlePath.map { FilePath.name(of: $0).lowercased() == file } ?? false }
    }

    private func nearest(to text: String) -> [String] {
        let ids = NearestNames.among(components.map(\.id), to: text)
        return ids.isEmpty ? NearestNames.among(components.map(\.name), to: text) : ids
    }
}
