// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's state is kept without a request, and a unit that died is like one that never did.

import AudioUnits
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct SnapshotTests {
    private static let keyPaths = ["level.gain", "level.offset", "latency", "echo.answer"]

    @Test(.timed("renders in real time")) func aUnitThatDiedHasTheStateOfOneThatNeverDid() throws {
        let seed = Seed.chosen
        var random = SeededRandom(seed: seed)
        let units = try (0..<2).map { _ in try Build.unit("Probe") }
        let stages = try units.map { try Stage([$0], input: DeathTests.sine) }
        for stage in stages { try stage.start() }
        let mortal = stages[1].row.members[0]
        for round in 0..<12 {
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let keyPath = Self.keyPaths.randomElement(using: &random) ?? ""
                let range = units[0].parameters[keyPath: keyPath]?.range ?? 0...0
                let value = Double.random(in: range, using: &random).rounded()
                for unit in units { try unit.set(keyPath, to: value) }
            }
            // Before a snapshot, between two, or long after one.
            Futex.pause(microseconds: .random(in: 0...300_000, using: &random))
            guard round % 3 == 2 else { continue }
            let restarts = mortal.faults.restarts
            kill(try #require(units[1].processIdentifier), SIGKILL)
            // Some values are set while it is away.
            for unit in units { try unit.set("level.gain", to: Double(round) / 12) }
            #expect(waitUntil(milliseconds: 5000) { mortal.faults.restarts > restarts && mortal.isPresent })
        }
        Futex.pause(microseconds: 100_000)
        #expect(try units[0].saveState() == units[1].saveState(), "seed \(seed)")
        for stage in stages { stage.stop() }
    }

    /// A unit with eight private bytes, different in each process.
    ///
    /// No test requests its state.
    @Test func whatAUnitKeepsBesideItsParametersIsKeptUnasked() throws {
        let bridges = ComponentRegistry(searchPath: [Build.testPluginFolder]).bridges
        let bridge = try #require(bridges.first { $0.name == "Offender" })
        let connection = try ExtensionConnection(executable: bridge.executablePath, confinement: nil)
        let answer = try connection.ask(.listUnits(location: ""))
        guard case .units(let listing) = answer else { throw TestFailure("The offender lists nothing.") }
        let listed = try #require(listing.units.first { $0.locator == ["none"] })
        let unit = try HostedUnit(Component(listed, format: .native, bridge: bridge))
        let stage = try Stage([unit], input: DeathTests.sine)
        try stage.start()
        let keyPath = try #require(unit.knownState.values.keys.min())
        try unit.set(keyPath, to: try #require(unit.parameters[keyPath: keyPath]).range.upperBound)
        #expect(waitUntil(milliseconds: 4000) { unit.state.withLock { $0.snapshot } != nil })
        let kept = unit.knownState
        #expect(kept.custom.count == 8)
        kill(try #require(unit.processIdentifier), SIGKILL)
        let faults = stage.row.members[0].faults
        #expect(waitUntil(milliseconds: 5000) { faults.restarts == 1 })
        #expect(try unit.saveState() == kept)
        stage.stop()
    }

    @Test func aUnitThatNobodyTouchesIsNotAskedAgain() throws {
        let unit = try Build.unit("Probe")
        let stage = try Stage([unit], input: DeathTests.sine)
        try stage.start()
        try unit.set("level.gain", to: 0.5)
        #expect(waitUntil(milliseconds: 6000) { !unit.journal.isDirty && unit.journal.changes.isEmpty })
        let revision = stage.row.stateRevision
        stage.pause(milliseconds: 2500)
        #expect(stage.row.stateRevision == revision)
        stage.stop()
        #expect(unit.state.withLock { $0.snapshot?.values["level.gain"] } == 0.5)
    }
}
