// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The figures of the standard set, and what is wanted of them. Any thread.

/// One thing that each round measures, in the order in which it is told of.
public enum Figure: CaseIterable, Sendable {
    case floor, unit, unitOverFloor, unitTailOverFloor, further, furtherOverFloor, inProcess, spinning
    case bulkheadBackToBack, bulkheadTogether, bulkheadAnywhere, peerTogether, peerDefault
    case peerOverBulkhead, peerDefaultOverBulkhead, peerDefaultOverBulkheadAnywhere
    case start, startOf64, written, proportionalOf16, proportionalOf512

    public var name: String {
        switch self {
        case .floor: "floor: a bare hand-off there and back between two processes"
        case .unit: "one unit out of process, more than in process, 32 frames"
        case .unitOverFloor: "one unit at 32 frames: what it takes more than in process, over the floor"
        case .unitTailOverFloor: "one unit at 32 frames: its p99.9 over the floor's p99.9"
        case .further: "each further unit of a chain of 16, more than in process, 32 frames"
        case .furtherOverFloor: "each further unit of a chain of 16, over the floor"
        case .inProcess: "in process, each unit, 32 frames"
        case .spinning: "one unit on another core that is waited for by spinning, 32 frames"
        case .bulkheadBackToBack: "Bulkhead, together, each unit of 16, 128 frames, without a pause between cycles"
        case .bulkheadTogether: "Bulkhead, together, each unit of 16, 128 frames"
        case .bulkheadAnywhere: "Bulkhead, wherever the kernel puts the threads, each unit of 16, 128 frames"
        case .peerTogether: "`pw_filter`, together, each client of 16, 128 frames"
        case .peerDefault: "`pw_filter`, as it comes, each client of 16, 128 frames"
        case .peerOverBulkhead: "`pw_filter` in the same place over Bulkhead"
        case .peerDefaultOverBulkhead: "`pw_filter` as it comes over Bulkhead in the place that it takes by itself"
        case .peerDefaultOverBulkheadAnywhere: "`pw_filter` as it comes over Bulkhead wherever the kernel puts the threads"
        case .start: "start to first block, median"
        case .startOf64: "start of 64 at once"
        case .written: "memory that a unit has written to"
        case .proportionalOf16: "memory of a chain of 16, each unit (PSS)"
        case .proportionalOf512: "memory of a chain of 512, all units (PSS)"
        }
    }

    public var unit: String {
        switch self {
        case .unitOverFloor, .unitTailOverFloor, .furtherOverFloor, .peerOverBulkhead, .peerDefaultOverBulkhead,
            .peerDefaultOverBulkheadAnywhere:
            "×"
        case .start, .startOf64: "ms"
        case .written, .proportionalOf16: "MB"
        case .proportionalOf512: "GB"
        default: "µs"
        }
    }

    /// Nil for what is told of and not judged.
    public var limit: Limit? {
        switch self {
        case .unitOverFloor: .atMost(1.1)
        case .unitTailOverFloor: .atMost(1.5)
        case .furtherOverFloor: .atMost(0.6)
        case .inProcess: .atMost(0.2)
        case .spinning: .atMost(1)
        case .peerOverBulkhead: .atLeast(3)
        case .peerDefaultOverBulkhead: .atLeast(10)
        case .start: .atMost(3)
        case .startOf64: .atMost(100)
        case .written: .atMost(0.8)
        case .proportionalOf16: .atMost(1.2)
        case .proportionalOf512: .atMost(0.6)
        default: nil
        }
    }
}

/// What one round found.
public struct RoundFigures: Sendable {
    public private(set) var found: [Figure: Double] = [:]
    /// Why a figure is missing.
    public private(set) var missing: [Figure: BenchmarkError] = [:]
    /// Whether `measure` found the machine quiet, once for each of its runs that says so.
    public private(set) var quiet: [Bool] = []

    public init() {}

    public subscript(figure: Figure) -> Double? {
        get { found[figure] }
        set { found[figure] = newValue }
    }

    public mutating func miss(_ figure: Figure, _ reason: BenchmarkError) { missing[figure] = reason }

    /// One unit and a chain of 16, together, without a pause between cycles.
    public mutating func note(unit facts: MeasureFacts) throws(BenchmarkError) {
        note(quietOf: facts)
        let floor = try facts.floor(of: "together")
        let one = try facts.row(isInProcess: false, effects: 1, frames: 32)
        let insideEach = try facts.furtherEffect(isInProcess: true, effects: 16, frames: 32)
        let each = try facts.furtherEffect(isInProcess: false, effects: 16, frames: 32) - insideEach
        (found[.floor], found[.unit]) = (floor.p50us, one.overheadPerEffectUs)
        found[.bulkheadBackToBack] = try facts.row(isInProcess: false, effects: 16, frames: 128).overheadPerEffectUs
        (found[.further], found[.inProcess]) = (each, insideEach)
        found[.unitOverFloor] = try Self.ratio(one.overheadPerEffectUs, floor.p50us, "the floor")
        found[.unitTailOverFloor] = try Self.ratio(one.p999us, floor.p999us, "the floor's p99.9")
        found[.furtherOverFloor] = try Self.ratio(each, floor.p50us, "the floor")
    }

    public mutating func note(spinning facts: MeasureFacts) throws(BenchmarkError) {
        found[.spinning] = try facts.row(isInProcess: false, effects: 1, frames: 32).overheadPerEffectUs
    }

    /// The same chain of 16 at the same quantum, four times. Ratios are taken within a round: whatever slows the machine down
    /// slows both.
    public mutating func note(
        together: MeasureFacts, anywhere: MeasureFacts, peerTogether: PeerReport, peerDefault: PeerReport
    ) throws(BenchmarkError) {
        note(quietOf: together)
        guard peerTogether.scheduling == together.scheduling, peerDefault.scheduling == anywhere.scheduling else {
            throw BenchmarkError(
                "Bulkhead ran under \(together.scheduling) and PipeWire's filters under \(peerTogether.scheduling) and \(peerDefault.scheduling): that is no comparison."
            )
        }
        guard peerTogether.processor == together.processor else {
            throw BenchmarkError("Bulkhead and PipeWire's filters ran on different processors: that is no comparison.")
        }
        let own = try together.row(isInProcess: false, effects: 16, frames: 128).overheadPerEffectUs
        let ownAnywhere = try anywhere.row(isInProcess: false, effects: 16, frames: 128).overheadPerEffectUs
        let peer = try peerTogether.row(effects: 16).overheadPerEffectUs
        let peerAnywhere = try peerDefault.row(effects: 16).overheadPerEffectUs
        (found[.bulkheadTogether], found[.bulkheadAnywhere]) = (own, ownAnywhere)
        (found[.peerTogether], found[.peerDefault]) = (peer, peerAnywhere)
        found[.peerOverBulkhead] = try Self.ratio(peer, own, "Bulkhead's unit")
        found[.peerDefaultOverBulkhead] = try Self.ratio(peerAnywhere, own, "Bulkhead's unit")
        found[.peerDefaultOverBulkheadAnywhere] = try Self.ratio(peerAnywhere, ownAnywhere, "Bulkhead's unit")
    }

    public mutating func note(startup facts: StartupFacts) {
        found[.start] = facts.p50ms
        found[.written] = facts.privateKiB * 1024 / 1_000_000
    }

    private mutating func note(quietOf facts: MeasureFacts) {
        if let noise = facts.noise { quiet.append(noise.isTrustworthy) }
    }

    private static func ratio(_ value: Double, _ base: Double, _ name: String) throws(BenchmarkError) -> Double {
        guard base > 0 else { throw BenchmarkError("\(name) took \(base.digits(2)) µs: nothing can be compared with that.") }
        return value / base
    }
}
