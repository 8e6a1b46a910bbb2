// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A temporary folder outside of this checkout, and commands that run there. Test thread.

import Foundation
import TestSupport

/// A folder that goes with the value.
final class Outside {
    /// How a command ended, and all that it printed.
    struct Outcome {
        let status: Int32
        let output: String
    }

    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "bulkhead-new-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Runs the command that was built beside the tests.
    func bulkhead(_ words: String..., in path: String = ".", environment: [String: String] = [:]) throws -> Outcome {
        try run([Build.command] + words, in: path, environment)
    }

    func bulkhead(_ words: [String]) throws -> Outcome { try run([Build.command] + words, in: ".", [:]) }

    /// Runs a command that the shell would find.
    func run(_ words: String..., in path: String = ".", environment: [String: String] = [:]) throws -> Outcome {
        try run(words, in: path, environment)
    }

    private func run(_ words: [String], in path: String, _ environment: [String: String]) throws -> Outcome {
        let command = try OutsideCommand(words, folder: folder, in: path, environment)
        return Outcome(status: command.wait(), output: command.output)
    }

    /// Starts a command and does not wait for it.
    func start(_ words: String..., in path: String) throws -> OutsideCommand {
        try OutsideCommand(words, folder: folder, in: path, [:])
    }

    /// The whole text of a file; empty where there is none.
    ///
    /// A relative path is one in the folder.
    func text(of path: String) -> String {
        let path = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        return String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// The paths of all files below a folder, in order.
    func files(in path: String) -> [String] {
        let base = "\(folder)/\(path)"
        return (FileManager.default.subpaths(atPath: base) ?? []).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(base)/\($0)", isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}
