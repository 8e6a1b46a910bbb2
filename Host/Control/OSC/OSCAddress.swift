// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The addresses of nodes and their parameters, beside those of commands. Any thread.

import JSON
import OpenSoundControl

/// The addresses of a session's parts.
enum OSCAddress {
    /// The first words of addresses that belong to commands.
    static let reserved: Set<String> = [
        "bypass", "edits", "error", "faults", "load", "meters", "panic", "redo", "scene", "scenes", "status", "undo", "unwatch",
        "watch",
        "watching",
    ]

    /// The address of a parameter, a level or another part of a node.
    static func address(node: String, _ keyPath: String) -> String {
        var first = OSCName.part(node)
        // A node may have the name of a command.
        if reserved.contains(first), let byte = first.utf8.first {
            first = String(decoding: OSCName.escaped(byte), as: UTF8.self) + first.dropFirst()
        }
        let parts = keyPath.split(separator: ".", omittingEmptySubsequences: false).map { OSCName.part(String($0)) }
        return "/" + ([first] + parts).joined(separator: "/")
    }
}

extension OSCArgument {
    /// The value as the control protocol has it.
    var json: JSONValue {
        switch self {
        case .text(let text): .text(text)
        case .flag(let flag): .flag(flag)
        default: .number(number ?? 0)
        }
    }
}
