// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bundles, and files that only look like bundles, in folders that are removed after the test.

import ControlMessages
import FoundationEssentials
import Glibc

@testable import PluginHosting

/// A folder that is removed after the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = "/tmp/bulkhead-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(atPath: FilePath.folder(of: file), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        if isExecutable { chmod(file, 0o755) }
    }

    /// A bundle with a shell script as its executable, and with a manifest whose fields may be replaced.
    ///
    /// A replacement is JSON text; an empty one leaves the field out.
    func bundle(_ name: String, script: String? = "exit 0", fields replaced: [String: String] = [:]) throws -> String {
        let fields = [
            "manifest": "1", "component": "\"aufx:fake:test\"", "name": "\"\(name)\"", "manufacturerName": "\"Nobody\"",
            "version": "\"1.0.0\"", "tags": "[\"Fake\"]", "executable": "\"run\"", "consentsToInProcess": "false",
        ].merging(replaced) { $1 }
        let lines = fields.filter { !$0.value.isEmpty }.map { "\"\($0.key)\": \($0.value)" }
        try write("{" + lines.joined(separator: ", ") + "}", to: "\(name).bulkhead/manifest.json")
        if let script { try write("#!/bin/sh\n\(script)\n", to: "\(name).bulkhead/run", isExecutable: true) }
        return "\(path)/\(name).bulkhead"
    }

    /// The plug-in of such a bundle.
    ///
    /// It is unconfined, because scripts start other programs and leave files behind.
    func component(_ name: String, script: String, fields: [String: String] = [:]) throws -> Component {
        var component = try Component(bundlePath: try bundle(name, script: script, fields: fields))
        component.profile = .off
        return component
    }
}

/// Shell scripts that take the role of extensions.
///
/// The control socket is descriptor 3.
enum Script {
    /// Reads what the host sends, and sends nothing until the host hangs up.
    static let silent = "while read -r line <&3; do :; done"

    /// Sends these bytes at once, as a reply to whatever the host asks first, and then nothing more.
    static func answering(_ bytes: [UInt8]) -> String {
        let octal = bytes.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "printf '\(octal.joined())' >&3\n\(silent)"
    }

    static func answering(_ message: PluginMessage) -> String {
        answering(MessageFrame(kind: message.kind, serial: 1, body: message.body).bytes)
    }
}
