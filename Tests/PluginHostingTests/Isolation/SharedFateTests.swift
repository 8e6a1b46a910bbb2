// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units of one process fail together and return together, and the report names the unit that is to blame.

import AudioUnits
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct SharedFateTests {
    /// Four units, of which the second has a process of its own.
    ///
    /// Each has another gain, and together they invert the signal.
    private static let gains = [0.5, 2.0, -0.5, 1.8]
    private static let shared = [0, 2, 3]

    private func units() throws -> [HostedUnit] {
        let units = try Build.units(
            Self.gains.indices.map { ("Misbehaver", Self.shared.contains($0) ? .together : .individually) })
        for (unit, gain) in zip(units, Self.gains) { try unit.set("gain", to: gain) }
        return units
    }

    private func processes(_ units: [HostedUnit]) -> Set<Int32> {
        Set(Self.shared.compactMap { units[$0].processIdentifier })
    }

    private func order(_ fault: Int, _ unit: HostedUnit, argument: UInt8 = 0) throws {
        try unit.send(MIDIMessage(0xB0, UInt8(fault), argument))
    }

    private func expectAllBack(_ bench: borrowing Bench, _ units: [HostedUnit], not former: Set<Int32>) throws {
        #expect(former.count == 1)
        #expect(processes(units).count == 1 && processes(units).isDisjoint(with: former))
        for (index, member) in bench.row.members.enumerated() {
            #expect(member.faults.restarts == (index == 1 ? 0 : 1), "unit \(index)")
            #expect(member.isPresent && !member.isQuarantined)
            #expect(try units[index].saveState().values["gain"] == Self.gains[index])
        }
    }

    @Test(arguments: [(1, PluginFault.exited(code: 7)), (2, .signalled(signal: SIGSEGV))])
    func aUnitThatDiesInABlockTakesTheOthersWithItAndIsNamed(fault: Int, told: PluginFault) throws {
        let units = try units()
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        let former = processes(units)
        var output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        try order(fault, units[2])
        output += bench.render(blocks: [Int](repeating: 128, count: 12))[0]
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        output += bench.render(blocks: [Int](repeating: 128, count: 40))[0]
        try expectAllBack(bench, units, not: former)
        let records = bench.row.members.map(\.faults.records)
        #expect(records[2].map(\.fault) == [told])
        #expect(records[2].first?.companions == ["Misbehaver, number 1", "Misbehaver, number 4"])
        #expect(records[2].first?.cycle == 21)
        for index in [0, 3] {
            #expect(records[index].map(\.fault) == [.wentDown(with: "Misbehaver, number 3")], "unit \(index)")
            #expect(records[index].first?.companions.contains("Misbehaver, number 3") == true)
        }
        #expect(records[1].isEmpty)
        let ends = output.count - 1280
        for frame in ends..<output.count { #expect(abs(output[frame] + 0.9 * DeathTests.sine[frame % 48_000]) < 1e-5) }
        // Without the three of them the output is twice the input, and the later units amplify what a transition adds.
        #expect(largestStep(output) <= 2 * DeathTests.ownStep + 6 * DeathTests.transitionStep)
    }

    @Test func whoeverKillsFromOutsideLeavesNobodyToBlame() throws {
        let units = try units()
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        let former = processes(units)
        _ = bench.render(blocks: [128, 128])
        kill(try #require(former.first), SIGKILL)
        _ = bench.render(blocks: [128, 128])
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        _ = bench.render(blocks: [128, 128])
        try expectAllBack(bench, units, not: former)
        for index in Self.shared {
            let records = bench.row.members[index].faults.records
            #expect(records.map(\.fault) == [.signalled(signal: SIGKILL)])
            #expect(records.first?.companions.count == 2)
        }
        #expect(bench.row.members[1].faults.records.isEmpty)
    }

    @Test func aUnitThatHangsTakesTheOthersWithItAndIsNamed() throws {
        let units = try units()
        var policy = UnitPolicy()
        (policy.offlineMilliseconds, policy.hangMilliseconds) = (100, 200)
        var bench = try Bench(units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        let former = processes(units)
        _ = bench.render(128)
        try order(4, units[3], argument: 127)
        _ = bench.render(blocks: [128, 128])
        #expect(waitUntil(milliseconds: 3000) { bench.row.members[3].faults.restarts == 1 })
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        _ = bench.render(128)
        try expectAllBack(bench, units, not: former)
        let members = bench.row.members
        #expect(members[3].faults.records.map(\.fault).contains(.hung(milliseconds: 200)))
        for index in [0, 2] {
            #expect(members[index].faults.records.map(\.fault) == [.wentDown(with: "Misbehaver, number 4")], "unit \(index)")
        }
        #expect(members[1].faults.records.isEmpty)
    }

    /// A late unit does not delay the others of its process.
    @Test func aUnitThatIsMerelyLateIsLateAlone() throws {
        let units = try units()
        var policy = UnitPolicy()
        policy.offlineMilliseconds = 50
        var bench = try Bench(units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, policy: policy)
        let former = processes(units)
        _ = bench.render(128)
        try order(5, units[0], argument: 30)
        _ = bench.render(128)
        Futex.pause(microseconds: 400_000)
        _ = bench.render(blocks: [128, 128])
        #expect(waitUntil(milliseconds: 1000) { bench.row.members[0].faults.records.map(\.fault) == [.late] })
        #expect(processes(units) == former)
        for index in 1...3 { #expect(bench.row.members[index].faults.records.isEmpty, "unit \(index)") }
    }

    @Test func eachComesBackWithTheStateOfOneThatNeverDied() throws {
        let mortals = try Build.units([("Probe", .together), ("Misbehaver", .together), ("Probe", .together)])
        let model = try Build.unit("Probe")
        let stages = try [mortals, [model]].map { try Stage($0, input: DeathTests.sine) }
        for stage in stages { try stage.start() }
        for round in 1...6 {
            let value = Double(round) / 10
            for unit in [mortals[0], mortals[2], model] {
                try unit.set("level.gain", to: value)
                try unit.set("level.offset", to: -value)
            }
            stages[0].pause(milliseconds: 40 * round)
            guard round % 2 == 0 else { continue }
            kill(try #require(mortals[1].processIdentifier), SIGKILL)
            // Some values are set while the units are away.
            for unit in [mortals[0], mortals[2], model] { try unit.set("level.gain", to: value / 2) }
            #expect(
                waitUntil(milliseconds: 5000) {
                    stages[0].row.members.allSatisfy { $0.faults.restarts == round / 2 && $0.isPresent }
                })
        }
        stages[0].pause(milliseconds: 100)
        #expect(try mortals[0].saveState() == model.saveState())
        #expect(try mortals[2].saveState() == model.saveState())
        for stage in stages { stage.stop() }
    }

    /// Each render thread has a rank and the render core, as in a process of its own.
    ///
    /// The other threads have neither.
    @Test(.enabled(if: Stage.hasRealtimeRanks, "this user may not have real-time ranks")) func eachHasItsOwnPlaceOnTheRenderCore()
        throws
    {
        let processors = Scheduling.processors(ofThread: 0)
        let core = processors.max() ?? 0
        let units = try units()
        let stage = try Stage(units, input: DeathTests.sine)
        try stage.start(processor: core)
        func expectPlaces() throws {
            let threads = try units.map { try #require($0.renderThread) }
            #expect(Set(threads).count == 4)
            let ranks = threads.map { Scheduling.schedulingClass(ofThread: $0)?.realtimePriority ?? 0 }
            #expect(ranks == ranks.sorted() && Set(ranks).count == 4 && ranks[0] > 0)
            #expect(threads.allSatisfy { Scheduling.processors(ofThread: $0) == [core] })
            let process = try #require(units[0].processIdentifier)
            let others = Folder.entries(of: "/proc/\(process)/task").compactMap { Int32($0) }.filter { !threads.contains($0) }
            #expect(others.count >= 3)
            #expect(processors.count == 1 || others.allSatisfy { !Scheduling.processors(ofThread: $0).contains(core) })
        }
        try expectPlaces()
        try order(2, units[0])
        #expect(waitUntil(milliseconds: 3000) { stage.row.members[3].faults.restarts == 1 && stage.row.isWhole })
        try expectPlaces()
        stage.stop()
    }

    @Test func thoseWhoShareAProcessHaveOneSupervisor() throws {
        let units = try units()
        do {
            let bench = try Bench([units[0], units[1]], input: [DeathTests.sine])
            let error = #expect(throws: HostingError.self) { _ = try Bench([units[2]], input: [DeathTests.sine]) }
            #expect("\(try #require(error))".contains("it shares its process with units of another chain"))
            #expect(bench.row.isWhole)
        }
        _ = try Bench([units[2], units[0]], input: [DeathTests.sine])
    }

    // MARK: Offline

    private func offline(_ prepare: (HostedUnit) throws -> Void) throws -> (samples: [Float], row: UnitRow) {
        let units = try units()
        try prepare(units[2])
        var policy = UnitPolicy()
        (policy.offlineAttempts, policy.restartBudget, policy.firstPauseMilliseconds) = (3, 1000, 0)
        var bench = try Bench(
            units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: policy)
        let samples = bench.render(blocks: [Int](repeating: 128, count: 30))[0]
        return (samples, bench.row)
    }

    @Test(arguments: [1, 2, 3]) func offlineADeathCostsNoSampleOfAnybody(fault: Int) throws {
        let expected = try offline { _ in }.samples
        let (samples, row) = try offline { unit in
            try unit.set("block", to: 3)
            try unit.set("fault", to: Double(fault))
        }
        #expect(samples == expected)
        #expect(row.members[2].faults.restarts >= 10)
        #expect(row.members.allSatisfy { $0.replacedBlockCount == 0 })
        #expect(row.members[1].faults.records.isEmpty)
    }

    /// A unit behind those that died has its request already, and renders the block only once.
    @Test func offlineWhoStandsBehindTheLostRendersNothingTwice() throws {
        func render(_ dies: Bool) throws -> (samples: [Float], restarts: Int) {
            let units = try Build.units([
                ("Misbehaver", .together), ("Misbehaver", .together), ("Delay", .individually), ("Delay", .individually),
            ])
            for unit in units.suffix(2) {
                try unit.set("time", to: 0.004)
                try unit.set("mix", to: 50)
            }
            if dies {
                try units[0].set("block", to: 3)
                try units[0].set("fault", to: 1)
            }
            var rules = UnitPolicy()
            (rules.offlineAttempts, rules.restartBudget, rules.firstPauseMilliseconds) = (3, .max, 0)
            var bench = try Bench(
                units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true, policy: rules)
            let samples = bench.render(blocks: [Int](repeating: 128, count: 30))[0]
            #expect(bench.row.members.allSatisfy { $0.replacedBlockCount == 0 })
            return (samples, bench.row.members[0].faults.restarts)
        }
        let expected = try render(false).samples
        let (samples, restarts) = try render(true)
        #expect(samples == expected && restarts >= 5)
    }

    /// The render thread waits for one unit and holds the other.
    ///
    /// Meanwhile the supervisor must end the first.
    @Test func offlineADeathBesideAUnitThatHangsIsNoDeadlock() throws {
        let units = try ["Probe", "Misbehaver", "Misbehaver"].map { try Build.unit($0) }
        try units[2].set("gain", to: -0.5)
        var rules = UnitPolicy()
        (rules.offlineAttempts, rules.offlineMilliseconds, rules.hangMilliseconds) = (3, 50, 300)
        var bench = try Bench(units.map { BenchUnit($0) }, input: [DeathTests.sine], maximumFrameCount: 128, policy: rules)
        _ = bench.render(128)
        try order(4, units[1], argument: 127)
        let process = try #require(units[2].processIdentifier)
        let killer = try LinuxSystem.Thread(name: "killer") {
            Futex.pause(microseconds: 100_000)
            kill(process, SIGKILL)
        }
        let output = bench.render(128)[0]
        killer.join()
        for frame in 0..<128 { #expect(abs(output[frame] + 0.5 * DeathTests.sine[128 + frame]) < 1e-5) }
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        #expect(bench.row.members[1].faults.records.map(\.fault) == [.hung(milliseconds: 300)])
        #expect(bench.row.members[2].faults.records.map(\.fault) == [.signalled(signal: SIGKILL)])
        #expect(bench.row.members.allSatisfy { $0.replacedBlockCount == 0 })
    }

    // MARK: Quarantine

    @Test func theOneThatKeepsDyingIsLeftAloneAndTheOthersPlayOn() throws {
        let units = try units()
        try units[2].set("block", to: 3)
        try units[2].set("fault", to: 1)
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        let members = bench.row.members
        for _ in 0..<400 where !members[2].isQuarantined {
            _ = bench.render(128)
            _ = bench.row.waitUntilReady(milliseconds: 3000)
        }
        #expect(members.map(\.isQuarantined) == [false, false, true, false])
        #expect(bench.row.waitUntilReady(milliseconds: 3000))
        #expect(members[2].faults.records.count == UnitPolicy().restartBudget + 1)
        var output = bench.render(blocks: [Int](repeating: 128, count: 40))[0]
        // Its input is passed on.
        let first = Int(bench.sampleTime) - output.count
        for frame in (output.count - 1000)..<output.count {
            #expect(abs(output[frame] - 0.5 * 2 * 1.8 * DeathTests.sine[(first + frame) % 48_000]) < 1e-5)
        }
        let process = try #require(units[0].processIdentifier)
        #expect(units[3].processIdentifier == process && [0, 3].allSatisfy { members[$0].isPresent })
        // Once it is wanted again it joins the others, which play on meanwhile.
        let restarts = members[0].faults.restarts
        try units[2].set("fault", to: 0)
        members[2].readmit()
        #expect(waitUntil(milliseconds: 3000) { members[2].isPresent && !members[2].isQuarantined })
        #expect(units.map(\.processIdentifier)[2] == process)
        output = bench.render(blocks: [Int](repeating: 128, count: 20))[0]
        #expect(members[0].faults.restarts == restarts && members.allSatisfy { $0.isPresent })
    }

    @Test func whereNobodyIsToBlameAllAreLeftAlone() throws {
        let units = try units()
        var bench = try Bench(units, input: [DeathTests.sine], maximumFrameCount: 128, isLooping: true)
        let members = bench.row.members
        for _ in 0..<50 where !members[0].isQuarantined {
            if let process = units[0].processIdentifier { kill(process, SIGKILL) }
            _ = bench.render(128)
            _ = bench.row.waitUntilReady(milliseconds: 3000)
        }
        #expect(members.map(\.isQuarantined) == [true, false, true, true])
        #expect(members[0].faults.restarts == UnitPolicy().restartBudget)
        for member in members { member.readmit() }
        #expect(waitUntil(milliseconds: 3000) { members.allSatisfy { $0.isPresent && !$0.isQuarantined } })
        #expect(processes(units).count == 1)
    }
}
