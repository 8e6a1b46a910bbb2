// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units of one plug-in or of many in one process: how they get there, their confinement, and that they sound the same.

import AudioUnits
import Confinement
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.timed("renders under deadlines"), .serialized, .timeLimit(.minutes(2))) struct SharedProcessTests {
    private static let names = ["Gain", "Delay", "Probe", "Delay", "Filter", "Gain", "Reverb"]

    private func render(_ policy: IsolationPolicy, blocks: [Int]) throws -> [[UInt32]] {
        var random = SeededRandom(seed: 5)
        let noise = (0..<2).map { _ in TestSignal.noise(frames: 8192, using: &random) }
        let units = try Build.units(Self.names.map { ($0, policy) })
        for unit in units {
            for (keyPath, parameter) in unit.parameters.parameters
            where parameter.flags.isDisjoint(with: [.readOnly, .meter]) && parameter.flags.contains(.canRamp) {
                try unit.set(keyPath, to: Double.random(in: parameter.range, using: &random))
            }
        }
        var bench = try Bench(units, input: noise, maximumFrameCount: 512)
        let output = bench.render(blocks: blocks)
        #expect(bench.row.members.allSatisfy { $0.faults.records.isEmpty })
        return output.map { $0.map(\.bitPattern) }
    }

    @Test func everyPolicySoundsAlikeBitForBit() throws {
        let blocks = [512, 1, 333, 512, 64, 64, 500, 512, 512, 31]
        let inside = try render(.inProcess, blocks: blocks)
        for policy in IsolationPolicy.choices + [.outOfProcess] where policy != .inProcess {
            #expect(try render(policy, blocks: blocks) == inside, "\(policy.rawValue)")
        }
    }

    /// For each unit the index of the first one in the same process.
    private func households(_ policy: IsolationPolicy) throws -> [Int?] {
        let units = try Build.units(Self.names.map { ($0, policy) })
        let processes = units.map(\.processIdentifier)
        #expect(units.allSatisfy { ($0.isolation == .inProcess) == (policy == .inProcess) })
        return processes.map { process in process.flatMap { process in processes.firstIndex { $0 == process } } }
    }

    @Test func aPolicySaysWhoLivesWithWhom() throws {
        #expect(try households(.individually) == [0, 1, 2, 3, 4, 5, 6])
        #expect(try households(.outOfProcess) == [0, 1, 2, 3, 4, 5, 6])
        #expect(try households(.byPlugin) == [0, 1, 2, 1, 4, 0, 6])
        // The probe has another manufacturer than the others.
        #expect(try households(.byManufacturer) == [0, 0, 2, 0, 0, 0, 0])
        #expect(try households(.together) == [0, 0, 0, 0, 0, 0, 0])
        #expect(try households(.inProcess) == [nil, nil, nil, nil, nil, nil, nil])
    }

    @Test func aProcessEndsWithTheLastOfItsUnits() throws {
        var units = try Build.units([("Gain", .together), ("Delay", .together), ("Gain", .together)])
        let process = try #require(units[0].processIdentifier)
        // The first unit may end first.
        units.removeFirst()
        try units[0].set("mix", to: 20)
        #expect(try units[0].saveState().values["mix"] == 20)
        units.removeFirst()
        #expect(kill(process, 0) == 0)
        units = []
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test func aUnitThatIsGoneLeavesNoThreadInTheProcess() throws {
        let first = try Build.units([("Gain", .together), ("Delay", .together)])
        let process = try #require(first[0].processIdentifier)
        let residence = IsolationPlan.Residence.process(try #require(first[0].unitProcess))
        func threadCount() -> Int { Folder.entries(of: "/proc/\(process)/task").count }
        let before = threadCount()
        for _ in 0..<5 {
            let unit = try HostedUnit(try Build.component("Delay"), at: residence)
            #expect(unit.processIdentifier == process)
            var bench = try Bench([unit], input: [DeathTests.sine], maximumFrameCount: 128)
            _ = bench.render(128)
            #expect(threadCount() > before)
        }
        #expect(waitUntil(milliseconds: 1000) { threadCount() == before })
    }

    @Test func withoutConsentNothingIsLoadedIntoTheHost() throws {
        let folder = try TemporaryFolder()
        let component = try folder.component("Fake", script: "exit 0")
        #expect(throws: HostingError.noConsent(unit: "Fake")) { try Build.units(of: [(component, .inProcess)]) }
    }

    // MARK: Confinement

    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"))
    func aSharedProcessReadsTheBundlesOfItsUnitsAndNobodyElsesGrants() throws {
        let folder = try TemporaryFolder()
        var components = try ["Gain", "Delay", "Filter"].map { try Build.component($0) }
        components[2].granted = [folder.path]
        let units = try Build.units(of: components.map { ($0, .together) })
        func seen(_ unit: HostedUnit) throws -> [Bool] {
            let process = try #require(unit.processIdentifier)
            return (components.map(\.bundlePath) + [folder.path]).map { access("/proc/\(process)/root\($0)", F_OK) == 0 }
        }
        #expect(units[0].processIdentifier == units[1].processIdentifier)
        #expect(try seen(units[0]) == [true, true, false, false])
        // A grant of its own keeps a unit apart.
        #expect(try seen(units[2]) == [false, false, true, true])
    }

    @Test func theWeakestProfileIsThatOfAll() throws {
        var components = try ["Gain", "Delay", "Gain"].map { try Build.component($0) }
        let strict = try #require(Component.confinement(ofAll: components, reading: []))
        let alone = try #require(components[0].confinement())
        #expect(strict.systemCalls == .few && strict.temporaryByteCount == 0 && !strict.hasOwnProcesses)
        #expect(strict.limits.threadCount == 3 * alone.limits.threadCount)
        #expect(strict.limits.descriptorCount == ResourceLimits.mostDescriptorCount && 3 * alone.limits.descriptorCount > 700)
        #expect(strict.limits.memoryByteCount <= max(alone.limits.memoryByteCount, MachinePaths.memoryByteCount / 4 * 3))
        #expect(Set(strict.paths).isSuperset(of: alone.paths))
        components[1].profile = .standard
        let mixed = try #require(Component.confinement(ofAll: components, reading: [ExactPath("/a/file")]))
        #expect(mixed.systemCalls == .standard && mixed.hasOwnProcesses && mixed.temporaryByteCount > 0)
        #expect(mixed.paths.contains(Confinement.NamedPath("/a/file", .read)))
        components[1].profile = .off
        #expect(Component.confinement(ofAll: components, reading: []) == nil)
    }
}
