// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes settings of units and levels, within a cycle and with undo. Any thread.

import AudioUnits
import GraphDocuments
import JSON
import PluginHosting

extension Session {
    /// Sets a value; the answer has the present one.
    ///
    /// `noting` gets the number before any watcher does.
    @discardableResult
    func set(
        _ path: String, to wanted: JSONValue, rampFrameCount: UInt32 = 0, noting: (Double) -> Void = { _ in }
    ) throws(ControlError) -> JSONValue {
        let value = try value(at: path)
        let number = try number(wanted, of: value, path)
        noting(number)
        let title = value == .morph ? "morph" : "set \(path)"
        try apply(
            [ValueChange(value: value, number: number)],
            ValueGesture(title: title, setting: path, rampFrameCount: rampFrameCount))
        return try json(of: value, path, number)
    }

    /// The client's wish for a value, as a valid number.
    private func number(_ wanted: JSONValue, of value: HostValue, _ path: String) throws(ControlError) -> Double {
        let range: ClosedRange<Double>
        switch value {
        case .parameter(let node, let keyPath): return try number(wanted, of: parameter(keyPath, of: node).parameter, path)
        case .node(let name): range = name.kind.range
        case .morph, .bypass, .scene, .panic: range = 0...1
        }
        let number = wanted.number ?? wanted.flag.map { $0 ? 1 : 0 } ?? wanted.text.flatMap(Double.init)
        guard let number, range.contains(number) else {
            throw ControlError(.refused, "\(path) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The number for a parameter, from a number, the name of a value, or a truth value.
    private func number(_ wanted: JSONValue, of parameter: Parameter, _ path: String) throws(ControlError) -> Double {
        switch wanted {
        case .number(let number): return number
        case .flag(let flag): return flag ? 1 : 0
        case .text(let text):
            if let value = parameter.value(from: text) { return value }
            let names = (parameter.valueStrings + parameter.namedValues.map(\.name)).prefix(20).joined(separator: ", ")
            throw ControlError(
                .refused, "\(path) does not take \(ControlRequest.quoted(text))\(names.isEmpty ? "." : "; it takes \(names).")")
        default: throw ControlError(.badField, "A value is a number, a text, true or false.")
        }
    }

    /// Bypasses a unit or ends its bypass.
    func bypass(_ name: String, _ wanted: Bool?) throws(ControlError) -> JSONValue {
        let unit = try unit(name)
        let isOn = wanted ?? !unit.shouldBypassEffect
        try apply(
            [ValueChange(value: .bypass(node: name), number: isOn ? 1 : 0)],
            ValueGesture(title: isOn ? "bypass \(name)" : "end the bypass of \(name)"))
        return .object(["node": .text(name), "on": .flag(isOn)])
    }

    /// Starts a quarantined unit again, also one that was left out.
    func unblock(_ name: String) throws(ControlError) -> JSONValue {
        note(unrepeatable: "\"\(name)\" was brought back from quarantine", since: nil)
        if let unit = graph.units.first(where: { $0.name == name })?.unit {
            unit.readmit()
            return .null
        }
        let (graph, document) = (graph, graph.captured)
        guard let place = document.unitNodes.firstIndex(of: name) else {
            _ = try unit(name)
            return .null
        }
        let id = document.savedUnits[place].id
        do throws(HostingError) {
            _ = try HostConfiguration.current.installation.changeSettings { $0.release(id) }
        } catch {
            throw ControlError(error)
        }
        try become(document, since: document, graph, starting: [name])
        tell("unblock \(name)")
        return .null
    }

    /// Selects a preset.
    func select(_ preset: String, of name: String) throws(ControlError) -> JSONValue {
        let unit = try unit(name)
        let frame = captureFrame
        try remembering("select \"\(preset)\" of \(name)") { () throws(HostingError) in
            // Only the plug-in knows the frame at which it applies a preset; the frames of values are known.
            if frame != nil, try unit.hosted.setValues(ofFactoryPreset: preset) { return }
            try unit.selectPreset(preset)
            note(unrepeatable: "the preset \"\(preset)\" of \"\(name)\" was selected", since: frame)
        }
        // The user's host sealed the preset, or it asks for nothing; the host keeps no path that the plug-in invented.
        let captured = graph.captured
        grant(
            zip(captured.unitNodes, captured.savedUnits).filter { $0.0 == name }.map { ($0.1, GrantedCode(of: unit.hosted)) })
        return .null
    }

    /// Makes a change of more than values, and keeps the graph before it if the change succeeds.
    private func remembering(_ title: String, _ change: () throws(HostingError) -> Void) throws(ControlError) {
        let former = graph.captured
        do throws(HostingError) { try change() } catch { throw ControlError(error) }
        keep(former, title)
    }
}
