// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the host's messages: states, parameters and events. The screen's thread.

import Control
import Glibc
import JSON

extension ScreenModel {
    /// Takes the reply to `status`.
    package mutating func take(status: JSONValue) {
        host = status["host"]?.text ?? host
        kind = status["kind"]?.text
        sampleRate = status["sampleRate"]?.number ?? 0
        quantum = status.count("quantum")
        (xruns, latencyFrames) = (status.count("xruns"), status.count("latencyFrames"))
        longestCycle = status["longestCycleMicroseconds"]?.number ?? 0
        isRunning = status["isRunning"]?.flag ?? true
        scene = status["scene"]?.text
        scenes = (status["scenes"]?.list ?? []).compactMap(\.text)
        (undo, redo) = (status["undo"]?.text, status["redo"]?.text)
        let loads = Dictionary(nodes.map { ($0.id, $0.load) }) { first, _ in first }
        nodes = (status["nodes"]?.list ?? []).compactMap { told in
            guard let id = told["id"]?.text else { return nil }
            var node = ScreenNode(id: id, kind: told["kind"]?.text ?? "")
            node.load = loads[id] ?? nil
            node.take(told, isSample: false)
            return node
        }
        nodes.append(ScreenNode(id: "main", kind: "main"))
        let names = Set(nodes.map(\.id) + ["output"])
        connections = (status["connections"]?.list ?? []).compactMap(\.text).compactMap { Self.connection($0, among: names) }
    }

    /// Parses "A → B"; both names may contain an arrow, too.
    private static func connection(_ text: String, among names: Set<String>) -> ScreenConnection? {
        let arrow = " → "
        var start = text.startIndex
        while let range = text[start...].firstRange(of: arrow) {
            let (from, to) = (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
            if let source = node(at: from, among: names), let destination = node(at: to, among: names) {
                return ScreenConnection(from: from, to: to, source: source, destination: destination)
            }
            start = text.index(after: range.lowerBound)
        }
        return nil
    }

    /// The node of a connection's end, which may have a bus after a colon.
    private static func node(at end: String, among names: Set<String>) -> String? {
        if names.contains(end) { return end }
        guard let colon = end.lastIndex(of: ":"), names.contains(String(end[..<colon])) else { return nil }
        return String(end[..<colon])
    }

    /// Takes the reply to `parameters`.
    package mutating func take(parameters told: JSONValue, of node: String) {
        parameters[node] = (told.list ?? []).compactMap { row in
            guard let path = row["path"]?.text else { return nil }
            var parameter = ScreenParameter(path: path, name: row["name"]?.text ?? path)
            (parameter.value, parameter.text) = (row["value"]?.number ?? 0, row["text"]?.text ?? "")
            (parameter.minimum, parameter.maximum) = (row["minimum"]?.number ?? 0, row["maximum"]?.number ?? 1)
            parameter.defaultValue = row["default"]?.number ?? parameter.minimum
            parameter.unit = row["unit"]?.text
            parameter.choices = (row["choices"]?.list ?? []).compactMap(\.text)
            parameter.isReadOnly = row["isReadOnly"]?.flag ?? false
            parameter.isLogarithmic = row["isLogarithmic"]?.flag ?? false
            return parameter
        }
    }

    /// The levels of a node that is not a unit.
    package static func levels(of node: ScreenNode) -> [ScreenParameter] {
        var volume = ScreenParameter(path: "\(node.id).volume", name: "Volume")
        (volume.value, volume.maximum, volume.defaultValue, volume.isVolume) = (1, 2, 1, true)
        guard node.kind != "main" else { return [volume] }
        var pan = ScreenParameter(path: "\(node.id).pan", name: "Pan")
        (pan.minimum, pan.maximum) = (-1, 1)
        return node.kind == "mixer" || node.kind == "environment" ? [volume] : [volume, pan]
    }

    /// Takes the value of a parameter or a level.
    package mutating func take(value told: JSONValue) {
        guard let path = told["path"]?.text, let value = told["value"]?.number else { return }
        take(coordinate: value, path)
        for (node, list) in parameters where path.hasPrefix(node) {
            guard let index = list.firstIndex(where: { $0.path == path }) else { continue }
            parameters[node]?[index].value = value
            parameters[node]?[index].text = told["text"]?.text ?? Self.levelText(value, path)
        }
    }

    /// A level as text: a volume in decibels.
    private static func levelText(_ value: Double, _ path: String) -> String {
        guard path.hasSuffix(".volume") else { return ScreenPainter.decimal(value, 2) }
        return value > 0 ? "\(ScreenPainter.decimal(20 * log10(value), 1)) dB" : "-inf dB"
    }

    /// Takes the reply to `presets`.
    package mutating func take(presets told: JSONValue, of node: String) {
        let factory = (told["factory"]?.list ?? []).compactMap(\.text).map { ScreenPreset(name: $0, isFactory: true) }
        let own = (told["user"]?.list ?? []).compactMap(\.text).map { ScreenPreset(name: $0, isFactory: false) }
        presets = (node, own + factory)
    }

    /// Takes the reply to `plugins`.
    package mutating func take(plugins told: JSONValue) {
        plugins = (told.list ?? []).compactMap { row in
            guard let id = row["id"]?.text else { return nil }
            return ScreenPlugin(
                id: id, name: row["name"]?.text ?? id, manufacturer: row["manufacturer"]?.text ?? "",
                isQuarantined: row["isQuarantined"]?.flag ?? false)
        }
    }

    /// Takes the loads of all units.
    package mutating func take(load told: JSONValue) {
        for index in nodes.indices {
            if let load = told[nodes[index].id] { nodes[index].take(load, isSample: true) }
        }
    }
}

extension ScreenNode {
    /// Takes a report about a unit; only samples change the mean load.
    fileprivate mutating func take(_ told: JSONValue, isSample: Bool) {
        guard let state = told["state"]?.text else { return }
        (self.state, plugin) = (state, told["plugin"]?.text ?? plugin)
        isBypassed = told["isBypassed"]?.flag ?? false
        process = told["process"]?.number.flatMap { Int(exactly: $0) }
        (restarts, faults, late) = (told.count("restarts"), told.count("faults"), told.count("late"))
        latencyFrames = told.count("latencyFrames")
        guard let percent = told["loadPercent"]?.number, percent.isFinite else { return }
        let worst = told["worstPercent"]?.number ?? max(percent, load?.worst ?? 0)
        if let mean = load?.mean {
            load = ScreenLoad(mean: isSample ? mean + (percent - mean) / 20 : mean, worst: worst)
        } else {
            load = ScreenLoad(mean: percent, worst: worst)
        }
    }
}

extension JSONValue {
    /// A whole number of an object; 0 if it is missing.
    fileprivate func count(_ name: String) -> Int {
        self[name]?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0
    }
}
