// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in's output, as a host shows it. Any thread.

/// Output of a plug-in, ready to be shown.
///
/// Its description is one line without control characters.
public enum PluginOutput: Hashable, Sendable, CustomStringConvertible {
    /// A line, cleaned and cut.
    case line(plugin: String, text: String)
    /// The plug-in prints too much: this many bytes since the last such notice are not shown.
    case leftOut(plugin: String, byteCount: Int)

    /// The line that a host shows.
    public var description: String {
        switch self {
        case .line(let plugin, let text): "\(plugin): \(text)"
        case .leftOut(let plugin, let byteCount): "\(plugin) wrote \(Self.size(byteCount)) more, which is left out."
        }
    }

    private static func size(_ byteCount: Int) -> String {
        func tenths(_ unit: Int) -> String { "\(byteCount / unit).\(byteCount % unit * 10 / unit)" }
        switch byteCount {
        case 1: return "1 byte"
        case ..<1000: return "\(byteCount) bytes"
        case ..<1_000_000: return "\(tenths(1000)) kB"
        default: return "\(tenths(1_000_000)) MB"
        }
    }
}
