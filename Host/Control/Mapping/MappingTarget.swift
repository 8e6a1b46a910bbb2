// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a mapping moves: a parameter, a level, a bypass or a scene. Any thread.

import AudioGraph
import AudioUnits
import GraphDocuments
import PluginHosting

/// What a mapping moves.
enum MappingTarget: Hashable {
    /// A parameter or a level.
    case path(String)
    case bypass(node: String)
    case scene(String)

    /// Reads `NODE.PARAMETER`, `bypass NODE` or `scene NAME`.
    init(_ text: String) {
        if text.hasPrefix("bypass ") {
            self = .bypass(node: String(text.dropFirst(7)))
        } else if text.hasPrefix("scene ") {
            self = .scene(String(text.dropFirst(6)))
        } else {
            self = .path(text)
        }
    }
}

/// What a target is at present.
struct PresentTarget {
    var value: Double
    var isInteger = false
}

extension Session {
    /// What a target is now; nil where the graph that plays does not have it.
    func present(_ target: MappingTarget) -> PresentTarget? {
        switch target {
        case .bypass(let node):
            return (try? unit(node)).map { PresentTarget(value: $0.shouldBypassEffect ? 1 : 0, isInteger: true) }
        case .scene(let name):
            return state.withLock { state in
                guard state.scenes.contains(where: { $0.name == name }) else { return nil }
                return PresentTarget(value: state.scene == name ? 1 : 0, isInteger: true)
            }
        case .path(let path):
            switch try? self.target(path) {
            case .parameter(_, let unit, let keyPath, let parameter):
                return PresentTarget(
                    value: unit.value(of: keyPath) ?? parameter.defaultValue, isInteger: parameter.flags.contains(.integer))
            case .level(let node, let level):
                return PresentTarget(value: levels.waiting(path) ?? level.value(of: node, in: graph.document))
            case .morph: return (try? morphAmount()).map { PresentTarget(value: $0, isInteger: false) }
            case nil: return nil
            }
        }
    }

    /// Gives targets values, in their order; parameters reach them on a short ramp.
    ///
    /// What is gone or refused is passed over.
    func move(_ moves: [(target: MappingTarget, value: Double)]) {
        for (target, value) in moves {
            switch target {
            case .path(let path): move(path, to: value)
            case .bypass(let node):
                guard let unit = try? unit(node), unit.shouldBypassEffect != (value >= 0.5) else { continue }
                _ = try? bypass(node, value >= 0.5)
            case .scene(let name):
                guard value >= 0.5 else { continue }
                worker.add { [self] in _ = try? go(toScene: name) }
            }
        }
    }

    private func move(_ path: String, to value: Double) {
        switch try? target(path) {
        case .parameter(_, let unit, let keyPath, _):
            // One turn of several knobs is one edit.
            try? remembering("set \(path) by MIDI", setting: "MIDI") { () throws(HostingError) in
                try unit.setValue(value, of: keyPath, rampFrameCount: rampFrameCount)
            }
        case .morph: _ = try? set(path, to: .number(value))
        case .level: levels.set(path, to: value, in: self)
        case nil: break
        }
    }

    /// The frames of the ramp to a controller's value: longer than a cycle, so that one ramp goes over into the next.
    var rampFrameCount: UInt32 {
        let rate = engine.sampleRate ?? 48_000
        let quantum = engine.driverStatus?.quantum ?? 0
        return UInt32(max(0.005 * rate, min(0.05 * rate, 1.5 * Double(quantum))))
    }
}
