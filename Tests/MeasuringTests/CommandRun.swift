// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Runs the command of this build and keeps what it says. Any thread.

import Glibc
import Testing

/// The command of this build, run through a shell; its output and errors together.
struct CommandRun {
    let output: String
    let status: Int32

    /// The folder of the build.
    static var root: String { "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/.build/debug" }

    /// A folder of decisions for these tests: what is measured is trusted, because it runs in the host's process too.
    private static let decisions: String = {
        let folder = "\(root)/MeasuringTests.config"
        for plugin in ["Gain", "Misbehaver"] {
            let path = "XDG_CONFIG_HOME=\(folder) BULKHEAD_PATH=\(root):\(root)/TestPlugins"
            let trust = "\(path) \(root)/bulkhead trust \(plugin) >/dev/null"
            precondition(system(trust) == 0, "\(trust) failed")
        }
        return folder
    }()

    /// `before` goes before the command; `path` is another folder of plug-ins.
    init(_ arguments: String, before: String = "", path: String? = nil) throws {
        let root = Self.root
        try #require(access("\(root)/Gain.bulkhead/manifest.json", R_OK) == 0, "make debug makes the bundles")
        let paths = [root, path].compactMap(\.self).joined(separator: ":")
        let command = "\(before) XDG_CONFIG_HOME=\(Self.decisions) BULKHEAD_PATH=\(paths) \(root)/bulkhead \(arguments) 2>&1"
        let pipe = try #require(popen(command, "r"))
        var text: [UInt8] = []
        while case let byte = getc(pipe), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
        let status = pclose(pipe)
        output = String(decoding: text, as: UTF8.self)
        self.status = status >> 8 & 0xFF
    }
}
