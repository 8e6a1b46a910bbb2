// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Scans of files and folders that contain units, crash, hang, lie or report too much.

import AudioUnits
import Glibc
import Testing

@testable import PluginHosting

@Suite struct ScanTests {
    @Test func unitsOfLibrariesAndBundlesAreComponents() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono Mono Amplifier\nunit stereo Stereo Amplifier")
        try bench.bundle("verb", "unit hall Great Hall")
        let registry = try bench.scan()
        #expect(registry.components.map(\.name) == ["Great Hall", "Mono Amplifier", "Stereo Amplifier"])
        let mono = try registry.component(named: "ladspa:amp:mono")
        #expect(mono.format == .ladspa && mono.locator == [bench.path("ladspa/amp.so"), "mono"] && !mono.isTrusted)
        #expect(mono.locationPath == bench.path("ladspa/amp.so"))
        #expect(mono.executablePath == bench.path("bundles/LADSPA.bulkhead/ScriptedBridge"))
        #expect(registry.report.failures.isEmpty && registry.report.locationCount == 2 && registry.report.scannedCount == 2)
        let unit = try HostedUnit(try registry.component(named: "great hall"))
        #expect(unit.description.identifier == "lv2:http://example.org/verb#hall")
    }

    @Test func aBridgeThatCannotBeReadIsAFailureOfItsFormat() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono Mono Amplifier")
        try bench.bundle("verb", "unit hall Great Hall")
        let bridges = try bench.scan().bridgesByFormat
        try #require(unlink(bench.path("bundles/LADSPA.bulkhead/libScriptedBridge.so")) == 0)
        let scan = Scan(
            bridges: bridges, folders: bench.installation.classicFolders, cacheFile: nil, timeoutMilliseconds: 5000, processCount: 1
        )
        let (locations, report) = try scan.run { _ in }
        #expect(locations.map(\.location.format) == [.lv2])
        #expect(report.reason("ScriptedBridge") == "the bridge cannot be read: no such file or directory")
    }

    @Test(arguments: [
        ("crash", "the process that loads it was ended by SIGSEGV"),
        ("exit 3", "the process that loads it ended by itself with status 3"),
        ("hang", "the process that loads it did not answer within 400 ms"),
        ("sleep 60000", "the process that loads it did not answer within 400 ms"),
        ("refuse it is too old", "it is too old"),
        ("garbage 200", "the process that loads it broke the protocol: a message without the Bulkhead magic"),
        ("units 1025", "the process that loads it broke the protocol: a listing of more than 1024 units"),
        ("units 10000", "the process that loads it broke the protocol: a listing of more than 1024 units"),
        ("long 20000000", "the process that loads it broke the protocol"),
    ])
    func aPlaceThatMisbehavesFailsWithItsReasonAndTheScanGoesOn(_ script: String, _ reason: String) throws {
        let bench = try ScanBench()
        try bench.library("bad", "unit before\n\(script)")
        try bench.library("good", "unit fine")
        try bench.bundle("bad", script)
        try bench.bundle("good", "unit fine")
        // A crash gets enough time for the kernel's report about it, and a hang gets little.
        let registry = try bench.scan(timeout: script.hasPrefix("hang") || script.hasPrefix("sleep") ? 400 : 5000)
        #expect(registry.components.map(\.id) == ["ladspa:good:fine", "lv2:http://example.org/good#fine"])
        #expect(registry.report.reason("bad.so")?.hasPrefix(reason) == true, "\(registry.report.failures)")
        #expect(registry.report.reason("bad.lv2")?.hasPrefix(reason) == true, "\(registry.report.failures)")
        #expect(registry.report.failures.count == 2)
        #expect(Census.children.isEmpty)
    }

    @Test(arguments: [
        ("identifier aufx:gain:blkh", "has no identifier of this format"),
        ("identifier lv2:http://x", "no identifier of this format"),
        ("identifier ladspa:", "has no identifier of this format"), ("native", "has no identifier of this format"),
        ("identifier ladspa:\(String(repeating: "x", count: 600))", "has no identifier of this format"),
        ("long 300", "has no name that can be shown"), ("long 20000", "has no name that can be shown"),
        ("escape", "has no name that can be shown"), ("unit fine", "is listed twice"),
        ("identifier ladspa:a\u{202E}b", "has no identifier of this format"),
        ("identifier ladspa:amp:mono", "has an ID that is not of this library"),
        ("identifier ladspa:mixed:", "has an ID that is not of this library"),
        ("elsewhere /usr/lib/ladspa/amp.so", "leads to another location"),
    ])
    func aUnitThatCannotBeTrueIsLeftOut(_ line: String, _ reason: String) throws {
        let bench = try ScanBench()
        try bench.library("mixed", "unit fine\n\(line)\nunit other")
        let registry = try bench.scan()
        #expect(registry.components.map(\.id) == ["ladspa:mixed:fine", "ladspa:mixed:other"])
        #expect(
            registry.report.sentences.count == 1 && registry.report.sentences[0].contains(reason), "\(registry.report.sentences)")
        #expect(registry.report.failures.isEmpty)
    }

    @Test func aUnitOfABundleThatLeadsToAnotherIsLeftOut() throws {
        let bench = try ScanBench()
        try bench.bundle("mixed", "unit fine\nelsewhere \(bench.path("lv2/verb.lv2"))")
        let registry = try bench.scan()
        #expect(registry.components.map(\.id) == ["lv2:http://example.org/mixed#fine"])
        #expect(registry.report.sentences.first?.contains("leads to another location") == true, "\(registry.report.sentences)")
    }

    @Test func aUnitOfABundleWhoseIDIsNotItsURIIsLeftOut() {
        let description = UnitDescription(
            ComponentDescription(.effect, "x   ", "x   "), classicIdentifier: "lv2:urn:a", name: "A", manufacturerName: "",
            version: UnitVersion(1, 0, 0))
        let location = ScanLocation(format: .lv2, path: "/lv2/a.lv2", bridgePath: "/bridge")
        func isPlausible(_ locator: [String]) -> Bool {
            ListingCheck.isPlausible(UnitListing(units: [ListedUnit(locator: locator, description: description)]), of: location)
        }
        #expect(isPlausible(["urn:a", "/lv2/a.lv2"]))
        #expect(!isPlausible(["urn:b", "/lv2/a.lv2"]) && !isPlausible(["urn:a"]) && !isPlausible(["urn:a", "/lv2/b.lv2"]))
        #expect(!isPlausible(["urn:a", "/lv2/a.lv2", "/lv2/b.lv2"]) && !isPlausible([]))
    }

    @Test func whatIsSaidOfALADSPAPluginFollowsItsPlaceAndItsLabel() {
        let description = UnitDescription(
            ComponentDescription(.effect, "x   ", "x   "), classicIdentifier: "ladspa:a:b", name: "A", manufacturerName: "",
            version: UnitVersion(1, 0, 0))
        let location = ScanLocation(format: .ladspa, path: "/a.so", bridgePath: "/bridge")
        func defects(_ locator: [String]) -> [String] {
            ListingCheck.checked(UnitListing(units: [ListedUnit(locator: locator, description: description)]), of: location).defects
        }
        #expect(defects(["/a.so", "b"]).isEmpty && defects(["/a.so", "b", "class Reverbs", "unit 3 dB"]).isEmpty)
        #expect(defects(["/a.so"]).count == 1 && defects(["/b.so", "b", "/a.so"]).count == 1)
        #expect(defects(["/a.so", "b", String(repeating: "x", count: ListingCheck.maximumUnitByteCount)]).count == 1)
    }

    @Test func aLabelThatReadsLikeAPathGrantsNothing() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit /etc")
        let component = try #require(try bench.scan().components.first)
        #expect(component.locator == [bench.path("ladspa/amp.so"), "/etc"])
        let paths = try #require(component.confinement()).paths.map(\.path)
        #expect(paths.contains(bench.path("ladspa/amp.so")) && !paths.contains("/etc"))
    }

    /// A confined process starts no other.
    ///
    /// It would write about one to a file that only itself can see.
    @Test(
        .enabled(if: Machine.givesFolders, "without mount namespaces a confined process has no /tmp"),
        arguments: ["crash", "unit fine", "exit 3"])
    func aPlaceStartsNoProcessAndLeavesNoFile(_ then: String) throws {
        let bench = try ScanBench()
        let file = bench.path("heir")
        try bench.library("forks", "heir \(file)\n\(then)")
        let start = ContinuousClock.now
        let registry = try bench.scan(timeout: 15_000)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(registry.components.count == (then == "unit fine" ? 1 : 0))
        let reasons = [
            "crash": "the process that loads it was ended by SIGSEGV",
            "exit 3": "the process that loads it ended by itself with status 3",
        ]
        #expect(registry.report.reason("forks.so") == reasons[then])
        #expect(FilePath.isAbsent(file))
        #expect(Census.children.isEmpty)
    }

    /// It would sleep for a minute then, and nobody would notice before the time is up.
    @Test func aPlaceThatUsesUpItsMemoryIsEndedBeforeItsTimeIsUp() throws {
        let bench = try ScanBench()
        try bench.library("leaks", "leak")
        try bench.library("b", "unit fine")
        let start = ContinuousClock.now
        let registry = try bench.scan(timeout: 30_000)
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(registry.components.map(\.id) == ["ladspa:b:fine"])
        #expect(registry.report.reason("leaks.so") == "the process that loads it used up its memory and was ended")
        #expect(Census.children.isEmpty)
    }

    @Test func aPlaceThatSaysTooMuchFailsAndLeavesRoomForOthers() throws {
        let bench = try ScanBench()
        try bench.library("a", "much 600")
        try bench.library("b", "unit fine")
        let registry = try bench.scan()
        #expect(registry.components.map(\.id) == ["ladspa:b:fine"])
        #expect(registry.report.reason("a.so") == "its plug-ins say more than 2097152 bytes of themselves")
    }

    @Test func aPlaceForWhichThereIsNoRoomIsAskedAgainAndOneThatFitsIsKept() throws {
        let bench = try ScanBench()
        for (name, script) in [("a", "units 20"), ("b", "units 60"), ("c", "unit x")] { try bench.library(name, script) }
        let bridge = bench.path("bundles/LADSPA.bulkhead/ScriptedBridge")
        let locations = ["a", "b", "c"].map {
            ScanLocation(format: .ladspa, path: bench.path("ladspa/\($0).so"), bridgePath: bridge)
        }
        let all = ScanPool(locations, scanner: LocationScanner(timeoutMilliseconds: 5000))
        try all.run(processCount: 1) { _ in }
        let sizes = (0..<3).map { ScanCache.byteCount(of: all.outcomes[$0]!) }
        let pool = ScanPool(locations, scanner: LocationScanner(timeoutMilliseconds: 5000), maximumByteCount: sizes[0] + sizes[2])
        try pool.run(processCount: 1) { _ in }
        #expect(pool.outcomes[0] == all.outcomes[0] && pool.outcomes[2] == all.outcomes[2])
        #expect(pool.outcomes[1] == .unasked("there is no room for more plug-ins"))
    }

    @Test func manyUnitsOfOnePlaceAreTaken() throws {
        let bench = try ScanBench()
        try bench.bundle("many", "units 1024")
        #expect(try bench.scan().components.count == 1024)
    }

    @Test func whatAScannedPlacePrintsIsHeardByNobody() throws {
        let bench = try ScanBench()
        try bench.library("loud", "print \(String(repeating: "LOUD ", count: 100))\nunit quiet")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let before = dup(STDOUT_FILENO)
        dup2(ends[1], STDOUT_FILENO)
        let registry = Result { try bench.scan() }
        dup2(before, STDOUT_FILENO)
        close(before)
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        #expect(!String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).contains("LOUD"))
        #expect(try registry.get().components.count == 1)
    }

    @Test func anEarlierFolderHidesTheSamePlugInInALaterOne() throws {
        let bench = try ScanBench()
        try bench.makeFolder("ladspa-2")
        try bench.library("amp", "unit mono First")
        try bench.library("amp", "unit mono Second\nunit other", in: "ladspa-2")
        let registry = try bench.scan()
        #expect(registry.components.map(\.name) == ["First", "other"])
        let hidden = ScanReport.HiddenUnit(
            id: "ladspa:amp:mono", path: bench.path("ladspa-2/amp.so"), hidingPath: bench.path("ladspa/amp.so"))
        #expect(registry.report.hidden == [hidden])
    }

    @Test func bundlesThatExtendAUnitAreReadForItsPresets() throws {
        let bench = try ScanBench()
        try bench.makeFolder("lv2-2")
        try bench.bundle("verb", "unit hall\nunit room\nextends lv2:http://example.org/verb#hall")
        try bench.bundle("a-presets", "extends lv2:http://example.org/verb#hall\nextends lv2:http://example.org/none")
        try bench.bundle("mine", "extends lv2:http://example.org/verb#hall", in: "lv2-2")
        let registry = try bench.scan()
        let hall = try registry.component(named: "hall")
        let extensions = [bench.path("lv2/a-presets.lv2"), bench.path("lv2-2/mine.lv2")]
        #expect(hall.locator == ["http://example.org/verb#hall", bench.path("lv2/verb.lv2")])
        #expect(hall.extensionPaths == extensions)
        #expect(try registry.component(named: "room").extensionPaths.isEmpty)
        #expect(try HostedUnit(hall).factoryPresets.map(\.name) == extensions)
    }

    @Test func aScanThatIsInterruptedEndsItsProcessesAndRemembersWhatItFound() throws {
        struct Enough: Error {}
        let bench = try ScanBench()
        try bench.library("a", "unit fine")
        for name in ["b", "c"] { try bench.library(name, "hang") }
        let start = ContinuousClock.now
        #expect(throws: Enough.self) {
            try bench.installation.registry { progress in
                if progress.doneCount == 1, ContinuousClock.now - start > .milliseconds(500) { throw Enough() }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(4))
        #expect(Census.children.isEmpty)
        let cache = try ScanCache(bytes: Array(try SmallFile.read(bench.cacheFile, maximumByteCount: 1 << 20)))
        #expect(cache.locations.map { FilePath.name(of: $0.location.path) } == ["a.so"])
    }

    @Test func severalPlacesAreAskedAtOnce() throws {
        let bench = try ScanBench()
        for index in 0..<4 { try bench.library("slow\(index)", "sleep 500\nunit x") }
        var installation = bench.installation
        installation.processCount = 4
        let start = ContinuousClock.now
        #expect(try installation.registry().components.count == 4)
        #expect(ContinuousClock.now - start < .milliseconds(1700))
    }

    @Test func aBridgeThatCannotBeStartedIsNoFaultOfThePlaceAndNotRemembered() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono")
        let program = "bundles/LADSPA.bulkhead/ScriptedBridge"
        let good = Array(try SmallFile.read(bench.path(program), maximumByteCount: 1 << 24))
        try bench.write(Array("neither ELF nor script".utf8), to: program)
        chmod(bench.path(program), 0o755)
        let registry = try bench.scan()
        #expect(registry.report.reason("amp.so")?.hasPrefix("its bridge could not be started") == true, "\(registry.report)")
        let cache = try ScanCache(bytes: Array(try SmallFile.read(bench.cacheFile, maximumByteCount: 1 << 20)))
        #expect(cache.locations.isEmpty)
        try bench.write(good, to: program)
        chmod(bench.path(program), 0o755)
        #expect(try bench.scan().components.map(\.id) == ["ladspa:amp:mono"])
    }

    @Test func whoLooksForNativePlugInsAloneDoesNotScan() throws {
        let bench = try ScanBench()
        _ = try bench.folder.bundle("bundles/Fake")
        try bench.library("amp", "unit mono")
        #expect(try bench.installation.registry(wanting: ["aufx:fake:test"]).report.locationCount == 0)
        #expect(try bench.installation.registry(wanting: ["bundles/fake"]).components.map(\.format) == [.native])
        #expect(try bench.installation.registry(wanting: ["bundles/fake", "mono"]).components.count == 2)
    }

    /// The scan forgets nothing about the other formats.
    @Test func whoSaysOfWhichFormatAPlugInIsLooksAtThatAlone() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono")
        try bench.bundle("gate", "unit keyed")
        #expect(try bench.scan().report.scannedCount == 2)
        let registry = try bench.installation.registry(wanting: ["ladspa:amp:mono"])
        #expect(registry.components.map(\.id) == ["ladspa:amp:mono"] && registry.report.locationCount == 1)
        #expect(try bench.installation.registry(wanting: ["ladspa:amp:mono", "mono"]).report.locationCount == 2)
        let all = try bench.scan()
        #expect(all.components.count == 2 && all.report.scannedCount == 0)
    }
}
