// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folders and files of an installation, and the registry of its plug-ins. Control thread.

import AudioUnits
import FoundationEssentials
import Glibc

/// The folders and files of an installation, and the options of a scan.
public struct Installation: Sendable {
    /// The folders of bundles, in the order of the search.
    public var bundleFolders: [String]
    /// The folders of classic plug-ins, in the order of the search.
    public var classicFolders: [PluginFormat: [String]]
    /// The file that keeps the results of scans; nil keeps none.
    public var cachePath: String?
    /// The file that keeps the times of hand-offs between threads; nil keeps none.
    package var handOffPath: String?
    /// The file of the user's decisions; nil without one.
    public var settingsPath: String?
    /// The folder that keeps the present session, to resume it; nil keeps nothing.
    package var stateFolder: String?
    /// Milliseconds that a process may take to scan one library or folder.
    public var scanTimeoutMilliseconds: Int32 = 10_000
    /// The number of processes that scan at once.
    public var processCount = ProcessInfo.processInfo.activeProcessorCount

    /// Makes the installation that environment variables describe.
    public init(environment: [String: String]) {
        bundleFolders = ComponentRegistry.defaultSearchPath
        let folders = PluginFormat.allCases.map { ($0, $0.classicFolders(environment)) }
        classicFolders = Dictionary(uniqueKeysWithValues: folders)
        func folder(_ variable: String, _ fallback: String) -> String? {
            func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
            return absolute(variable) ?? absolute("HOME").map { "\($0)/\(fallback)" }
        }
        let cacheFolder = folder("XDG_CACHE_HOME", ".cache").map { "\($0)/bulkhead" }
        cachePath = cacheFolder.map { "\($0)/scan.cache" }
        handOffPath = cacheFolder.map { "\($0)/hand-offs.json" }
        stateFolder = folder("XDG_STATE_HOME", ".local/state").map { "\($0)/bulkhead" }
        settingsPath = folder("XDG_CONFIG_HOME", ".config").map { "\($0)/bulkhead/plugins.json" }
    }

    /// The installation that this process's environment describes.
    public static var current: Installation { Installation(environment: ProcessInfo.processInfo.environment) }

    /// The times of hand-offs between threads on this machine; nil if they cannot be measured.
    package var handOffTimes: HandOffTimes? { HandOffFile(path: handOffPath).times() }

    /// Reads the user's decisions.
    package func settings() throws(HostingError) -> PluginSettings {
        guard let settingsPath else { return PluginSettings() }
        return try PluginSettings.read(settingsPath)
    }

    /// Changes the user's decisions; false if `body` changed nothing.
    ///
    /// If another process is changing them, the call waits for it, until `isStopped` returns true.
    package func changeSettings(
        isStopped: () -> Bool = { false }, _ body: (inout PluginSettings) -> Bool
    ) throws(HostingError) -> Bool {
        guard let settingsPath else {
            throw .noFolder(act: "remember that", variables: ["XDG_CONFIG_HOME", "HOME"])
        }
        return try PluginSettings.change(settingsPath, isStopped: isStopped, body)
    }

    /// Scans new and changed plug-ins, and returns all installed ones.
    ///
    /// If all `names` are native plug-ins, nothing is scanned; if all begin with a format, only that format is. `scope` chooses
    /// unchanged plug-ins that are scanned again. `progress` is called during a scan, and ends it by throwing.
    package func registry(
        wanting names: [String]? = nil, scope: ScanScope = .changed, progress: (ScanProgress) throws -> Void = { _ in }
    ) throws -> ComponentRegistry {
        let settings = try settings()
        var registry = ComponentRegistry(searchPath: bundleFolders)
        if let names, names.allSatisfy(registry.isNativeName) {
            registry.add([], settings)
            return registry
        }
        let formats = PluginFormat.named(by: (names ?? []).filter { !registry.isNativeName($0) })
        let bridges = registry.bridgesByFormat.filter { formats.contains($0.key) }
        let scan = Scan(
            bridges: bridges, folders: classicFolders, cacheFile: cachePath.map { ScanCacheFile(path: $0) },
            timeoutMilliseconds: scanTimeoutMilliseconds, processCount: max(1, processCount), scope: scope)
        var (locations, report) = try scan.run(progress: progress)
        let classics = ClassicComponents(locations, bridges: bridges, report: &report)
        registry.add(classics.components, settings)
        registry.report = report
        return registry
    }
}

extension ComponentRegistry {
    /// All installed plug-ins, native and classic; see `Installation.registry`.
    package static func installed(
        wanting names: [String]? = nil, scope: ScanScope = .changed, progress: (ScanProgress) throws -> Void = { _ in }
    ) throws -> ComponentRegistry {
        try Installation.current.registry(wanting: names, scope: scope, progress: progress)
    }
}

extension Installation {
    /// All installed plug-ins.
    ///
    /// The call scans the plug-ins that have changed since the last scan, and blocks meanwhile.
    ///
    /// `names` are the plug-ins that the program looks for. If all of them are native, nothing is scanned.
    public func registry(wanting names: [String]? = nil) throws(HostingError) -> ComponentRegistry {
        do {
            return try registry(wanting: names, scope: .changed) { _ in }
        } catch let error as HostingError {
            throw error
        } catch {
            throw .file(act: "look for plug-ins", cause: FileDefect(error))
        }
    }
}
