// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The contents of RDF files about a plug-in, and their form as strings. Control thread.

import PluginSDK

/// Categories, units, defaults and names of values; ports are numbered as in the plug-in's descriptor.
///
/// It is read when a library is listed, and reaches a unit as strings of its locator, so a unit's process need not read RDF.
struct Metadata: Hashable {
    /// The names of the plug-in's classes, such as "Delays", the most specific first; none for plain plug-ins.
    var categories: [String] = []
    /// The units of ports.
    var units: [Int: String] = [:]
    /// The values of ports in the plug-in's default setting.
    var defaults: [Int: Double] = [:]
    /// The names of values, by port.
    var scalePoints: [Int: [Double: String]] = [:]
}

// MARK: - Words

extension Metadata {
    /// The most bytes of all strings together; further strings are omitted, so that the plug-in itself never is.
    static let maximumByteCount = 8192

    /// One string for each fact: `class NAME`, `unit PORT NAME`, `default PORT VALUE`, `point PORT VALUE NAME`.
    var words: [String] {
        var words = categories.map { "class \($0)" }
        words += units.sorted { $0.key < $1.key }.map { "unit \($0.key) \($0.value)" }
        words += defaults.sorted { $0.key < $1.key }.map { "default \($0.key) \($0.value)" }
        for (port, points) in scalePoints.sorted(by: { $0.key < $1.key }) {
            words += points.sorted { $0.key < $1.key }.map { "point \(port) \($0.key) \($0.value)" }
        }
        var byteCount = 0
        return words.filter { word in
            byteCount += word.utf8.count
            return byteCount <= Self.maximumByteCount
        }
    }

    /// Reads such strings, and ignores invalid ones.
    init(words: some Sequence<String>) {
        for word in words {
            let parts = word.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            if parts[0] == "class" { categories.append(parts[1]) } else { addFact(parts[0], parts[1]) }
        }
    }

    private mutating func addFact(_ kind: String, _ text: String) {
        let parts = text.split(separator: " ", maxSplits: kind == "point" ? 2 : 1).map(String.init)
        guard parts.count >= 2, let port = Int(parts[0]) else { return }
        switch (kind, Double(parts[1])) {
        case ("unit", _): units[port] = parts[1]
        case ("default", let value?): defaults[port] = value
        case ("point", let value?) where parts.count == 3: scalePoints[port, default: [:]][value] = parts[2]
        default: break
        }
    }
}
