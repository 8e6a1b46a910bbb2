// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Settings of units and levels: they are heard within a cycle, and can be taken back. Any thread.

import AudioUnits
import GraphDocuments
import LinuxSystem
import OpenSoundControl
import PluginHosting

extension Session {
    /// Sets a parameter or a level; the answer has the value that it has now.
    func set(_ path: String, to wanted: JSONValue) throws(ControlError) -> JSONValue {
        switch try target(path) {
        case .parameter(_, let unit, let keyPath, let parameter):
            let value = try value(wanted, of: parameter, path)
            try remembering("set \(path)", setting: path) { () throws(HostingError) in try unit.setValue(value, of: keyPath) }
            return .object(["path": .text(path), "value": .number(value), "text": .text(parameter.string(from: value))])
        case .morph:
            _ = try morphAmount()
            guard let amount = wanted.number, (0...1).contains(amount) else {
                throw ControlError(.refused, "\(path) takes a number from 0 to 1.")
            }
            try remembering("morph", setting: path) { () throws(HostingError) in try setMorph(amount) }
            return .object(["path": .text(path), "value": .number(amount)])
        case .level(let node, let level):
            guard let value = wanted.number ?? wanted.text.flatMap(Double.init), level.range.contains(value) else {
                throw ControlError(
                    .refused, "\(path) takes a number from \(level.range.lowerBound) to \(level.range.upperBound).")
            }
            try edit("set \(path)", setting: path) { document throws(ControlError) in level.set(value, of: node, in: &document) }
            tellLevel(path, value)
            return .object(["path": .text(path), "value": .number(value)])
        }
    }

    /// A number, the name of a value, or a truth value, as the parameter takes it.
    func value(_ wanted: JSONValue, of parameter: Parameter, _ path: String) throws(ControlError) -> Double {
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
        try remembering(isOn ? "bypass \(name)" : "end the bypass of \(name)") { unit.shouldBypassEffect = isOn }
        publishOSC(.parameters, OSCMessage("/bypass/\(OSCName.part(name))", .integer(isOn ? 1 : 0)))
        return .object(["node": .text(name), "on": .flag(isOn)])
    }

    /// Starts a quarantined unit again, one that was left out included.
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
            // The frame at which a preset takes effect is the plug-in's affair; that of its values is known.
            if frame != nil, try unit.hosted.setValues(ofFactoryPreset: preset) { return }
            try unit.selectPreset(preset)
            note(unrepeatable: "the preset \"\(preset)\" of \"\(name)\" was selected", since: frame)
        }
        // The user's host sealed the preset, or it asks for nothing; the host keeps no path that the plug-in made up.
        let captured = graph.captured
        grant(zip(captured.unitNodes, captured.savedUnits).filter { $0.0 == name }.map(\.1))
        return .null
    }

    /// Changes settings, and keeps what was before if they are taken.
    ///
    /// While a setting is held, as in a drag, all its changes are one edit.
    func remembering(
        _ title: String, setting: String? = nil, isHeld: Bool = false, _ change: () throws(HostingError) -> Void
    ) throws(ControlError) {
        let now = MonotonicClock.now()
        // A row of changes of one setting is one step.
        let continues =
            setting.map { setting in state.withLock { $0.history.continues(setting, at: now, isHeld: isHeld) } } ?? false
        let former = continues ? nil : graph.captured
        do throws(HostingError) { try change() } catch { throw ControlError(error) }
        guard let former else { return }
        state.withLock { $0.history.add(HistoryEntry(title: title, document: former, setting: setting, time: now)) }
    }
}
