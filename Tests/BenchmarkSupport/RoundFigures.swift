// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Converts the output of one round's commands to that round's figures. Any thread.

/// The results of one round.
package struct RoundFigures: Sendable {
    /// The figures.
    package private(set) var found: [Figure: Double] = [:]
    /// The reasons for missing figures.
    package private(set) var missing: [Figure: BenchmarkError] = [:]
    /// Whether `measure` found the machine quiet, once for each of its runs that reports it.
    package private(set) var quiet: [Bool] = []

    /// Makes a round without figures.
    package init() {}

    /// A figure; nil if the round lacks it.
    package subscript(figure: Figure) -> Double? {
        get { found[figure] }
        set { found[figure] = newValue }
    }

    /// Records the reason for a missing figure.
    package mutating func miss(_ figure: Figure, _ reason: BenchmarkError) { missing[figure] = reason }

    /// Records one unit at 32 frames, together, without a pause between cycles.
    package mutating func note(one facts: MeasureFacts) throws(BenchmarkError) {
        note(quietOf: facts)
        let floor = try facts.floor(of: "together")
        let one = try facts.row(isInProcess: false, effects: 1, frames: 32)
        try Self.check(one, floor)
        (found[.floor], found[.unit]) = (floor.p50us, one.overheadPerEffectUs)
        found[.unitOverFloor] = try Self.ratio(one.overheadPerEffectUs, floor.p50us, "the floor")
        found[.unitTailOverFloor] = try Self.ratio(one.p999us, floor.p999us, "the floor's p99.9")
    }

    /// Records a chain of 16, under the same conditions.
    package mutating func note(chain facts: MeasureFacts) throws(BenchmarkError) {
        let floor = try facts.floor(of: "together")
        let insideEach = try facts.furtherEffect(isInProcess: true, effects: 16, frames: 32)
        found[.inProcess] = insideEach
        for frames in [32, 128] { try Self.check(try facts.row(isInProcess: false, effects: 16, frames: frames), floor) }
        let each = try facts.furtherEffect(isInProcess: false, effects: 16, frames: 32) - insideEach
        found[.further] = each
        found[.furtherOverFloor] = try Self.ratio(each, floor.p50us, "the floor")
        (found[.ringOverFloor], found[.chainOverRing]) = try Self.ring(facts, floor)
        found[.bulkheadBackToBack] = try facts.row(isInProcess: false, effects: 16, frames: 128).overheadPerEffectUs
    }

    /// Records the same chain at 32 frames and at the pace of a driver.
    ///
    /// At that pace, units that have replied fall asleep until the next cycle.
    package mutating func note(paced facts: MeasureFacts) throws(BenchmarkError) {
        note(quietOf: facts)
        let floor = try facts.floor(of: "together")
        try Self.check(try facts.row(isInProcess: false, effects: 16, frames: 32), floor)
        let one = try facts.row(isInProcess: false, effects: 1, frames: 32)
        found[.unitAtPaceOverFloor] = try Self.ratio(one.overheadPerEffectUs, floor.p50us, "the floor")
        let each =
            try facts.furtherEffect(isInProcess: false, effects: 16, frames: 32)
            - facts.furtherEffect(isInProcess: true, effects: 16, frames: 32)
        found[.furtherAtPaceOverFloor] = try Self.ratio(each, floor.p50us, "the floor")
        (found[.ringAtPaceOverFloor], found[.chainAtPaceOverRing]) = try Self.ring(facts, floor)
    }

    /// Each process of a bare ring of 16 over the floor, and the chain of 16 over that ring.
    private static func ring(
        _ facts: MeasureFacts, _ floor: MeasureFacts.Floor
    ) throws(BenchmarkError) -> (ofFloor: Double?, ofChain: Double?) {
        guard let ring = eachOfRing(facts) else { return (nil, nil) }
        return (
            try ratio(ring, floor.p50us, "the floor"),
            try facts.row(isInProcess: false, effects: 16, frames: 32).ratioToRing
        )
    }

    /// The microseconds for each process of a bare ring of 16; nil from an older command, which has no rings.
    private static func eachOfRing(_ facts: MeasureFacts) -> Double? {
        (try? facts.floor(of: "together", effects: 16)).map { $0.p50us / 16 }
    }

    /// Records a chain of 16 in a shared process, beside one unit.
    package mutating func note(shared facts: MeasureFacts) throws(BenchmarkError) {
        let each =
            try facts.furtherEffect(isInProcess: false, effects: 16, frames: 32)
            - facts.furtherEffect(isInProcess: true, effects: 16, frames: 32)
        found[.furtherSharedOverFloor] = try Self.ratio(each, facts.floor(of: "together").p50us, "the floor")
    }

    /// Records many units at the pace of a driver with blocks of so many frames.
    package mutating func note(
        missed: Figure, tail: Figure, of facts: MeasureFacts, effects: Int, frames: Int
    ) throws(BenchmarkError) {
        let row = try facts.row(isInProcess: false, effects: effects, frames: frames)
        guard let count = row.missedDeadlines else {
            throw BenchmarkError("The figures do not say how many deadlines were missed.")
        }
        (found[missed], found[tail]) = (Double(count), row.p999us / 1000)
    }

    /// Records the 300 units beside bare processes that pass turns on in the same order and on the same processors.
    package mutating func note(ofRings300 facts: MeasureFacts) throws(BenchmarkError) {
        let row = try facts.row(isInProcess: false, effects: 3, frames: 256)
        found[.medianOf300] = row.p50us / 1000
        let rings = try facts.floor(of: "branches", effects: 3, branches: 100)
        (found[.medianOfRings300], found[.tailOfRings300]) = (rings.p50us / 1000, rings.p999us / 1000)
    }

    /// Records one unit with a host that spins while it waits.
    package mutating func note(spinning facts: MeasureFacts) throws(BenchmarkError) {
        found[.spinning] = try facts.row(isInProcess: false, effects: 1, frames: 32).overheadPerEffectUs
    }

    /// Records the same chain of 16 at the same quantum, on the same processor and at the same priority.
    ///
    /// Ratios are computed within a round: a slower machine slows both.
    package mutating func note(together own: MeasureFacts, _ peer: PeerReport) throws(BenchmarkError) {
        note(quietOf: own)
        guard peer.processor == own.processor, peer.placement == "together" else {
            throw BenchmarkError("Bulkhead and PipeWire's filters ran on different processors: that is no comparison.")
        }
        let (row, peerRow) = try Self.comparable(own, peer)
        try Self.check(row, try own.floor(of: "together"))
        (found[.bulkheadTogether], found[.peerTogether]) = (row.overheadPerEffectUs, peerRow.overheadPerEffectUs)
        (found[.bulkheadChainTail], found[.peerChainTail]) = (row.p99us, peerRow.p99us)
        found[.peerOverBulkhead] = try Self.ratio(peerRow.overheadPerEffectUs, row.overheadPerEffectUs, "Bulkhead's unit")
        guard let ring = Self.eachOfRing(own) else { return }
        found[.ringOfPeers] = ring
        found[.peerOverRing] = try Self.ratio(peerRow.overheadPerEffectUs, ring, "the bare ring")
    }

    /// Records the peer with its own placement, beside Bulkhead with the kernel's placement, and beside `bulkheadTogether` from
    /// before.
    package mutating func note(anywhere own: MeasureFacts, _ peer: PeerReport) throws(BenchmarkError) {
        guard peer.processor == nil, peer.placement == "default" else {
            throw BenchmarkError("PipeWire's filters did not run as they come.")
        }
        let peerRow = try peer.row(effects: 16)
        (found[.peerDefault], found[.peerDefaultChainTail]) = (peerRow.overheadPerEffectUs, peerRow.p99us)
        if let together = found[.bulkheadTogether] {
            found[.peerDefaultOverBulkhead] = try Self.ratio(peerRow.overheadPerEffectUs, together, "Bulkhead's unit")
        }
        if let ring = found[.ringOfPeers] {
            found[.peerDefaultOverRing] = try Self.ratio(peerRow.overheadPerEffectUs, ring, "the bare ring")
        }
        let (row, _) = try Self.comparable(own, peer)
        found[.bulkheadAnywhere] = row.overheadPerEffectUs
        found[.peerDefaultOverBulkheadAnywhere] = try Self.ratio(
            peerRow.overheadPerEffectUs, row.overheadPerEffectUs, "Bulkhead's unit")
    }

    private static func comparable(
        _ own: MeasureFacts, _ peer: PeerReport
    ) throws(BenchmarkError) -> (own: MeasureFacts.Row, peer: PeerReport.Row) {
        guard peer.scheduling == own.scheduling else {
            let classes = "\(own.scheduling) and PipeWire's filters under \(peer.scheduling)"
            throw BenchmarkError("Bulkhead ran under \(classes): that is no comparison.")
        }
        return (try own.row(isInProcess: false, effects: 16, frames: 128), try peer.row(effects: 16))
    }

    /// Takes the medians of several turns within the round.
    package mutating func note(mediansOf turns: [RoundFigures]) {
        for figure in Figure.allCases {
            if let values = Rounds(turns.compactMap { $0[figure] }) { found[figure] = values.median }
        }
        quiet += turns.flatMap(\.quiet)
    }

    /// Records single starts.
    package mutating func note(startup facts: StartupFacts) {
        found[.start] = facts.p50ms
        found[.written] = facts.privateKiB * 1024 / 1_000_000
    }

    /// Records 64 starts at once.
    package mutating func note(startupOf64 facts: StartupFacts) { found[.startOf64] = facts.p50ms }

    private mutating func note(quietOf facts: MeasureFacts) {
        if let noise = facts.noise { quiet.append(noise.isTrustworthy) }
    }

    /// Throws for a row whose effects were not waited for.
    ///
    /// A chain of n has n + 1 hand-offs in one direction, each half a floor on one processor. A row far below that was late
    /// once: its effects are not trusted for some time, and a fallback replaces them.
    private static func check(_ row: MeasureFacts.Row, _ floor: MeasureFacts.Floor) throws(BenchmarkError) {
        guard row.overheadPerEffectUs < floor.p50us / 4 else { return }
        let figure = "\(row.overheadPerEffectUs.digits(2)) µs for each of \(row.effects) effects"
        throw BenchmarkError("\(figure) is less than half a hand-off one way: they cannot have been waited for")
    }

    private static func ratio(_ value: Double, _ base: Double, _ name: String) throws(BenchmarkError) -> Double {
        guard base > 0 else { throw BenchmarkError("\(name) took \(base.digits(2)) µs: nothing can be compared with that.") }
        return value / base
    }
}
