// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Watches the sources of the extension, and builds it and its bundle when they change. Main thread.

import Foundation

/// The package in the current folder, and its bundle.
struct Workshop {
    private static let product = "TemplateEffect"

    /// The command that makes bundles.
    private static var command: String { ProcessInfo.processInfo.environment["BULKHEAD"] ?? "bulkhead" }

    /// The folder of that command, if BULKHEAD names one.
    static var commandFolder: String { URL(fileURLWithPath: command).deletingLastPathComponent().path }

    /// The folder for the package manager's products, in the configuration of this program.
    private let folder: String
    private var builtVersion = Date.distantPast
    private var loadedVersion = Date.distantPast

    /// The bundle that plays.
    var bundle: String { "\(folder)/\(Self.product).bulkhead" }

    /// Throws if the current folder is not that of the package.
    init() throws {
        guard FileManager.default.fileExists(atPath: "Package.swift"), let program = Bundle.main.executablePath else {
            throw PlayerError("Couldn't find Package.swift here. Start the player in the folder of the package.")
        }
        folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
        // An existing build is played without a new one.
        if let built = Self.date(of: "\(bundle)/manifest.json") { builtVersion = built }
    }

    /// Builds if a source is newer than the last build.
    ///
    /// Returns at once if nothing has changed. Throws if the build fails; it is not tried again until a source changes.
    mutating func buildIfNeeded() throws {
        let newest = Self.newestSource
        guard newest > builtVersion else { return }
        builtVersion = newest
        let configuration = URL(fileURLWithPath: folder).lastPathComponent
        try run("swift", "build", "-c", configuration, "--product", Self.product)
        try run(Self.command, "bundle", "\(folder)/lib\(Self.product).so")
    }

    /// True if the bundle is new since the last call, from a build here or elsewhere.
    mutating func hasNewBundle() -> Bool {
        guard let date = Self.date(of: "\(bundle)/manifest.json"), date != loadedVersion else { return false }
        loadedVersion = date
        return true
    }

    /// The time of the last change of a source, of the effect or its extension.
    private static var newestSource: Date {
        let folders = ["Sources/\(product)", "Sources/\(product)Extension"]
        let files = folders.flatMap { folder in
            (FileManager.default.enumerator(atPath: folder)?.allObjects ?? []).map { "\(folder)/\($0)" }
        }
        return (files + ["Package.swift"]).compactMap(date(of:)).max() ?? .distantPast
    }

    private static func date(of path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    /// Runs a command; its output goes to the terminal.
    private func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PlayerError("\"\(command.joined(separator: " "))\" ended with status \(process.terminationStatus).")
        }
    }
}
