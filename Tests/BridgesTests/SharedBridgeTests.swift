// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Classic plug-ins of both formats, and native ones, in one process. Test thread.

import AudioUnits
import Confinement
import FoundationEssentials
import Glibc
import HostingTestSupport
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct SharedBridgeTests {
    private func components() throws -> [Component] {
        [
            try Build.component("Gain"), try Bridges.component("ladspa:honest:gain", at: LADSPAUnitTests.honest, .ladspa),
            try LV2.component("keeper"), try Bridges.component("ladspa:honest:lag", at: LADSPAUnitTests.honest, .ladspa),
            try LV2.component("keeper"),
        ]
    }

    private func units(_ policy: IsolationPolicy) throws -> [HostedUnit] {
        let units = try Build.units(of: try components().map { ($0, policy) })
        try units[0].set("gain", to: -6)
        try units[1].set("gain-coef", to: 3)
        return units
    }

    private func processCount(_ units: [HostedUnit]) -> Int { Set(units.compactMap(\.processIdentifier)).count }

    @Test func unitsOfTwoBridgesAndANativeOneLiveInOneProcessAndSoundAsTheyDoApart() throws {
        let apart = try units(.individually)
        let together = try units(.together)
        #expect(processCount(apart) == 5 && processCount(together) == 1)
        let noise = LV2.constant(0.25, frames: 4096)
        func render(_ units: [HostedUnit]) throws -> [[Float]] {
            var bench = try Bench(units, input: noise, maximumFrameCount: 256)
            let output = try bench.renderInput()
            try bench.checkWholeness()
            return output
        }
        #expect(try render(together) == render(apart))
    }

    @Test func theFirstOfThemMayBeOfABridge() throws {
        let components = try components()
        let units = try Build.units(of: [2, 1, 0].map { (components[$0], .together) })
        #expect(processCount(units) == 1)
        #expect(units.map(\.name).count == 3 && units[2].name == "Gain")
    }

    /// A file that one unit needs moves all of them to a new process, and none loses its state.
    @Test func aFileThatOneOfThemMayReadIsReadWithTheOthersStateKept() throws {
        let files = [LV2.NumberFile("0.25"), LV2.NumberFile("0.5")]
        let units = try units(.together)
        let before = units[0].processIdentifier
        try units[2].setText("file", to: files[0].path)
        try units[4].setText("file", to: files[1].path)
        #expect(processCount(units) == 1 && units[0].processIdentifier != before)
        #expect(try units[0].saveState().values["gain"] == -6)
        #expect(try units[1].saveState().values["gain-coef"] == 3)
        #expect(try [2, 4].map { try units[$0].saveState().texts["file"] } == files.map(\.path))
        // After a death too.
        var bench = try Bench(units, input: LV2.constant(0, frames: 8192), maximumFrameCount: 256, isLooping: true)
        let settled = bench.render(blocks: [Int](repeating: 256, count: 8))[0].last
        kill(try #require(units[0].processIdentifier), SIGKILL)
        _ = bench.render(256)
        #expect(bench.row.waitUntilReady(milliseconds: 5000))
        _ = bench.render(blocks: [Int](repeating: 256, count: 24))
        #expect(bench.render(256)[0].last == settled)
        #expect(settled == 0.75)
        #expect(bench.row.members.allSatisfy { $0.faults.restarts == 1 } && processCount(units) == 1)
    }

    /// The unit may not read the file afterwards either, and no unit has moved for it.
    @Test func aFileThatIsRefusedIsNotAdmitted() throws {
        let file = LV2.NumberFile("0.25")
        let units = try units(.together)
        try units[2].setText("file", to: file.path)
        let before = units.map(\.processIdentifier)
        #expect(throws: HostingError.self) { try units[4].setText("file", to: "/nowhere/at/all") }
        #expect(units.map(\.processIdentifier) == before && units[0].unitProcess?.readableFiles == [ExactPath(file.path)])
        #expect(try units[2].saveState().texts["file"] == file.path)
    }

    /// The library of the last unit is gone; the units before it have already been started elsewhere.
    @Test func whereOneCannotMoveAllStay() throws {
        let bundle = "/var/tmp/bulkhead-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max)).bulkhead"
        defer { try? FileManager.default.removeItem(atPath: bundle) }
        let gain = try Build.component("Gain")
        try FileManager.default.copyItem(atPath: gain.bundlePath, toPath: bundle)
        let last = try Component(bundlePath: bundle)
        let units = try Build.units(of: [gain, try LV2.component("keeper"), last].map { ($0, .together) })
        try units[2].set("gain", to: -6)
        let before = units.map(\.processIdentifier)
        try FileManager.default.removeItem(atPath: try #require(last.libraryPath))
        let file = LV2.NumberFile("0.25")
        #expect(throws: HostingError.self) { try units[1].setText("file", to: file.path) }
        #expect(units.map(\.processIdentifier) == before && processCount(units) == 1)
        #expect(units[0].unitProcess?.readableFiles == [])
        #expect(try units.map { try $0.saveState() }.last?.values["gain"] == -6)
    }

    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"))
    func whatEachFormatNeedsIsThereForAll() throws {
        let components = try components()
        let units = try Build.units(of: [0, 2].map { (components[$0], .together) })
        let process = try #require(units[0].processIdentifier)
        let seen = [components[0].bundlePath, LV2.honest, "/usr/share"].map { access("/proc/\(process)/root\($0)", F_OK) == 0 }
        #expect(seen == [true, true, true])
    }
}
