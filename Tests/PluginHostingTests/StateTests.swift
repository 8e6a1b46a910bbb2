// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// State and presets: the saved state is what is heard, and it returns bit for bit.

import AudioUnits
import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite(.serialized) struct StateTests {
    private let ones = [[Float](repeating: 1, count: 8192)]

    @Test(arguments: [false, true])
    func aRestoredStateSoundsAsTheSavedOneBitForBit(inProcess: Bool) throws {
        let saved = try Build.unit("Probe", inProcess: inProcess)
        try saved.set("level.gain", to: 0.1)
        try saved.set("level.offset", to: 1.0 / 3)
        try saved.set("latency", to: 77)
        let restored = try Build.unit("Probe", inProcess: inProcess)
        try restored.restoreState(try saved.saveState())
        #expect(restored.values.byKeyPath == saved.values.byKeyPath)
        let input = [TestSignal.sine(frames: 2048), TestSignal.sine(frames: 2048, frequency: 997)]
        var first = try Bench([saved], input: input)
        var second = try Bench([restored], input: input)
        #expect(first.render(blocks: [512, 512, 512]) == second.render(blocks: [512, 512, 512]))
    }

    @Test(arguments: [false, true])
    func aValueThatTheUnitChangedItselfIsSaved(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: ones)
        try unit.set("echo.question", to: 7)
        _ = bench.render(16)
        #expect(try unit.saveState().values["echo.answer"] == 21)
        #expect(unit.values.byKeyPath["echo.answer"] == 21)
    }

    @Test(arguments: [false, true])
    func aStateIsRestoredWhileTheUnitRenders(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        let fresh = try unit.saveState()
        var bench = try Bench([unit], input: ones)
        try unit.set("level.gain", to: 3)
        #expect(bench.render(1) == [[3]])
        let loud = try unit.saveState()
        #expect(loud.values["level.gain"] == 3)
        try unit.restoreState(fresh)
        #expect(bench.render(1) == [[1]])
        try unit.restoreState(loud)
        #expect(bench.render(1) == [[3]])
    }

    @Test(arguments: [false, true])
    func aStateSavedBeforeTheNextBlockHoldsWhatWasJustSet(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: ones)
        try unit.set("level.gain", to: 3)
        #expect(try unit.saveState().values["level.gain"] == 3)
        #expect(unit.values.byKeyPath["level.gain"] == 3)
        #expect(bench.render(1) == [[3]])
    }

    @Test(arguments: [false, true])
    func aPresetSelectedAfterAChangeWinsOverIt(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var bench = try Bench([unit], input: ones)
        try unit.set("level.gain", to: 3)
        try unit.selectFactoryPreset("half")
        #expect(unit.values.byKeyPath["level.gain"] == 0.5)
        #expect(bench.render(2) == [[0.5, 0.5]])
    }

    @Test(arguments: [false, true])
    func whatWasSetAndNeverRenderedIsNotForgottenWithTheChain(inProcess: Bool) throws {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        do {
            let bench = try Bench([unit], input: ones)
            try unit.set("level.gain", to: 3)
            #expect(bench.row.isWhole)
        }
        #expect(try unit.saveState().values["level.gain"] == 3)
        try unit.set("level.gain", to: 2)
        var bench = try Bench([unit], input: ones)
        #expect(bench.render(2) == [[2, 2]])
    }

    @Test func aStateOfAnotherUnitOrOfANewerVersionIsRefused() throws {
        let unit = try Build.unit("Probe")
        var state = try unit.saveState()
        state.version = UnitVersion(2, 0, 0)
        let newer = #expect(throws: HostingError.self) { try unit.restoreState(state) }
        #expect("\(try #require(newer))".contains("because version 2.0.0 saved it and this is 1.2.3"))
        let other = try Build.unit("Misbehaver").saveState()
        let wrong = #expect(throws: HostingError.self) { try unit.restoreState(other) }
        #expect("\(try #require(wrong))".contains("because aufx:misb:test saved it and this is aufx:prob:test"))
        state.version = UnitVersion(1, 0, 0)
        try unit.restoreState(state)
    }

    @Test func aStateWithAValueOutOfRangeIsRefusedWhole() throws {
        let unit = try Build.unit("Probe")
        var state = try unit.saveState()
        state.values["level.offset"] = 0.5
        state.values["level.gain"] = 99
        #expect(throws: HostingError.self) { try unit.restoreState(state) }
        #expect(try unit.saveState().values["level.offset"] == 0)
    }

    @Test func factoryPresetsAreFoundInAnyCaseAndLeaveOutWhatIsDefault() throws {
        let unit = try Build.unit("Probe")
        try unit.set("level.offset", to: 1)
        try unit.selectFactoryPreset("LATE AND LOUD")
        let values = unit.values.byKeyPath
        #expect(values["latency"] == 64 && values["level.gain"] == 2 && values["level.offset"] == 0)
        let error = #expect(throws: HostingError.self) { try unit.selectFactoryPreset("Loud") }
        #expect("\(try #require(error))".contains("it has \"Half\", \"Late and Loud\""))
    }

    @Test func theFolderOfAPresetIsOneFolderWhateverTheIDHolds() {
        #expect(UserPresets.folderName(of: "aufx:gain:blkh") == "aufx:gain:blkh")
        #expect(UserPresets.folderName(of: "ladspa:../../x:%2F") == "ladspa:..%2F..%2Fx:%252F")
    }

    @Test func userPresetsAreKeptOnDisk() throws {
        let folder = try TemporaryFolder()
        setenv("XDG_DATA_HOME", folder.path, 1)
        defer { unsetenv("XDG_DATA_HOME") }
        let unit = try Build.unit("Probe")
        try unit.set("level.gain", to: 0.125)
        let path = try UserPresets.save("Mine, all mine", of: unit)
        #expect(path == "\(folder.path)/bulkhead/presets/aufx:prob:test/Mine, all mine.preset")
        #expect(UserPresets.names(for: unit.component) == ["Mine, all mine"])
        let other = try Build.unit("Probe")
        try UserPresets.select("Mine, all mine", of: other)
        #expect(other.values.byKeyPath["level.gain"] == 0.125)
        #expect(throws: HostingError.self) { try UserPresets.select("Yours", of: other) }
        for name in ["", "..", "a/b", ".hidden", String(repeating: "x", count: 300)] {
            #expect(throws: HostingError.self) { try UserPresets.save(name, of: unit) }
        }
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: HostingError.self) { try UserPresets.select("Mine, all mine", of: other) }
        try Data(Array("BLKHPRST".utf8) + [1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(throws: HostingError.self) { try UserPresets.select("Mine, all mine", of: other) }
    }
}
