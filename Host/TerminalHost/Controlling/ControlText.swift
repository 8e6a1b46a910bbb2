// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The answers and events of a host as lines for people. Any thread.

import Console
import Control
import Glibc
import JSON
import Printing

extension JSONValue {
    /// The value as JSON on one line.
    var line: String { String(decoding: json, as: UTF8.self) }

    /// The value as JSON on several lines.
    var lines: String { String(decoding: readableJSON, as: UTF8.self) }

    /// A number for people.
    fileprivate var decimal: String { number.map { Decimal.shortest($0) } ?? "–" }

    /// A text without characters that steer a terminal.
    fileprivate var shown: String { text.map { PrintableText.cleaned($0) } ?? "" }
}

/// Answers and events in words.
enum ControlText {
    /// The lines for an answer; empty if there is nothing to print.
    static func lines(of answer: JSONValue, to action: ControlAction) -> [String] {
        switch action {
        case .status: status(answer)
        case .get, .set: [setting(answer)]
        case .parameters: (answer.list ?? []).map(parameter)
        case .presets:
            (answer["factory"]?.list ?? []).map { "\($0.shown)  (factory)" }
                + (answer["user"]?.list ?? []).map { "\($0.shown)  (yours)" }
        case .bypass: ["\(answer["node"]?.shown ?? "") is \(answer["on"]?.flag == true ? "bypassed" : "heard")."]
        case .add: ["Added \"\(answer["id"]?.shown ?? "")\"."]
        case .undo: ["Undid: \(answer["undid"]?.shown ?? "")"]
        case .redo: ["Did again: \(answer["redid"]?.shown ?? "")"]
        case .panic: [panic(Int(exactly: answer["instruments"]?.number ?? 0) ?? 0)]
        case .scenes: scenes(answer)
        case .learn, .map: [mapping(answer)]
        case .mappings:
            answer.list?.isEmpty == false
                ? (answer.list ?? []).map(mapping) : ["Nothing is mapped. Write `bulkhead ctl learn PATH` and turn a knob."]
        case .graph, .call: [answer.line]
        default: []
        }
    }

    private static func panic(_ instruments: Int) -> String {
        instruments == 0
            ? "Nothing plays by MIDI here." : "All notes of \(instruments) instrument\(instruments == 1 ? "" : "s") have ended."
    }

    private static func setting(_ answer: JSONValue) -> String {
        "\(answer["path"]?.shown ?? "") = \(answer["text"].map(\.shown) ?? answer["value"]?.decimal ?? "–")"
    }

    private static func parameter(_ row: JSONValue) -> String {
        let range = "\(row["minimum"]?.decimal ?? "") to \(row["maximum"]?.decimal ?? "")"
        let choices = row["choices"]?.list.map { $0.map(\.shown).joined(separator: ", ") }
        return "\(setting(row))  (\(choices ?? range))"
    }

    private static func mapping(_ row: JSONValue) -> String {
        var parts = [row["curve"]?.shown ?? ""]
        if row["pickUp"]?.flag == false { parts.append("without pick-up") }
        if row["isPresent"]?.flag == false { parts.append("not in this graph") }
        return "\(row["source"]?.shown ?? "") → \(row["path"]?.shown ?? "")  \(row["minimum"]?.decimal ?? "") to "
            + "\(row["maximum"]?.decimal ?? ""), \(parts.joined(separator: ", "))"
    }

    private static func scenes(_ answer: JSONValue) -> [String] {
        let names = (answer["scenes"]?.list ?? []).map(\.shown)
        if names.isEmpty { return ["There are no scenes yet. Keep the graph as one with: bulkhead ctl save-scene NAME"] }
        let current = answer["scene"]?.shown
        return names.enumerated().map { "\($0 + 1)  \($1)\($1 == current ? "  (plays)" : "")" }
    }

    /// The host's kind of desktop device; empty if it is none.
    private static func kind(_ answer: JSONValue) -> String {
        guard let kind = answer["kind"]?.text, ["sink", "source"].contains(kind) else { return "" }
        return " (a virtual \(kind))"
    }

    private static func status(_ answer: JSONValue) -> [String] {
        let rate = answer["sampleRate"]?.number ?? 0
        let latency = rate > 0 ? (answer["latencyFrames"]?.number ?? 0) / rate * 1000 : 0
        var lines = [
            "\(answer["host"]?.shown ?? "")\(kind(answer)): \(Decimal.shortest(rate)) Hz, quantum \(answer["quantum"]?.decimal ?? "–"), "
                + "latency \(Decimal.text(latency, 1)) ms, xruns \(answer["xruns"]?.decimal ?? "0")"
        ]
        lines += ["sink", "source"].compactMap { side in answer[side].map { device(side, $0) } }
        if let scene = answer["scene"] { lines.append("scene \(scene.shown)") }
        let nodes = answer["nodes"]?.list ?? []
        let width = min(24, nodes.map { ($0["id"]?.shown ?? "").count }.max() ?? 0)
        lines += nodes.map { "  \(($0["id"]?.shown ?? "").cut(to: 24).padded(to: width))  \(node($0))" }
        lines += (answer["connections"]?.list ?? []).map { "  \($0.shown)" }
        lines += (answer["ports"]?.list ?? []).map(port)
        if let undo = answer["undo"] { lines.append("undo takes back: \(undo.shown)") }
        return lines
    }

    /// A sink or a source, and if it is there.
    private static func device(_ side: String, _ device: JSONValue) -> String {
        guard device["isPresent"]?.flag == true else { return "\(side): gone; the host waits for it" }
        return "\(side): \(device["name"]?.shown ?? "")"
    }

    /// A side chain or a further output that can be linked.
    private static func port(_ port: JSONValue) -> String {
        let bus = "\(port["node"]?.shown ?? ""):\(port["bus"]?.decimal ?? "")"
        let name = port["name"]?.shown ?? ""
        let way = port["isInput"]?.flag == true ? "port \(name) → \(bus)" : "port \(bus) → \(name)"
        return "  \(way), \(port["isLinked"]?.flag == true ? "linked" : "not linked")"
    }

    private static func node(_ node: JSONValue) -> String {
        guard let state = node["state"] else { return node["kind"]?.shown ?? "" }
        var parts = [node["isBypassed"]?.flag == true ? "bypassed" : state.shown]
        if let load = node["loadPercent"]?.number { parts.append("load \(Decimal.text(load, 1)) %") }
        for (name, word) in [("restarts", "restarts"), ("late", "late"), ("droppedEvents", "events dropped")] {
            if let count = node[name]?.number, count > 0 { parts.append("\(word) \(Decimal.shortest(count))") }
        }
        return parts.joined(separator: ", ")
    }

    /// The line for an event.
    static func line(of event: JSONValue) -> String {
        let data = event["data"] ?? .null
        switch event["event"]?.text {
        case "meters":
            let peaks = (data["peaks"]?.list ?? []).map { peak in
                let value = peak.number ?? 0
                return value > 0 ? "\(Decimal.text(20 * log10(value), 1)) dB" : "silent"
            }
            return "meters  \(peaks.joined(separator: "  "))"
        case "parameters": return setting(data)
        case "faults": return data["fault"]?.shown ?? ""
        case "messages": return data["text"]?.shown ?? ""
        case "edits": return "edit \(data["revision"]?.decimal ?? ""): \(data["title"]?.shown ?? "")"
        default: return event.line
        }
    }
}
