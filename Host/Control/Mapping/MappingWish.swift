// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A mapping that a client wants, while its source is still unknown. Any thread.

import AudioUnits
import GraphDocuments
import PluginHosting

/// A mapping without its source.
struct MappingWish {
    let path: String
    let range: MappedRange
    let curve: MappingCurve?
    let picksUp: Bool
    /// True if the target is on or off.
    private let isSwitch: Bool
    private let isLogarithmic: Bool

    /// Reads the fields `path`, `minimum`, `maximum`, `curve` and `pickUp`, and checks them against the target.
    init(_ request: ControlRequest, _ session: Session) throws(ControlError) {
        path = try request.text("path")
        picksUp = request["pickUp"]?.flag ?? true
        curve = try request["curve"]?.text.map { word throws(ControlError) in
            guard let curve = MappingCurve(rawValue: word) else {
                let all = MappingCurve.allCases.map(\.rawValue).joined(separator: ", ")
                throw ControlError(.badField, "There is no curve \(ControlRequest.quoted(word)). Curves are \(all).")
            }
            return curve
        }
        let drawn: ClosedRange<Double>
        let accepted: ClosedRange<Double>
        (drawn, accepted, isSwitch, isLogarithmic) = try session.bounds(of: try session.value(mapped: path))
        range = MappedRange(
            minimum: request["minimum"]?.number ?? drawn.lowerBound, maximum: request["maximum"]?.number ?? drawn.upperBound)
        for end in [range.minimum, range.maximum] where !accepted.contains(end) {
            throw ControlError(.refused, "\(path) takes values from \(accepted.lowerBound) to \(accepted.upperBound), not \(end).")
        }
    }

    /// The mapping with this source; its curve suits the source unless the client names one.
    func mapping(from source: MIDISource) throws(ControlError) -> ControlMapping {
        let usual: MappingCurve =
            source.isMomentary ? .toggle : isSwitch ? .onOff : isLogarithmic && range.takesRatios ? .logarithmic : .linear
        let mapping = ControlMapping(source: source, path: path, range: range, curve: curve ?? usual, picksUp: picksUp)
        if let defect = mapping.defect { throw ControlError(.refused, defect) }
        return mapping
    }
}

extension Session {
    /// The values that a knob reaches, the valid ones, and whether the target is a switch or grows by ratios.
    fileprivate func bounds(
        of value: HostValue
    ) throws(ControlError) -> (ClosedRange<Double>, ClosedRange<Double>, Bool, Bool) {
        switch value {
        case .bypass, .scene, .panic: return (0...1, 0...1, true, false)
        case .morph: return (0...1, 0...1, false, false)
        case .node(let name): return (name.kind.usualRange, name.kind.range, false, false)
        case .parameter(let node, let keyPath):
            let described = try parameter(keyPath, of: node).parameter
            guard described.flags.isDisjoint(with: [.readOnly, .meter]) else {
                throw ControlError(.refused, "\(node).\(keyPath) can only be read.")
            }
            let parameter = engine.sampleRate.map { described.at(sampleRate: $0) } ?? described
            return (
                parameter.range, described.accepted(sampleRate: engine.sampleRate), parameter.unit == .boolean,
                parameter.flags.contains(.logarithmic)
            )
        }
    }
}

extension GraphValue.Kind {
    /// The values that a knob reaches by default.
    fileprivate var usualRange: ClosedRange<Double> {
        switch self {
        case .volume: 0...1
        case .pan: range
        case .x, .y, .z, .listenerX, .listenerY, .listenerZ: -10...10
        case .yaw, .roll: -180...180
        case .pitch: -90...90
        }
    }
}
