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
        for node in keep(former, gesture) { note(moved: node, since: frame) }
        try result.get()
    }

    /// Makes all changes, for undo and redo, or none; returns the former values.
    ///
    /// The last change is taken back first, because one may have been made on top of another. Values of what is gone are left out: there is
    /// nothing to take back.
    func exchange(_ changes: [ValueChange]) throws(ControlError) -> [ValueChange] {
        let frame = captureFrame
        var former: [ValueChange] = []
        let result = Result { () throws(ControlError) in
            try store(changes.reversed().filter { !isGone($0.value) }, former: &former)
        }
        for node in former.movedNodes { note(moved: node, since: frame) }
        if case .failure = result {
            var undone: [ValueChange] = []
            // The first error counts.
            _ = Result { () throws(ControlError) in try store(former.reversed(), former: &undone) }
        }
        try result.get()
        return former
    }

    private func isGone(_ value: HostValue) -> Bool {
        do throws(ControlError) {
            _ = try present(value)
            return false
        } catch {
            return error.code == .notFound
        }
    }

    /// Keeps the values before a gesture; returns the nodes that its step of undo moves for the first time.
    private func keep(_ former: [ValueChange], _ gesture: ValueGesture) -> [String] {
        guard !former.isEmpty else { return [] }
        let now = MonotonicClock.now()
        return state.withLock { state in
            let isFurther = gesture.setting.map { state.history.continues($0, at: now, isHeld: gesture.isHeld) } ?? false
            if !isFurther {
                state.history.add(HistoryEntry(title: gesture.title, step: .values([]), setting: gesture.setting, time: now))
            }
            return state.history.restore(former)
        }
    }

    /// Notes in a capture that a node was moved, which the render thread does not log.
    private func note(moved node: String, since frame: Int64?) { note(unrepeatable: "\"\(node)\" was moved", since: frame) }

    /// Stores values, and adds the former ones to `former`; throws the first error after all attempts.
    private func store(
        _ changes: [ValueChange], rampFrameCount: UInt32 = 0, originator: ParameterObserverToken? = nil,
        former: inout [ValueChange]
    ) throws(ControlError) {
        var failure: ControlError?
        for change in changes {
            do throws(ControlError) {
                try store(change, rampFrameCount, originator, former: &former)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Stores a value, and adds the former one, or those of all parameters that follow it.
    private func store(
        _ change: ValueChange, _ rampFrameCount: UInt32, _ originator: ParameterObserverToken?, former: inout [ValueChange]
    ) throws(ControlError) {
        switch change.value {
        case .parameter(let node, let keyPath):
            let number = try present(change.value).value
            let hosted = try unit(node).hosted
            do throws(HostingError) {
                let parameter = try hosted.settableParameter(keyPath)
                try hosted.set([(parameter, change.number)], originator: originator, rampFrameCount: rampFrameCount)
            } catch {
                throw ControlError(error)
            }
            former.append(ValueChange(value: change.value, number: number))
        case .node(let name): former.append(ValueChange(value: change.value, number: try store(change.number, of: name)))
        case .bypass(let node):
            let (unit, isOn) = (try unit(node), change.number >= 0.5)
            former.append(ValueChange(value: change.value, number: unit.shouldBypassEffect ? 1 : 0))
            unit.shouldBypassEffect = isOn
            publishOSC(.parameters, OSCMessage(change.value.address, .integer(isOn ? 1 : 0)))
        case .morph: try setMorph(change.number, former: &former)
        case .panic: if change.number >= 0.5 { panic() }
        case .scene(let name):
            // The session's thread makes the scene's graph, and undo does not change scenes.
            if change.number >= 0.5 { worker.add { [self] in begin(scene: name) } }
        }
    }

    /// Goes to a scene; those who watch the host are told why that fails.
    private func begin(scene name: String) {
        do throws(ControlError) {
            _ = try go(toScene: name)
        } catch {
            say("Couldn't go to the scene \(ControlRequest.quoted(name)): \(error)")
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
