// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Moves values by controllers, many at once: a turn of several knobs is one step of undo. The MIDI thread.

import AudioGraph
import GraphDocuments

/// The target of a mapping, and its new value.
struct MappedMove {
    /// `NODE.PARAMETER`, `bypass NODE`, `scene NAME` or `panic`.
    let path: String
    var number: Double
}

extension Session {
    /// Gives targets the values of controllers; parameters reach them on a short ramp.
    ///
    /// A target that is gone or refuses its value is skipped: a controller receives no errors.
    func move(_ moves: [MappedMove]) {
        var changes: [ValueChange] = []
        var first: String?
        for move in moves {
            guard let value = try? value(mapped: move.path) else { continue }
            switch value {
            case .bypass(let node): bypass(node, by: move)
            case .scene, .panic: _ = try? apply([ValueChange(value: value, number: move.number)], ValueGesture(title: move.path))
            case .parameter, .node, .morph:
                first = first ?? move.path
                changes.append(ValueChange(value: value, number: move.number))
            }
        }
        guard let first else { return }
        try? apply(changes, ValueGesture(title: "set \(first) by MIDI", setting: "MIDI", rampFrameCount: rampFrameCount))
    }

    /// Bypasses a unit, or ends its bypass, unless it is so already: a held key is one step.
    private func bypass(_ node: String, by move: MappedMove) {
        guard let unit = try? unit(node), unit.shouldBypassEffect != (move.number >= 0.5) else { return }
        _ = try? bypass(node, move.number >= 0.5)
    }

    /// The frames of the ramp to a controller's value: longer than a cycle, so that each ramp continues the one before.
    var rampFrameCount: UInt32 {
        let rate = engine.sampleRate ?? 48_000
        let quantum = engine.driverStatus?.quantum ?? 0
        // Cannot trap: the rate is a driver's, and a quantum at most 8192 frames.
        return UInt32(max(0.005 * rate, min(0.05 * rate, 1.5 * Double(quantum))))
    }
}
