// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's next process may read the files that the host's user named, and none that only the unit named.

import AudioUnits
import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct NamedFileTests {
    private let bench: ScanBench
    private let unit: HostedUnit
    private let (named, unnamed): (String, String)

    init() throws {
        bench = try ScanBench()
        try bench.bundle("liar", "unit liar\n")
        (named, unnamed) = (bench.path("named.wav"), bench.path("unnamed.wav"))
        for name in ["named.wav", "unnamed.wav"] { try bench.write([0], to: name) }
        unit = try HostedUnit(try #require(bench.scan().components.first { $0.name == "liar" }))
    }

    /// Kills the unit and returns the files that its next process may read.
    private func filesAfterDeath() throws -> [String] {
        let stage = try Stage([unit], input: DeathTests.sine)
        try stage.start()
        #expect(waitUntil(milliseconds: 5000) { unit.state.withLock { $0.snapshot } != nil })
        kill(try #require(unit.processIdentifier), SIGKILL)
        let member = stage.row.members[0]
        #expect(waitUntil(milliseconds: 5000) { member.faults.restarts == 1 && member.isPresent })
        stage.stop()
        return try #require(unit.unitProcess).readableFiles.map(\.text)
    }

    @Test func aFileThatTheUserNamesIsReadByTheNextProcessToo() throws {
        try unit.setText("file", to: named)
        #expect(try unit.saveState().texts["file"] == named)
        #expect(try filesAfterDeath() == [named])
    }

    @Test(arguments: [false, true]) func aFileThatOnlyTheUnitNamesIsNot(isAFolder: Bool) throws {
        try unit.setText("label", to: isAFolder ? bench.folder.path : unnamed)
        #expect(try filesAfterDeath().isEmpty)
    }

    /// A saved chain would grant the file the next time.
    @Test func norIsItKept() throws {
        try unit.setText("label", to: unnamed)
        #expect(try unit.saveState().texts == ["label": unnamed])
        #expect(unit.textValues == ["label": unnamed])
    }

    /// The file lies where this plug-in's processes read anyway, as the files of a preset do.
    @Test func aFileBesideThePlugInIsKept() throws {
        try bench.write([0], to: "lv2/liar.lv2/own.wav")
        try unit.setText("label", to: bench.path("lv2/liar.lv2/own.wav"))
        #expect(try unit.saveState().texts["file"] == bench.path("lv2/liar.lv2/own.wav"))
    }

    @Test func aLinkOutOfThereIsNoFileThatItMayRead() throws {
        symlink(unnamed, bench.path("lv2/liar.lv2/link.wav"))
        try unit.setText("label", to: bench.path("lv2/liar.lv2/link.wav"))
        #expect(try unit.saveState().texts["file"] == nil)
    }

    /// A saved file is read when the chain is loaded, and the grant may be gone by then.
    ///
    /// Until then the unit reads it by the grant.
    @Test func aFileInAFolderThatIsGrantedIsItsOwnAndNotKept() throws {
        var component = unit.component
        component.granted = [bench.folder.path]
        let unit = try HostedUnit(component)
        try unit.setText("label", to: unnamed)
        #expect(try unit.saveState().texts == ["label": unnamed])
        #expect(unit.textValues["file"] == unnamed)
    }

    /// A file that an unconfined unit named must not become readable when the unit is confined again.
    @Test func norIsOneThatAnUnconfinedUnitNames() throws {
        var component = unit.component
        component.profile = .off
        let unit = try HostedUnit(component)
        try unit.setText("label", to: unnamed)
        #expect(try unit.saveState().texts == ["label": unnamed])
    }
}
