// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that are no libraries, and libraries that break the rules: each gets a sentence, and harms its own process alone.

import AudioUnits
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LADSPABadLibraryTests {
    private func complaint(about kind: String, _ timeout: Int32 = 10_000) -> String {
        do {
            let listing = try Bridges.list(
                Build.testPluginFolder + "/LADSPA/broken/\(kind).so", .ladspa, timeoutMilliseconds: timeout)
            return listing.units.isEmpty ? listing.defects.joined(separator: " ") : "\(listing.units.count) units"
        } catch {
            return "\(error)"
        }
    }

    @Test func whatIsMissingIsNamed() {
        #expect(complaint(about: "WITHOUT_ENTRY").contains("does not export \"ladspa_descriptor\""))
        #expect(complaint(about: "NONE").contains("names no plug-in"))
        #expect(complaint(about: "NO_RUN").contains("\"idle\" has no instantiate, connect_port or run"))
        #expect(complaint(about: "NO_PORTS_DESCRIBED").contains("does not describe its ports"))
        #expect(complaint(about: "no-such-file").contains("cannot open shared object file"))
    }

    @Test func tooMuchIsRefused() {
        #expect(complaint(about: "TEN_THOUSAND").contains("more than 1024 plug-ins"))
        #expect(complaint(about: "COUNTLESS_PORTS").contains("ports; 16384 are the most"))
    }

    @Test func aCrashAndAHangAreTheBridgesOwn() {
        #expect(complaint(about: "CRASHES").contains("SIGABRT"))
        #expect(complaint(about: "GARBAGE").contains("SIGSEGV"))
        #expect(complaint(about: "HANGS", 300).contains("300 ms"))
    }

    @Test func aPluginThatMakesNoInstanceIsRefused() throws {
        let location = Build.testPluginFolder + "/LADSPA/broken/NO_INSTANCE.so"
        let unit = try HostedUnit(Bridges.component("ladspa:NO_INSTANCE:never", at: location, .ladspa))
        let error = #expect(throws: HostingError.self) {
            try UnitBench().render(unit, [[0, 0]])
        }
        #expect("\(error!)".contains("makes no instance at 48000 Hz"))
    }

    @Test func whatIsNoLibraryIsSaidToBeNone() throws {
        let path = "/tmp/bulkhead-\(getpid())-no-library.so"
        let file = try #require(fopen(path, "w"))
        fputs("not a library", file)
        fclose(file)
        defer { unlink(path) }
        #expect(throws: TestFailure.self) { try Bridges.list(path, .ladspa) }
    }
}
