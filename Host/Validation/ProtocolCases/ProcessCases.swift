// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process of an extension: its locator, its lifeline, its end. Thread of the case.

import ControlMessages
import LinuxSystem
import PluginHosting
import RawHosting
import Wire

/// A locator without a unit is refused.
struct LocatorCase: ValidationCase {
    static let name = "protocol-locator"
    static let summary = "it refuses a locator that leads to no unit"

    static func run(_ trial: Trial) throws(CaseEnd) {
        trial.doing("greeting it with a locator that leads to no unit")
        let process = try trial.attempt { () throws(HostingError) in try trial.component.startProcess() }
        let hello = HostMessage.hello(.own, hostName: "Validation", locator: ["/nowhere/no-such-plug-in", "no such unit"])
        let answer = try trial.attemptByHand(process.child) { try HandWiredUnit(process.channel).ask(hello) }
        if case .refused = answer { return }
        throw .failed(
            "It answers `hello` with a locator that leads to no unit with `\(answer.name)`; §3 has it refuse such a locator: answer `refused`, and give a reason."
        )
    }
}

/// The kernel reports a unit's death to the host.
struct LifelineCase: ValidationCase {
    static let name = "protocol-lifeline"
    static let summary = "it has registered a lifeline, which is cut at its death, and withdraws it in good order"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        trial.doing("offering a lifeline")
        let word = bench.unit.region.lifeline.load()
        guard word != 0 else {
            trial.warn(
                "It offers no lifeline: the word is 0 after `allocated`; §12 says that it SHOULD, as a death is noticed later without: register one before you answer `allocate`."
            )
            return
        }
        try checkOwner(word, bench)
        trial.doing("dying with a lifeline")
        _ = bench.child.kill()
        try wait("Its lifeline is not cut when it is killed; §12 has bit 30 set then: call set_robust_list on the render thread.") {
            Lifeline.isCut(bench.unit.region.lifeline.load())
        }
        try checkWithdrawal(trial)
    }

    private static func checkOwner(_ word: UInt32, _ bench: RawBench) throws(CaseEnd) {
        let owner = Int32(bitPattern: word & 0x3FFF_FFFF)
        guard bench.renderThread != 0, owner != bench.renderThread || word >> 30 != 2 else { return }
        throw .failed(
            "Its lifeline is \(word), and its render thread has the id \(bench.renderThread); §12 says 0x80000000 and that id: store those."
        )
    }

    private static func checkWithdrawal(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        trial.doing("giving its resources back")
        guard try bench.ask(.deallocate) == .done else { throw .failed("It does not answer `deallocate` with `done`.") }
        guard bench.unit.region.lifeline.load() != 0 else { return }
        throw .failed(
            "Its lifeline is still there after `deallocate`; §12 has a thread that ends in order store zero first: do so before the thread ends."
        )
    }

    private static func wait(_ sentence: String, until isReached: () -> Bool) throws(CaseEnd) {
        for _ in 0..<2000 {
            if isReached() { return }
            Futex.pause(microseconds: 1000)
        }
        throw .failed(sentence)
    }
}

/// An extension ends when its host has hung up.
struct HangUpCase: ValidationCase {
    static let name = "protocol-hang-up"
    static let summary = "it exits with status 0 when its host hangs up, while it has render resources"
    private static let milliseconds: Int32 = 3000

    static func run(_ trial: Trial) throws(CaseEnd) {
        let bench = try RawBench(trial)
        try bench.render()
        trial.doing("being hung up")
        bench.unit.hangUp()
        switch bench.child.wait(milliseconds: milliseconds) {
        case .exited(code: 0): return
        case nil:
            throw .failed(
                "It still runs \(milliseconds / 1000) s after its host has hung up; §3 has it exit then: call _exit(0) as soon as a read of the control channel yields no bytes."
            )
        case .exited(let code):
            throw .failed("It exits with status \(code) when its host hangs up; §3 says 0: call _exit(0).")
        case .signalled(let signal):
            throw .crashed("Signal \(signal) ends it when its host hangs up; §3 has it exit with status 0: call _exit(0) at once.")
        }
    }
}
