// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A right belongs to the code that the user gave it to: whatever replaces that code while the host runs does not get it.

import Confinement
import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct ReplacedCodeTests {
    private let bench: ScanBench
    private let component: Component
    private let file: String

    init() throws {
        bench = try ScanBench()
        try bench.bundle("liar", "unit liar honest\n")
        component = try #require(try bench.scan().components.first { $0.name == "honest" })
        file = bench.path("hall.wav")
        try bench.write([0], to: "hall.wav")
    }

    private func replace() throws { try bench.bundle("liar", "unit liar impostor\n") }

    private var changed: HostingError { .codeChanged(unit: component.name, path: component.home) }

    @Test func aFileIsNotGivenToOtherCode() throws {
        let unit = try HostedUnit(component)
        let process = unit.processIdentifier
        try replace()
        #expect(throws: changed) { try unit.setText("file", to: file) }
        #expect(unit.processIdentifier == process && unit.textValues.isEmpty)
        // A session that is kept now names no code, so it asks again.
        #expect(unit.knownCode == nil)
    }

    /// The control: the same code gets it.
    @Test func theSameCodeGetsTheFile() throws {
        let unit = try HostedUnit(component)
        try unit.setText("file", to: file)
        #expect(try unit.saveState().texts["file"] == file)
        #expect(try unit.knownCode == component.code())
    }

    /// Kills the unit, and waits until it is back or has been left alone.
    private func faultAfterDeath(of unit: HostedUnit) throws -> PluginFault? {
        let stage = try Stage([unit], input: DeathTests.sine)
        try stage.start()
        let member = stage.row.members[0]
        kill(try #require(unit.processIdentifier), SIGKILL)
        #expect(waitUntil(milliseconds: 20_000) { member.faults.restarts == 1 && member.isPresent || member.isQuarantined })
        stage.stop()
        return member.isQuarantined ? member.faults.records.last?.fault : nil
    }

    @Test func aRestartGivesNoFileToOtherCode() throws {
        let unit = try HostedUnit(component)
        try unit.setText("file", to: file)
        try replace()
        #expect(try faultAfterDeath(of: unit) == .replaced(path: component.home))
    }

    @Test func newCodeWithoutRightsIsStartedAsEver() throws {
        let unit = try HostedUnit(component)
        try replace()
        #expect(try faultAfterDeath(of: unit) == nil)
    }

    /// A backup by hard links changes the time of the inode and no byte.
    @Test func theSameContentsAreTheSameCode() throws {
        let unit = try HostedUnit(component)
        try unit.setText("file", to: file)
        #expect(unit.knownCode != nil)
        #expect(link("\(component.home)/manifest.ttl", bench.path("backup")) == 0)
        #expect(try faultAfterDeath(of: unit) == nil)
    }

    @Test func aGrantBelongsToTheCodeThatWasScanned() throws {
        let code = try component.code()
        #expect(try bench.installation.changeSettings { $0.grant(component.id, code, reading: bench.folder.path) })
        let granted = try #require(try bench.scan().components.first { $0.id == component.id })
        #expect(granted.granted == [bench.folder.path])
        #expect(try HostedUnit(granted).name == "honest")
        try replace()
        #expect(throws: changed) { try HostedUnit(granted) }
    }

    @Test func aNeighbourThatWasReplacedGetsNoFileEither() throws {
        try bench.bundle("other", "unit other\n")
        let other = try #require(try bench.scan().components.first { $0.name == "other" })
        let process = UnitProcess([component, other])
        let unit = try HostedUnit(component, at: .process(process))
        try bench.bundle("other", "unit other impostor\n")
        #expect(throws: HostingError.codeChanged(unit: "other", path: other.home)) { try unit.setText("file", to: file) }
    }

    @Test func aSealedChainKeepsTheCodeOfAllThatShareAProcess() throws {
        let unit = try HostedUnit(component)
        let chain = SavedChain([try SavedUnit(unit, isolation: .together), try SavedUnit(unit)])
        #expect(try chain.units[0].code == component.code())
        #expect(chain.units[1].code == nil)
        let own = try SavedChain(encoded: try chain.encoded())
        #expect(own.isOwn)
        #expect(try own.wishes(in: bench.scan(), name: "Mine") == [])
        try replace()
        #expect(try own.wishes(in: bench.scan(), name: "Mine") == [.share(units: ["impostor"])])
    }

    @Test func aSealedPresetKeepsTheCodeThatMayReadItsFile() throws {
        let path = bench.path("mine.preset")
        let unit = try HostedUnit(component)
        try unit.setText("file", to: file)
        let code = try #require(unit.knownCode)
        try Data(try UserPresets.bytes(of: try unit.saveState(), for: code)).write(to: URL(fileURLWithPath: path))
        let preset = try UserPresets.load(path: path)
        #expect(preset.isOwn && preset.isFor(component) && preset.state.texts["file"] == file)
        try replace()
        #expect(!preset.isFor(component))
        let plain = try HostedUnit(component).saveState()
        try Data(try UserPresets.bytes(of: plain, for: nil)).write(to: URL(fileURLWithPath: path))
        #expect(try UserPresets.load(path: path).isFor(component))
    }

    /// Programs are exchanged as fast as a thread can, before, during and after starts with a right.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"))
    func codeThatIsExchangedMeanwhileIsNeverStarted() throws {
        var granted = component
        granted.granted = [bench.folder.path]
        // The host knows the honest one, and would know its bytes under another inode.
        let known = try HostedUnit(granted)
        #expect(known.name == "honest" && known.knownCode != nil)
        let exchange = try Exchange(
            of: "\(component.home)/manifest.ttl", by: Array("unit liar impostor\n".utf8), in: bench.folder.path)
        var (names, refusals) = (Set<String>(), 0)
        for _ in 0..<(Sample.isWhole ? 450 : 60) {
            do throws(HostingError) {
                names.insert(try HostedUnit(granted).name)
            } catch {
                refusals += 1
                #expect(error == changed)
            }
        }
        #expect(names.isSubset(of: ["honest"]) && refusals > 0)
        // The control: without a right it is started.
        #expect(waitUntil(milliseconds: 60_000) { (try? HostedUnit(component).name) == "impostor" })
        exchange.end()
    }

}

/// A thread that exchanges a file with another one, by renaming, until it ends.
private final class Exchange: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let thread: Mutex<LinuxSystem.Thread?>

    init(of path: String, by other: [UInt8], in folder: String) throws {
        thread = Mutex(nil)
        let (one, two) = ("\(folder)/one", "\(folder)/two")
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: one))
        try Data(other).write(to: URL(fileURLWithPath: two))
        let started = try LinuxSystem.Thread(name: "exchange") { [self] in
            while !isOver.load(ordering: .relaxed) {
                for source in [two, one] {
                    // A copy by a link: the name then always has a file.
                    unlink("\(folder)/next")
                    link(source, "\(folder)/next")
                    rename("\(folder)/next", path)
                }
            }
        }
        thread.withLock { $0 = started }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        thread.withLock { $0?.join() }
    }
}
