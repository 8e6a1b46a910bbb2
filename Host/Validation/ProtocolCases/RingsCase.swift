// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The doorbell that a unit rings after a request. Thread of the case.

import CWireLayout
import LinuxSystem
import PluginHosting
import RawHosting
import Wire

/// A unit rings the doorbell of the request, in the wiring of the request.
struct RingsCase: ValidationCase {
    static let name = "protocol-rings"
    static let summary = "it rings its host or its successor, as the request says, at the doorbells of the wiring in use"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        let checker = RingChecker(bench: bench)
        trial.doing("ringing its host")
        try checker.check(bench.wires, successor: nil, "a request without RING_SUCCESSOR") { () throws(CaseEnd) in
            try bench.render()
        }
        trial.doing("ringing its successor")
        try checker.check(bench.wires, successor: 7, "a request with RING_SUCCESSOR") { () throws(CaseEnd) in
            try bench.render { $0.ring(7) }
        }
        trial.doing("ringing after a request that it refuses")
        try checker.check(bench.wires, successor: 8, "a request with RING_SUCCESSOR that it refuses") { () throws(CaseEnd) in
            try bench.render { request in
                request.ring(8)
                // This block does not exist.
                request.outputSlot = 63
            }
        }
        guard bench.welcome.version >= 2 else { return }
        try checkWiring(bench, checker, trial)
    }

    /// After a change of the wiring, the doorbells are those of the new one.
    private static func checkWiring(_ bench: RawBench, _ checker: RingChecker, _ trial: Trial) throws(CaseEnd) {
        trial.doing("changing its wiring")
        let wires = try trial.attemptByHand(bench.child) { () throws -> HandWiredUnit.Wires in
            let wires = try HandWiredUnit.Wires(layout: bench.unit.shape.inputLayout)
            if let reason = try bench.unit.wire(1, wires) { throw HandWiredUnit.Failure.refused(reason) }
            return wires
        }
        try checker.check(wires, successor: 9, "the first request of another wiring") { () throws(CaseEnd) in
            bench.unit.store(bench.unit.sequence + 1, in: wires.doorbell)
            try bench.render { request in
                request.wiring = 1
                request.ring(9)
            }
        }
        try checker.check(wires, successor: nil, "a request of another wiring without RING_SUCCESSOR") { () throws(CaseEnd) in
            bench.publish { $0.wiring = 1 }
            bench.unit.grant(at: wires.doorbell)
            try bench.requireAnswer()
        }
        guard HandWiredUnit.value(of: bench.wires.successor) == 8 else {
            throw .failed(
                "After a change of its wiring it rings the successor of the wiring before; §9 has it ring at the doorbells of the wiring that the request names: use those."
            )
        }
    }
}

/// Compares the doorbells before and after a request.
private struct RingChecker {
    /// The milliseconds within which a ring follows the answer.
    private static let patience = 2000
    let bench: RawBench

    func check(
        _ wires: HandWiredUnit.Wires, successor: UInt32?, _ what: String, _ render: () throws(CaseEnd) -> Void
    ) throws(CaseEnd) {
        let (host, next) = (HandWiredUnit.value(of: wires.hostDoorbell), HandWiredUnit.value(of: wires.successor))
        try render()
        func hasRung() -> Bool {
            successor.map { HandWiredUnit.value(of: wires.successor) == $0 }
                ?? (HandWiredUnit.value(of: wires.hostDoorbell) == host &+ 0x4000_0000)
        }
        for _ in 0..<Self.patience where !hasRung() { Futex.pause(microseconds: 1000) }
        let hostAfter = HandWiredUnit.value(of: wires.hostDoorbell)
        guard hasRung() else {
            let toHost = successor == nil
            let ringsOther = toHost ? HandWiredUnit.value(of: wires.successor) != next : hostAfter != host
            let rung = ringsOther ? (toHost ? "the successor" : "the host") : "nobody"
            let missed = toHost ? "host, whose doorbell counts up by 0x40000000" : "successor"
            let advice = toHost ? "the host's doorbell" : "the successor's doorbell with successorRing"
            throw .failed(
                "After \(what) it rings \(rung), and not its \(missed); §10 has it ring the one that the request names, even after a "
                    + "refusal: ring \(advice).")
        }
        guard hostAfter == (successor == nil ? host &+ 0x4000_0000 : host) else {
            throw .failed(
                "After \(what) it rings its host as well as its successor; §10 has it ring one of them: leave the host alone.")
        }
    }
}

extension WireRequest {
    /// Requests a ring of the successor.
    fileprivate mutating func ring(_ number: UInt32) {
        flags |= UInt32(CWireLayout_requestRingSuccessor)
        successorRing = number
    }
}
