// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Changes values of the running host for every kind of client, and keeps the former values for undo. Any thread.

import AudioUnits
import GraphDocuments
import LinuxSystem
import OpenSoundControl
import PluginHosting

/// The manner of a change, and the changes that it belongs to.
struct ValueGesture: Sendable {
    /// The title of the step for undo.
    let title: String
    /// The setting that the changes of one step share; nil makes each change a step.
    var setting: String?
    /// True if the changes are one step for any length of time, as those of a drag.
    var isHeld = false
    /// The frames over which parameters reach their values.
    var rampFrameCount: UInt32 = 0
    /// The observer of parameters that gets no notice.
    var originator: ParameterObserverToken?
}

extension Session {
    /// Changes values, each with one store that the render thread glides to, and keeps the former ones as a step of undo.
    ///
    /// Changes of one setting within a second are one step. After a refused change, the others are still made, and its error is thrown.
    func apply(_ changes: [ValueChange], _ gesture: ValueGesture) throws(ControlError) {
        let frame = captureFrame
        var former: [ValueChange] = []
        let result = Result { () throws(ControlError) in
            try store(changes, rampFrameCount: gesture.rampFrameCount, originator: gesture.originator, former: &former)
        }
        if keep(former, gesture) { note(unlogged: former, since: frame) }
        try result.get()
    }

    /// Makes all changes, for undo and redo, or none; returns the former values.
    func exchange(_ changes: [ValueChange]) throws(ControlError) -> [ValueChange] {
        let frame = captureFrame
        var former: [ValueChange] = []
        defer { note(unlogged: former, since: frame) }
        let result = Result { () throws(ControlError) in try store(changes, former: &former) }
        if case .failure = result {
            var undone: [ValueChange] = []
            // The first error counts.
            _ = Result { () throws(ControlError) in try store(former, former: &undone) }
        }
        try result.get()
        return former
    }

    /// Keeps the values before a gesture; false if the step before has them already.
    private func keep(_ former: [ValueChange], _ gesture: ValueGesture) -> Bool {
        guard !former.isEmpty else { return false }
        let now = MonotonicClock.now()
        return state.withLock { state in
            if let setting = gesture.setting, state.history.continues(setting, at: now, isHeld: gesture.isHeld, adding: former) {
                return false
            }
            state.history.add(HistoryEntry(title: gesture.title, step: .values(former), setting: gesture.setting, time: now))
            return true
        }
    }

    /// Notes changes in a capture that the render thread does not log.
    private func note(unlogged changes: [ValueChange], since frame: Int64?) {
        for case .node(let name) in changes.map(\.value) where !name.kind.isLogged {
            note(unrepeatable: "\"\(name.node)\" was moved", since: frame)
        }
    }

    /// Stores values, and adds the former ones to `former`; throws the first error after all attempts.
    private func store(
        _ changes: [ValueChange], rampFrameCount: UInt32 = 0, originator: ParameterObserverToken? = nil,
        former: inout [ValueChange]
    ) throws(ControlError) {
        var failure: ControlError?
        for change in changes {
            do throws(ControlError) {
                former += try store(change, rampFrameCount, originator)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Stores a value, and returns the former one.
    private func store(
        _ change: ValueChange, _ rampFrameCount: UInt32, _ originator: ParameterObserverToken?
    ) throws(ControlError) -> [ValueChange] {
        switch change.value {
        case .parameter(let node, let keyPath):
            let former = try present(change.value).value
            let hosted = try unit(node).hosted
            do throws(HostingError) {
                let parameter = try hosted.settableParameter(keyPath)
                try hosted.set([(parameter, change.number)], originator: originator, rampFrameCount: rampFrameCount)
            } catch {
                throw ControlError(error)
            }
            return [ValueChange(value: change.value, number: former)]
        case .node(let name): return [ValueChange(value: change.value, number: try store(change.number, of: name))]
        case .bypass(let node):
            let (unit, isOn) = (try unit(node), change.number >= 0.5)
            let former = unit.shouldBypassEffect
            unit.shouldBypassEffect = isOn
            publishOSC(.parameters, OSCMessage(change.value.address, .integer(isOn ? 1 : 0)))
            return [ValueChange(value: change.value, number: former ? 1 : 0)]
        case .morph: return try setMorph(change.number)
        case .scene(let name):
            // The session's thread makes the scene's graph, and undo does not change scenes.
            if change.number >= 0.5 { worker.add { [self] in _ = try? go(toScene: name) } }
            return []
        }
    }

    private func store(_ number: Double, of name: GraphValue) throws(ControlError) -> Double {
        guard name.kind.range.contains(number) else {
            let range = name.kind.range
            throw ControlError(
                .refused,
                "\(name.node).\(name.kind.rawValue) takes a number from \(range.lowerBound) to \(range.upperBound).")
        }
        let former: Double?
        do throws(GraphDocumentError) { former = try graph.set(number, of: name) } catch { throw ControlError(error) }
        guard let former else { throw gone(name) }
        return former
    }
}
