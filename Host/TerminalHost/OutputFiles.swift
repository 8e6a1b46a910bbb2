// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks the output files of a command before its work begins. Main thread.

import AudioFiles
import LinuxSystem
import PluginHosting

/// Checks outputs early, so that a missing folder does not end an hour's rendering.
struct OutputFiles {
    /// Files that must not be overwritten.
    let inputs: [String]

    /// Throws if a file cannot be written, or is also an input or another output.
    func check(_ paths: [String?], _ usage: (String) -> CommandError) throws {
        var taken = inputs.map { (path: $0, act: "read", identity: Self.identity(of: $0)) }
        for path in paths.compactMap({ $0 }) {
            let identity = Self.identity(of: path)
            // A command may read standard input and write standard output.
            if let other = taken.first(where: { $0.identity == identity && !($0.path == "-" && $0.act == "read") }) {
                let acts = other.act == "read" ? "read and written" : "written twice"
                throw usage("\"\(path)\" would be \(acts); give the second file another name.")
            }
            _ = try ReplacementFile(path: path)
            taken.append((path, "write", identity))
        }
    }

    /// The resolved path of a file, whether it exists or not.
    private static func identity(of path: String) -> ExactPath {
        ExactPath(FilePath.resolved(path) ?? "\(FilePath.resolved(FilePath.folder(of: path)) ?? "?")/\(FilePath.name(of: path))")
    }
}
