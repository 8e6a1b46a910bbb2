// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where everything that belongs to an installation is, and the registry of what it holds. Control thread.

import AudioUnits
import FoundationEssentials
import Glibc

/// Folders and files of an installation, and how it is scanned.
public struct Installation: Sendable {
    /// Where bundles are, in their order.
    public var bundleFolders: [String]
    /// Where classic plug-ins are, in their order.
    public var classicFolders: [PluginFormat: [String]]
    /// Where scans are remembered; nil when there is no place for that.
    public var cachePath: String?
    /// Where the times of hand-offs between threads are remembered; nil when there is no place for that.
    public var handOffPath: String?
    /// What the user has decided; nil when there is no place for that.
    public var settingsPath: String?
    /// Where what is being played is kept, to be resumed; nil when there is no place for that.
    public var stateFolder: String?
    /// How long a process may take for one library or folder.
    public var scanTimeoutMilliseconds: Int32 = 10_000
    /// How many of them may run at once.
    public var processCount = ProcessInfo.processInfo.activeProcessorCount

    /// The installation that these variables describe.
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

    /// The one of this process's environment.
    public static var current: Installation { Installation(environment: ProcessInfo.processInfo.environment) }

    /// What hand-offs between threads take on this machine; nil where that cannot be said.
    public var handOffTimes: HandOffTimes? { HandOffFile(path: handOffPath).times() }

    /// What the user has decided.
    public func settings() throws(HostingError) -> PluginSettings {
        guard let settingsPath else { return PluginSettings() }
        return try PluginSettings.read(settingsPath)
    }

    /// Changes what the user has decided; false when `body` found nothing to change.
    ///
    /// Another command that does so is waited for, until `isStopped` says otherwise.
    public func changeSettings(
        isStopped: () -> Bool = { false }, _ body: (inout PluginSettings) -> Bool
    ) throws(HostingError) -> Bool {
        guard let settingsPath else {
            throw .noFolder(act: "remember that", variables: ["XDG_CONFIG_HOME", "HOME"])
        }
        return try PluginSettings.change(settingsPath, isStopped: isStopped, body)
    }

    /// Everything that is installed. Scans what has changed since the last scan.
    ///
    /// - Parameters:
    ///   - names: what somebody looks for. When all of them are native plug-ins, nothing is scanned; and where they begin with the
    ///     format that they are of, that format alone.
    ///   - scope: what is asked about again though it has not changed.
    ///   - progress: called while a scan goes on; it ends the scan by throwing.
    public func registry(
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
        var (places, report) = try scan.run(progress: progress)
        let classics = ClassicComponents(places, bridges: bridges, settings: settings, report: &report)
        registry.add(classics.components, settings)
        registry.report = report
        return registry
    }
}

extension ComponentRegistry {
    /// Everything that is installed, native plug-ins and classic ones. See `Installation.registry`.
    public static func installed(
        wanting names: [String]? = nil, scope: ScanScope = .changed, progress: (ScanProgress) throws -> Void = { _ in }
    ) throws -> ComponentRegistry {
        try Installation.current.registry(wanting: names, scope: scope, progress: progress)
    }
}

extension Installation {
    /// Everything that is installed. Scans what has changed since the last scan, and blocks meanwhile.
    ///
    /// `names` are what the program looks for; nothing is scanned when all of them are native plug-ins.
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
