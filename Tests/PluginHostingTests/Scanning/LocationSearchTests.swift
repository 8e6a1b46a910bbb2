// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files and folders that are no plug-ins, found out without starting a process.

import FoundationEssentials
import Glibc
import Printing
import Testing

@testable import PluginHosting

@Suite struct LocationSearchTests {
    @Test(arguments: [
        ([], "it is not a library (ELF)"), (Array("text".utf8), "it is not a library (ELF)"),
        (Array(ScanBench.header()[..<19]), "it is not a library (ELF)"),
        (ScanBench.header(machine: 8), "it is a library for another kind of processor (ELF machine 8)"),
        (ScanBench.header(elfClass: 1), "it is a library for another kind of processor"),
        (ScanBench.header(type: 2), "it is not a shared library (ELF type 2)"),
        ([UInt8](repeating: 0xFF, count: 100), "it is not a library (ELF)"),
    ])
    func aFileThatCannotBeALibraryIsToldByItsHeader(_ bytes: [UInt8], _ reason: String) throws {
        let bench = try ScanBench()
        try bench.write(bytes, to: "ladspa/bad.so")
        let registry = try bench.scan()
        #expect(registry.report.reason("bad.so") == reason)
        #expect(registry.report.scannedCount == 0 && registry.report.locationCount == 1)
    }

    @Test func aFolderOfTenThousandFilesIsToldSoonAndWithoutAProcess() throws {
        let bench = try ScanBench()
        var generator = SystemRandomNumberGenerator()
        for index in 0..<10_000 {
            let bytes = (0..<Int.random(in: 0...64)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let file = open(bench.path("ladspa/file\(index).so"), O_CREAT | O_WRONLY, 0o600)
            write(file, bytes, bytes.count)
            close(file)
        }
        try bench.library("zzz", "unit fine")
        let start = ContinuousClock.now
        let registry = try bench.scan()
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(registry.report.failures.count == 10_000 && registry.report.scannedCount == 1)
        #expect(registry.components.map(\.id) == ["ladspa:zzz:fine"])
        #expect(try bench.scan().report.scannedCount == 0)
    }

    @Test func linksInCirclesAndToNowhereEndTheScanOfNobody() throws {
        let bench = try ScanBench()
        try bench.library("good", "unit fine")
        try bench.bundle("loop", "unit fine")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: bench.path("ladspa/circle.so"), withDestinationPath: "circle.so")
        try manager.createSymbolicLink(atPath: bench.path("ladspa/nowhere.so"), withDestinationPath: "/nowhere/at/all.so")
        try manager.createSymbolicLink(atPath: bench.path("ladspa/folder.so"), withDestinationPath: "/tmp")
        try manager.createSymbolicLink(atPath: bench.path("lv2/loop.lv2/again"), withDestinationPath: "..")
        try manager.createSymbolicLink(atPath: bench.path("lv2/circle.lv2"), withDestinationPath: "circle.lv2")
        let registry = try bench.scan()
        #expect(registry.components.count == 2)
        #expect(registry.report.reason("circle.so") == "it cannot be read: too many levels of symbolic links")
        #expect(registry.report.reason("nowhere.so") == "it cannot be read: no such file or directory")
        #expect(registry.report.reason("folder.so") == "it is a link to \"/tmp\", which is outside of its folder")
        #expect(registry.report.failures.count == 3)
    }

    @Test func aPipeKeepsNobodyWaiting() throws {
        let bench = try ScanBench()
        #expect(mkfifo(bench.path("ladspa/pipe.so"), 0o600) == 0)
        #expect(try bench.scan().report.reason("pipe.so") == "it is not a file")
    }

    @Test func foldersWithoutAManifestAreNoBundles() throws {
        let bench = try ScanBench()
        try bench.makeFolder("lv2/empty.lv2")
        try bench.makeFolder("lv2/odd.lv2/manifest.ttl")
        try bench.write([1], to: "lv2/file.lv2")
        try bench.makeFolder("ladspa/folder.so")
        let report = try bench.scan().report
        #expect(report.locationCount == 0 && report.failures.isEmpty)
    }

    @Test func aFileInPlaceOfAFolderIsNamedAndAMissingFolderIsNot() throws {
        let bench = try ScanBench()
        try bench.write([1], to: "ladspa-2")
        let failures = try bench.scan().report.failures
        #expect(failures.map(\.path) == [bench.path("ladspa-2")])
        #expect(failures.map(\.reason) == ["it cannot be read: not a directory"])
    }

    @Test(.enabled(if: getuid() != 0, "everything can be read by root"))
    func aFolderThatMayNotBeReadIsNamed() throws {
        let bench = try ScanBench()
        try bench.makeFolder("ladspa-2")
        chmod(bench.path("ladspa-2"), 0)
        defer { chmod(bench.path("ladspa-2"), 0o700) }
        #expect(try bench.scan().report.reason("ladspa-2") == "it cannot be read: permission denied")
    }

    @Test(arguments: ["new\nline.so", "escape\u{1B}[2J.so", "turned\u{202E}.so"])
    func aNameThatCouldSteerATerminalIsNotPassedOn(_ name: String) throws {
        let bench = try ScanBench()
        try bench.write(ScanBench.header() + Array("unit x".utf8), to: "ladspa/\(name)")
        let report = try bench.scan().report
        #expect(report.failures.map(\.reason) == ["its name holds bytes that are not text"])
        #expect(report.failures.allSatisfy { PrintableText.isPrintable($0.path) })
    }

    @Test func aNameThatIsNotTextIsNotPassedOn() throws {
        let bench = try ScanBench()
        let name = Array(bench.path("ladspa/").utf8CString.dropLast()) + [-1, -2, 46, 115, 111, 0]
        close(open(name, O_CREAT | O_WRONLY, 0o600))
        #expect(try bench.scan().report.failures.map(\.reason) == ["its name holds bytes that are not text"])
    }

    @Test func oneFolderUnderTwoNamesIsLookedIntoOnce() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono")
        try FileManager.default.createSymbolicLink(atPath: bench.path("ladspa-2"), withDestinationPath: "ladspa")
        let report = try bench.scan().report
        #expect(report.locationCount == 1 && report.hidden.isEmpty)
    }

    @Test func theFormatsVariableReplacesTheUsualFolders() {
        func folders(_ format: PluginFormat, _ environment: [String: String]) -> [String] { format.classicFolders(environment) }
        let usual = folders(.ladspa, ["HOME": "/home/me"])
        #expect(usual.first == "/home/me/.ladspa" && usual.contains("/usr/lib/ladspa"))
        #expect(folders(.lv2, [:]).first == "/usr/local/lib/lv2")
        #expect(folders(.lv2, ["LV2_PATH": "/a::~/b", "HOME": "/home/me"]) == ["/a", "/home/me/b"])
        #expect(folders(.ladspa, ["LADSPA_PATH": "here"]) == [FileManager.default.currentDirectoryPath + "/here"])
        #expect(folders(.ladspa, ["LADSPA_PATH": ""]).isEmpty)
        #expect(folders(.native, ["HOME": "/home/me"]).isEmpty)
    }
}
