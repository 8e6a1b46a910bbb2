// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit that is killed and restarted. Thread of the case; a second one renders.

import AudioUnits
import Glibc
import LinuxSystem
import PluginHosting
import Synchronization

/// Kills a unit while it waits for its next block.
struct KilledBetweenBlocksCase: ValidationCase {
    static let name = "killed-between-blocks"
    static let summary = "killed between two blocks it comes back with its state"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let death = try Death(trial, maximumFrameCount: 512)
        trial.doing("being killed between two blocks")
        try death.kill()
        try death.waitForReturn { () throws(CaseEnd) in
            _ = try death.bench.renderNoise(512)
            Futex.pause(microseconds: 1000)
        }
        try death.checkReturn()
    }
}

/// Kills a unit while the host waits for its block.
struct KilledInsideBlockCase: ValidationCase {
    static let name = "killed-inside-block"
    static let summary = "killed inside a block it comes back with its state, and the host waits no longer"

    /// The number of times that the unit is killed.
    ///
    /// The host waits for a block each time, but the unit may not have begun it. In one of a few deaths it has.
    private static let deaths = 3

    static func run(_ trial: Trial) throws(CaseEnd) {
        let death = try Death(trial, maximumFrameCount: 8192)
        let player = BackgroundPlayer(death.bench)
        do throws(SystemError) {
            try player.start()
        } catch {
            throw .failed("\(error)")
        }
        defer { player.stop() }
        trial.doing("being killed inside a block")
        var longest = 0.0
        for _ in 1...deaths {
            longest = max(longest, try killInside(death, player, trial))
            try death.waitForReturn { () throws(CaseEnd) in Futex.pause(microseconds: 1000) }
        }
        trial.fact("blockedMilliseconds", longest)
        player.stop()
        try death.checkReturn()
    }

    /// Kills the unit, and returns the milliseconds until the host has rendered the block without it.
    private static func killInside(_ death: Death, _ player: BackgroundPlayer, _ trial: Trial) throws(CaseEnd) -> Double {
        Futex.pause(microseconds: UInt32.random(in: 2000...6000, using: &trial.random))
        // The unit stops in the middle of a block, and the host starts to wait for it.
        try death.stop()
        var blocks = player.blockCount
        repeat {
            blocks = player.blockCount
            Futex.pause(microseconds: 3000)
        } while player.blockCount != blocks
        let killed = MonotonicClock.now()
        try death.kill()
        while player.blockCount == blocks, MonotonicClock.now() < killed + 5_000_000_000 { Futex.pause(microseconds: 50) }
        return Double(MonotonicClock.now() - killed) / 1e6
    }
}

/// A unit before its death, and the state that it must have afterwards.
private final class Death {
    let trial: Trial
    let bench: Bench
    private let state: FullState
    private var killCount = 0
    private static let patience: UInt64 = 8_000_000_000

    init(_ trial: Trial, maximumFrameCount: Int) throws(CaseEnd) {
        self.trial = trial
        let unit = try trial.open()
        try trial.randomize(unit)
        bench = try Bench(trial, unit, BenchSettings(maximumFrameCount: maximumFrameCount))
        trial.doing("rendering before it is killed")
        // A unit may react to the set values by changing others.
        try trial.requireFinite(try bench.renderNoise(2048))
        state = try trial.save(unit)
        bench.toleratesDeath = true
    }

    func stop() throws(CaseEnd) { Glibc.kill(try process(), SIGSTOP) }

    func kill() throws(CaseEnd) {
        Glibc.kill(try process(), SIGKILL)
        killCount += 1
    }

    private func process() throws(CaseEnd) -> pid_t {
        guard let process = bench.unit.processIdentifier else { throw .failed("It has no process that could be killed.") }
        return process
    }

    /// The faults that the host noticed, except invalid audio, which other cases check.
    private var faults: [FaultRecord] {
        bench.member.faults.records.filter { if case .invalidAudio = $0.fault { false } else { true } }
    }

    /// Calls `meanwhile` until the unit has restarted.
    func waitForReturn(_ meanwhile: () throws(CaseEnd) -> Void) throws(CaseEnd) {
        let deadline = MonotonicClock.now() + Self.patience
        while bench.member.faults.restarts < killCount || !bench.member.isPresent {
            if bench.member.isQuarantined || faults.count > killCount + 2 || MonotonicClock.now() > deadline {
                let reason = faults.last.map { ": it \($0.fault)" } ?? ""
                throw .failed("It did not come back after \(trial.activity.current)\(reason).")
            }
            try meanwhile()
        }
        if let milliseconds = bench.member.faults.records.last?.restartMilliseconds {
            trial.fact("restartMilliseconds", milliseconds)
        }
    }

    func checkReturn() throws(CaseEnd) {
        trial.compare(state, try trial.save(bench.unit), trial.activity.current)
        trial.doing("rendering after it came back")
        try trial.requireFinite(try bench.renderNoise(2048))
        if faults.count != killCount {
            trial.fail(
                "It was killed \(Wording.count(killCount, "time")), and the host noticed \(Wording.count(faults.count, "fault")): \(faults.map { "\($0.fault)" }.joined(separator: ", "))."
            )
        }
        try bench.close()
    }
}

/// Renders without a pause on its own thread.
private final class BackgroundPlayer: @unchecked Sendable {
    // SAFETY: between `start` and `stop` only the thread uses the bench; the counts are atomics.
    private let bench: Bench
    private let mustStop = Atomic<Bool>(false)
    private var thread: LinuxSystem.Thread?

    init(_ bench: Bench) { self.bench = bench }

    var blockCount: UInt64 { bench.blockCount }

    func start() throws(SystemError) {
        thread = try LinuxSystem.Thread(name: "player") { [self] in
            let noise = Sound.every(bench.channelCount, frameCount: 8192) { Float($0 &* 7919 & 0xFFFF) / 65_536 - 0.5 }
            while !mustStop.load(ordering: .relaxed) { _ = try? bench.render(noise) }
        }
    }

    /// Stops and joins the thread.
    ///
    /// A second call does nothing.
    func stop() {
        mustStop.store(true, ordering: .relaxed)
        thread?.join()
        thread = nil
    }
}
