// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A parameter whose value shows which events have taken effect. Thread of the case.

import AudioUnits
import ControlMessages
import PluginHosting
import RawHosting
import Wire

/// A unit, and one of its parameters that events change.
struct EventProbe {
    /// The most parameters that are tried.
    private static let most = 8

    let bench: RawBench
    let keyPath: String
    private let parameter: Parameter

    /// The ends of the parameter's range.
    var low: Double { parameter.range.lowerBound }
    var high: Double { parameter.range.upperBound }

    /// Starts a unit, and finds a parameter that accepts both ends of its range by an event.
    init(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        trial.doing("setting a parameter by an event")
        let candidates = bench.welcome.eventParameters.prefix(Self.most)
        guard !candidates.isEmpty else { throw .notApplicable("It has no parameters that events set.") }
        for (keyPath, parameter) in candidates {
            let probe = EventProbe(bench: bench, keyPath: keyPath, parameter: parameter)
            if try probe.follows(probe.high), try probe.follows(probe.low) {
                self = probe
                return
            }
        }
        throw .failed(
            "After a request with an event for \(candidates[0].keyPath) its state has not the event's value; §11 has an event take effect at its frame: apply it and save its value."
        )
    }

    private init(bench: RawBench, keyPath: String, parameter: Parameter) {
        (self.bench, self.keyPath, self.parameter) = (bench, keyPath, parameter)
    }

    private func follows(_ value: Double) throws(CaseEnd) -> Bool {
        try render([(value, 0)])
        return try isAt(value)
    }

    /// Writes events, each at a frame of the next block, and renders the block; `count` replaces the number of events.
    func render(_ events: [(value: Double, frame: Int)], count: Int? = nil) throws(CaseEnd) {
        for event in events { try write(event.value, at: bench.sampleTime + Int64(event.frame)) }
        try bench.render(events: count ?? events.count)
    }

    /// Writes an event into the ring.
    func write(_ value: Double, at sampleTime: Int64) throws(CaseEnd) {
        try bench.write(WireEvent(parameter: parameter.address, value: value, sampleTime: sampleTime))
    }

    /// True if the unit's state has this value.
    func isAt(_ value: Double) throws(CaseEnd) -> Bool {
        guard let current = try bench.value(keyPath) else { return false }
        return abs(current - value) <= (high - low) * 1e-4
    }

    /// Fails unless the unit's state has this value.
    func require(_ value: Double, _ sentence: @autoclosure () -> String) throws(CaseEnd) {
        guard try !isAt(value) else { return }
        throw .failed(sentence())
    }
}

extension Welcome {
    /// The parameters that an event can set to either end of their range.
    var eventParameters: [(keyPath: String, parameter: Parameter)] {
        parameters.parameters.filter { keyPath, parameter in
            let isRate = description.flags.contains(.stretchesTime) && keyPath == "rate"
            return !isRate && parameter.flags.isDisjoint(with: [.readOnly, .meter])
                && parameter.range.lowerBound < parameter.range.upperBound
        }
    }
}
