// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Events by §10 and §11 of the protocol: their count, their time, their order, their range. Thread of the case.

import PluginHosting
import RawHosting
import Wire

/// A request names the number of events that it takes.
struct EventCountCase: ValidationCase {
    static let name = "protocol-event-count"
    static let summary = "a request takes as many events as it names, and leaves the others in the ring"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        trial.doing("rendering with fewer events than there are")
        // No parameter has this address, so that units without parameters are judged as well.
        let address = UInt64.max - 1
        for _ in 0..<4 { try bench.write(WireEvent(parameter: address, value: 0, sampleTime: 0)) }
        for (count, left) in [(1, 3), (0, 3), (2, 1), (1, 0)] {
            let before = bench.waitingEventCount
            try bench.render(events: count)
            let taken = before - bench.waitingEventCount
            guard bench.waitingEventCount != left else { continue }
            throw .failed(
                "It took \(Wording.count(taken, "event")) for a request whose eventCount is \(count); §10 says exactly eventCount: take that many and leave the rest for the next request."
            )
        }
    }
}

/// An event that lies after the block waits for its block.
struct LaterEventsCase: ValidationCase {
    static let name = "protocol-later-events"
    static let summary = "an event that lies after the block is kept for the block that it lies in"
    /// The number of events for which a unit has room.
    private static let room = 1024

    static func run(_ trial: Trial) throws(CaseEnd) {
        let probe = try EventProbe(trial)
        trial.doing("rendering with an event for a later block")
        try probe.render([(probe.high, 4 * RawBench.frameCount + 100)])
        for block in 1...4 {
            try probe.require(
                probe.low,
                "An event for \(probe.keyPath) that lies \(5 - block) blocks later takes effect at once; §11 has it kept for the block it lies in: queue it by its sampleTime."
            )
            try probe.render([])
        }
        try probe.require(
            probe.high,
            "An event for \(probe.keyPath) that lay after the block of its request never takes effect; §11 has it kept for the block it lies in: keep a queue from request to request."
        )
        try checkRoom(probe, trial)
    }

    private static func checkRoom(_ probe: EventProbe, _ trial: Trial) throws(CaseEnd) {
        trial.doing("rendering with \(room) events for a later block")
        let before = probe.bench.reply.droppedEventCount
        let events = (0..<room).map { (value: $0 == room - 1 ? probe.low : probe.high, frame: RawBench.frameCount + $0 / 4) }
        try probe.render(events)
        try probe.render([])
        let dropped = probe.bench.reply.droppedEventCount &- before
        try probe.require(
            probe.low,
            "Of \(room) events for a later block the last one has no effect (droppedEventCount rose by \(dropped)); §11 asks for room for \(room): make the queue longer."
        )
    }
}

/// Events take effect in the order of their time.
struct EventOrderCase: ValidationCase {
    static let name = "protocol-event-order"
    static let summary = "events of one request take effect in the order of their time, those of equal time in that of the ring"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let probe = try EventProbe(trial)
        trial.doing("rendering with events that are not in order")
        try probe.render([(probe.low, 300), (probe.high, 100)])
        try probe.require(
            probe.low,
            "Of two events for \(probe.keyPath), at frame 300 and then at frame 100 in the ring, the one at 100 takes effect last; §11 has them take effect by sampleTime: sort them before you apply them."
        )
        try probe.render([(probe.low, 100), (probe.high, 100)])
        try probe.require(
            probe.high,
            "Of two events for \(probe.keyPath) at the same frame the first one of the ring takes effect last; §11 has the ring decide then: use a sort that keeps equal ones in order."
        )
    }
}

/// Values out of range are clamped, and NaN changes nothing.
struct EventRangeCase: ValidationCase {
    static let name = "protocol-event-range"
    static let summary = "values out of range are brought into it, and NaN and unknown addresses are dropped and counted"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let probe = try EventProbe(trial)
        trial.doing("sending values out of range")
        let span = probe.high - probe.low
        for (value, end) in [(probe.high + span, probe.high), (probe.low - span, probe.low)] {
            try probe.render([(value, 0)])
            let current = try probe.bench.value(probe.keyPath)
            try probe.require(
                end,
                "After an event with \(value) the state has \(current.map { "\($0)" } ?? "no value") for \(probe.keyPath); §11 has such values brought into the range: clamp them to \(probe.low)…\(probe.high)."
            )
        }
        try checkDrops(probe, trial)
    }

    private static func checkDrops(_ probe: EventProbe, _ trial: Trial) throws(CaseEnd) {
        trial.doing("sending NaN and an unknown address")
        try probe.render([])
        let before = probe.bench.reply.droppedEventCount
        try probe.bench.write(WireEvent(parameter: UInt64.max - 1, value: 0, sampleTime: 0))
        try probe.render([(.nan, 0)], count: 2)
        try probe.require(
            probe.low, "An event with NaN changes \(probe.keyPath); §11 has NaN dropped: leave the value as it is.")
        let count = probe.bench.reply.droppedEventCount &- before
        guard count != 2 else { return }
        throw .failed(
            "Its droppedEventCount rose by \(count) for an event with NaN and one for an unknown address; §11 has both dropped and counted: add 1 for each."
        )
    }
}
