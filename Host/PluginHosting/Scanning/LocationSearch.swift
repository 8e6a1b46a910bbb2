// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the libraries and folders that may hold plug-ins of a classic format. Control thread.

import Glibc
import LinuxSystem
import Printing

/// The locations of one format that can be scanned.
struct LocationSearch {
    /// The locations, in the order of the folders, and by name in each.
    private(set) var locations: [ScanLocation] = []
    /// Folders and names that cannot be used.
    private(set) var failures: [ScanReport.Failure] = []

    private let format: PluginFormat
    private let bridgePath: String
    private var visited: Set<[UInt64]> = []
    /// The most locations in one folder; a folder with more holds something other than plug-ins.
    static let maximumCount = 16_384

    /// Searches `folders`; it skips folders that do not exist.
    init(format: PluginFormat, bridgePath: String, folders: [String]) {
        self.format = format
        self.bridgePath = bridgePath
        for folder in folders { look(into: folder) }
    }

    private mutating func look(into folder: String) {
        do throws(SystemError) {
            let reader = try FolderReader(path: folder)
            // With two names for one folder each plug-in would hide itself.
            guard visit(reader.descriptor) else { return }
            var names: [String] = []
            try reader.forEach { (name, kind) throws(SystemError) in
                guard isLocation(name, kind, in: reader.descriptor) else { return true }
                guard let text = Self.text(name) else {
                    fail("\(folder)/\(PrintableText.repaired(name))", "its name holds bytes that are not text")
                    return true
                }
                if let defect = ContainedPath(text, in: folder).defect {
                    fail("\(folder)/\(text)", defect)
                    return true
                }
                names.append(text)
                return names.count < Self.maximumCount
            }
            if names.count == Self.maximumCount { fail(folder, "it holds more than \(Self.maximumCount - 1) libraries") }
            locations += names.sorted().map { ScanLocation(format: format, path: "\(folder)/\($0)", bridgePath: bridgePath) }
        } catch {
            if !FilePath.isAbsent(folder) { fail(folder, "it cannot be read: \(error.reason)") }
        }
    }

    private mutating func fail(_ path: String, _ reason: String) {
        failures.append(ScanReport.Failure(format: format, path: PrintableText.cleaned(path), reason: reason))
    }

    private mutating func visit(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
    }

    private func isLocation(_ name: UnsafePointer<CChar>, _ kind: FolderReader.Kind, in folder: Int32) -> Bool {
        switch format {
        case .native: return false
        case .ladspa: return kind != .folder && String(cString: name).hasSuffix(".so")
        case .lv2:
            guard kind != .other else { return false }
            var status = stat()
            let manifest = String(cString: name) + "/manifest.ttl"
            return fstatat(folder, manifest, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    /// The name, if messages and terminals show it unchanged; otherwise nil.
    private static func text(_ name: UnsafePointer<CChar>) -> String? {
        String(validatingCString: name).flatMap { PrintableText.isPrintable($0) ? $0 : nil }
    }
}
