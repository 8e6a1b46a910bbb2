// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lets units take their render resources, several at once: each maps and touches its memory meanwhile. Any thread but the render thread.

import LinuxSystem
import PluginHosting

/// A unit that is to be part of a plan, and the formats that it has there.
struct UnitPreparation: Sendable {
    private let unit: AudioUnit
    private let inputs: [AudioFormat?]
    private let outputs: [AudioFormat]
    private let environment: RenderEnvironment

    init(_ unit: AudioUnit, _ formats: ([AudioFormat?], [AudioFormat]), _ environment: RenderEnvironment) {
        (self.unit, self.environment) = (unit, environment)
        (inputs, outputs) = formats
    }

    /// Has the unit left out that has refused the format with this error; nil for another error, or if nothing can stand in for it.
    func leaveOut(_ error: AudioEngineError) -> AudioEngineConfigurationChange? {
        guard case .unit(let node, let reason) = error, reason.isRefusal, unit.canBeLeftOut else { return nil }
        unit.leaveOut(inputs: inputs, outputs: outputs, environment)
        return .unitLeftOut(node: node, reason: "\(reason)")
    }

    /// What came of it.
    struct Outcome: Sendable {
        /// Whether the unit has resources that it did not have before.
        var isNew = false
        var failure: AudioEngineError?
    }

    /// Prepares all units; those of one process one after the other, and those of the host's own process on the calling thread.
    ///
    /// With `leavesFaults` a unit that meets a fault joins without a process, and its supervisor starts it again.
    ///
    /// The outcomes come in the order of the units, and so does the supervisor get to know them.
    static func prepare(_ units: [UnitPreparation], leavesFaults: Bool = false) -> [Outcome] {
        var groups: [ObjectIdentifier: [Int]] = [:]
        var outcomes = [Outcome](repeating: Outcome(), count: units.count)
        for (index, unit) in units.enumerated() where unit.wantsResources {
            if let process = unit.unit.plugin?.process { groups[ObjectIdentifier(process), default: []].append(index) }
        }
        let apart = groups.values.sorted { $0[0] < $1[0] }
        let prepared = Thread.map(apart, name: "allocate") { indices in indices.map { ($0, units[$0].prepare(leavesFaults)) } }
        for (index, outcome) in prepared.joined() { outcomes[index] = outcome }
        for (index, unit) in units.enumerated() {
            if unit.wantsResources, unit.unit.plugin?.process == nil { outcomes[index] = unit.prepare(leavesFaults) }
            if outcomes[index].isNew, let failure = unit.join() { outcomes[index] = Outcome(failure: failure) }
        }
        return outcomes
    }

    private var wantsResources: Bool { unit.work == nil || unit.mustLeave(for: inputs, outputs: outputs, environment) }

    private func prepare(_ leavesFaults: Bool) -> Outcome {
        unit.options.mayBeginAbsent = leavesFaults
        defer { unit.options.mayBeginAbsent = false }
        do throws(AudioEngineError) {
            try unit.prepare(inputs: inputs, outputs: outputs, environment)
            return Outcome(isNew: true)
        } catch {
            return Outcome(failure: error)
        }
    }

    private func join() -> AudioEngineError? {
        do throws(HostingError) {
            try unit.plugin?.resources?.join()
            return nil
        } catch {
            unit.unprepare()
            return .unit(node: unit.name, error)
        }
    }
}

extension HostingError {
    /// Whether the unit has turned something down, and is well.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused, .impossibleFormat: true
        default: false
        }
    }
}
