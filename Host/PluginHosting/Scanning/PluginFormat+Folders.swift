// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folders in which the host searches for classic plug-ins. Any thread.

import FoundationEssentials

extension PluginFormat {
    /// The variable that names the folders of this format; nil for native plug-ins.
    var searchPathVariable: String? {
        switch self {
        case .native: nil
        case .ladspa: "LADSPA_PATH"
        case .lv2: "LV2_PATH"
        }
    }

    /// The folders in the format's variable, or otherwise the user's, the administrator's and the distribution's.
    func classicFolders(_ environment: [String: String]) -> [String] {
        guard let searchPathVariable else { return [] }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let path = environment[searchPathVariable] else { return Self.usualFolders(rawValue, home: home) }
        return path.split(separator: ":").map { FilePath.absolute(FilePath.expandingHome(String($0), home)) }
    }

    /// The folders with separate descriptions of plug-ins: those in LADSPA_RDF_PATH, or otherwise the usual ones.
    func descriptionFolders(_ environment: [String: String]) -> [String] {
        guard self == .ladspa else { return [] }
        let path = environment["LADSPA_RDF_PATH"] ?? "/usr/local/share/ladspa/rdf:/usr/share/ladspa/rdf"
        return path.split(separator: ":").map { FilePath.absolute(String($0)) }.filter { $0 != "/" }
    }

    private static func usualFolders(_ name: String, home: String?) -> [String] {
        let own = home.map { ["\($0)/.\(name)"] } ?? []
        return own
            + ["/usr/local/lib", "/usr/local/lib64", "/usr/lib/\(multiarch)", "/usr/lib", "/usr/lib64"].map { "\($0)/\(name)" }
    }

    #if arch(arm64)
        private static var multiarch: String { "aarch64-linux-gnu" }
    #else
        private static var multiarch: String { "x86_64-linux-gnu" }
    #endif
}

extension FilePath {
    /// The absolute path, without "..".
    ///
    /// A confined process sees the folder to which a path leads, but not the folders that the path would leave with "..".
    package static func absolute(_ path: String) -> String {
        let absolute = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        return absolute.split(separator: "/").contains("..") ? resolved(absolute) ?? absolute : absolute
    }

    /// Expands "~/" at the beginning, for paths in variables that no shell has expanded.
    static func expandingHome(_ path: String, _ home: String?) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }
}
