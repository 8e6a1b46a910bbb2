// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// LV2 plug-ins with a worker and a state: a saved state comes back, files included, and a damaged one has no effect.

import AudioUnits
import Confinement
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized) struct LV2StateTests {
    /// The output after all pending work has been done.
    private func settled(_ unit: HostedUnit) throws -> Float {
        try #require(try UnitBench().render(unit, LV2.constant(0)).first?.last)
    }

    @Test(arguments: [false, true])
    func aTextReachesTheWorkerAndComesBackFromThePlugin(inProcess: Bool) throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: inProcess)
        #expect(unit.texts.map(\.identifier) == ["file", "title"] && unit.texts.map(\.kind) == [.path, .text])
        try unit.setText("file", to: file.path)
        let output = try UnitBench().render(unit, LV2.constant(0.5))[0]
        #expect(output.allSatisfy { $0 == 0.75 })
        #expect(try unit.saveState().texts["file"] == file.path)
    }

    @Test func inRealTimeTheWorkIsDoneBesideAndNobodyWaits() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: true)
        let bench = UnitBench(
            blockSize: 64, isOffline: false,
            beforeBlock: { start, unit in
                if start == 64 { try unit.setText("file", to: file.path) }
                Futex.pause(microseconds: 500)
            })
        let output = try bench.render(unit, LV2.constant(0.5, frames: 8192))[0]
        #expect(output.first == 0.5 && output.last == 0.75)
        #expect(try unit.saveState().texts["file"] == file.path)
    }

    @Test func aFileThatIsNotThereIsRefused() throws {
        let unit = try LV2.unit("keeper")
        let error = #expect(throws: HostingError.self) { try unit.setText("file", to: "/nowhere/at/all") }
        #expect(error.map { "\($0)" }?.contains("\"/nowhere/at/all\" cannot be read: No such file or directory") == true)
    }

    @Test(arguments: [false, true])
    func aStateCarriesTheFilesThatThePluginMade(inProcess: Bool) throws {
        let saved: FullState
        do {
            let file = LV2.NumberFile("0.25")
            let unit = try LV2.unit("keeper", inProcess: inProcess)
            try unit.setText("file", to: file.path)
            try unit.set("level", to: 2)
            #expect(try settled(unit) == 0.5)
            saved = try unit.saveState()
        }
        let name = Array("copies/".utf8) + [0xFC] + Array(".txt".utf8)
        #expect(
            saved.custom.indices.contains { saved.custom[$0...].starts(with: name) }, "a name need not be UTF-8")
        // The file is removed; the plug-in's copy of it is in the state.
        var state = saved
        state.texts = [:]
        let restored = try LV2.unit("keeper", inProcess: inProcess)
        try restored.restoreState(state)
        #expect(try restored.saveState().custom == saved.custom, "kept as it is until there is an instance")
        #expect(try settled(restored) == 0.5)
        #expect(try restored.saveState().values == saved.values)
    }

    @Test(arguments: [false, true])
    func aStateIsRestoredWhileTheUnitRenders(inProcess: Bool) throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper", inProcess: inProcess)
        let fresh = try unit.saveState()
        try unit.setText("file", to: file.path)
        var states: [FullState] = []
        let bench = UnitBench(beforeBlock: { start, unit in
            if start == 2048 {
                states.append(try unit.saveState())
                try unit.restoreState(fresh)
                #expect(try unit.saveState() == fresh)
            }
            if start == 4096 { try unit.restoreState(try #require(states.first)) }
        })
        let output = try bench.render(unit, LV2.constant(0.5, frames: 8192))[0]
        #expect(output[2047] == 0.75 && output[4095] == 0.5 && output[8191] == 0.75)
    }

    @Test func theStateOutlivesItsResources() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper")
        try unit.setText("file", to: file.path)
        #expect(try settled(unit) == 0.25)
        // Another row, another instance of the plug-in.
        #expect(try UnitBench(sampleRate: 44_100).render(unit, LV2.constant(0))[0].first == 0.25)
    }

    @Test func aFileThatIsGoneDoesNotKeepTheRestOfAStateAway() throws {
        let unit = try LV2.unit("keeper")
        let saved: FullState
        do {
            let file = LV2.NumberFile("0.25")
            try unit.setText("file", to: file.path)
            try unit.set("level", to: 2)
            #expect(try settled(unit) == 0.5)
            saved = try unit.saveState()
        }
        let restored = try LV2.unit("keeper")
        try restored.restoreState(saved)
        #expect(restored.values.byKeyPath["level"] == 2 && restored.textValues.isEmpty)
        #expect(try settled(restored) == 0.5)
    }

    @Test func aNewUnitKeepsNothing() throws {
        #expect(try LV2.unit("keeper").saveState().custom.isEmpty)
        let swap = try LV2.unit("swap")
        _ = try UnitBench().render(swap, LV2.constant(0, channels: 2))
        #expect(try swap.saveState().custom.isEmpty)
    }

    @Test func theSameStateIsTheSameBytesInWhateverOrderItIsStored() throws {
        var saved: [FullState] = []
        let bench = UnitBench(beforeBlock: { start, unit in if start > 0 { saved.append(try unit.saveState()) } })
        _ = try bench.render(LV2.unit("keeper"), LV2.constant(0.5, frames: 768))
        #expect(saved.count == 2 && saved[0] == saved[1])
    }

    /// Values, and nothing else: the preset's file stays where it is.
    @Test(arguments: [false, true])
    func aPresetOfAnotherBundleBringsItsValues(inProcess: Bool) throws {
        let unit = try LV2.unit("keeper", inProcess: inProcess, extendedBy: [LV2.folder + "/extension.lv2"])
        #expect(unit.factoryPresets == [FactoryPreset("Stored", ["level": 2])] && unit.presetDefects.isEmpty)
        try unit.selectFactoryPreset("Stored")
        #expect(unit.values.byKeyPath["level"] == 2)
        let plain = try LV2.unit("keeper", inProcess: inProcess)
        try plain.set("level", to: 2)
        #expect(try settled(unit) == settled(plain))
    }

    @Test func aPresetOfAnotherBundleThatHasNoValuesIsRefusedWithTheReason() throws {
        let unit = try LV2.unit("keeper", extendedBy: [LV2.folder + "/extension.lv2"])
        let error = #expect(throws: HostingError.self) { try unit.selectFactoryPreset("hollow") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("extension.lv2\" only the values of parameters are taken, and this one has none"), "\(text)")
    }

    @Test func aDamagedStateIsRefusedAndChangesNothing() throws {
        let file = LV2.NumberFile("0.25")
        let unit = try LV2.unit("keeper")
        try unit.setText("file", to: file.path)
        #expect(try settled(unit) == 0.25)
        let state = try unit.saveState()
        func refusal(_ change: (inout [UInt8]) -> Void) -> String {
            var damaged = state
            change(&damaged.custom)
            damaged.values["level"] = 3
            let error = #expect(throws: HostingError.self) { try unit.restoreState(damaged) }
            return error.map { "\($0)" } ?? ""
        }
        func replacing(_ old: String, with new: String, times: Int = .max) -> (inout [UInt8]) -> Void {
            { bytes in
                var count = times
                let (old, new) = (Array(old.utf8), Array(new.utf8))
                for start in bytes.indices.dropLast(old.count) where count > 0 && Array(bytes[start..<start + old.count]) == old {
                    count -= 1
                    bytes.replaceSubrange(start..<start + old.count, with: new)
                }
            }
        }
        for count in [0, 1, 4, state.custom.count / 2, state.custom.count - 1] where count > 0 {
            #expect(refusal { $0.removeLast($0.count - count) }.contains("it is damaged"), "\(count) bytes")
        }
        #expect(refusal { $0.append(0) }.contains("it is damaged"))
        #expect(refusal(replacing("test:keeper", with: "test:kipper")).contains("saved it and this is"))
        #expect(refusal(replacing("copies/number.txt", with: "../../../secretly", times: 1)).contains("outside"))
        #expect(refusal(replacing("copies/number.txt", with: "../../../secretly")).contains("holds a file named"))
        #expect(refusal(replacing("copies/number.txt", with: "/opies/number.txt")).contains("holds a file named"))
        // To a reader of texts, "/" with an accent is another character; to the kernel it is "/".
        #expect(refusal(replacing("copies/number.txt", with: "../\u{301}secretlysecr")).contains("holds a file named"))
        #expect(refusal(replacing("copies/number.txt", with: "../\u{301}secretlysecr", times: 1)).contains("outside"))
        #expect(try settled(unit) == 0.25)
        #expect(try unit.saveState() == state)
    }

    /// Its folder lies in a /tmp of its own.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.mount), "there are no mount namespaces here"))
    func noFolderOfAConfinedUnitIsEverSeen() throws {
        let before = folders()
        let unit = try LV2.unit("keeper")
        _ = try settled(unit)
        _ = try unit.saveState()
        #expect(folders() == before)
        let inside = "/proc/\(try #require(unit.processIdentifier))/root/tmp"
        #expect(glob("\(inside)/bulkhead-lv2-*").count == 1)
    }

    /// A unit that is not confined, whose folder lies in the common /tmp.
    private func looseUnit() throws -> HostedUnit {
        var component = try LV2.component("keeper")
        component.profile = .off
        return try HostedUnit(component)
    }

    @Test func noFolderOfAUnitStaysBehind() throws {
        let before = folders()
        do {
            let unit = try looseUnit()
            _ = try settled(unit)
            _ = try unit.saveState()
            #expect(folders().count == before.count + 1)
        }
        #expect(folders() == before)
    }

    @Test func theFolderOfAUnitThatWasKilledGoesWithTheNext() throws {
        let killed = try looseUnit()
        _ = try settled(killed)
        _ = try killed.saveState()
        let left = folders()
        kill(try #require(killed.processIdentifier), SIGKILL)
        Futex.pause(microseconds: 50_000)
        #expect(folders() == left && !left.isEmpty)
        let next = try looseUnit()
        _ = try settled(next)
        _ = try next.saveState()
        #expect(folders().isDisjoint(with: left) && folders().count == 1)
    }

    @Test func aLinkThatLooksLikeAnAbandonedFolderIsNotFollowed() throws {
        let victim = "/tmp/bulkhead-test-victim-\(getpid())"
        let link = "/tmp/bulkhead-lv2-linked\(getpid())"
        mkdir(victim, 0o700)
        for name in [".lock", "precious"] { close(open("\(victim)/\(name)", O_WRONLY | O_CREAT, 0o600)) }
        symlink(victim, link)
        defer {
            unlink(link)
            for name in [".lock", "precious"] { unlink("\(victim)/\(name)") }
            rmdir(victim)
        }
        let unit = try looseUnit()
        _ = try settled(unit)
        _ = try unit.saveState()
        #expect(access("\(victim)/precious", F_OK) == 0)
    }

    private func folders() -> Set<String> { Set(glob("/tmp/bulkhead-lv2-*")) }

    private func glob(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard Glibc.glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
