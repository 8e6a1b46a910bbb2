// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The real bridge with real libraries: honest ones, and those that crash, hang and lie.

import Glibc
import Testing

@testable import PluginHosting

@Suite struct LADSPAScanTests {
    /// The build's own bridges, and the libraries of a folder of test plug-ins.
    private func scan(_ folder: String, _ bench: TemporaryFolder, timeout: Int32 = 10_000) throws -> ComponentRegistry {
        var installation = Installation(environment: ["HOME": bench.path])
        installation.bundleFolders = [Build.folder]
        installation.classicFolders = [.ladspa: [folder]]
        installation.scanTimeoutMilliseconds = timeout
        return try installation.registry()
    }

    @Test func honestLibrariesAreFoundAndRender() throws {
        let registry = try scan("\(Build.testPluginFolder)/LADSPA", TemporaryFolder())
        let classics = registry.components.filter { $0.format == .ladspa }
        #expect(!classics.isEmpty && classics.allSatisfy { $0.id.hasPrefix("ladspa:honest:") })
        #expect(registry.report.failures.isEmpty && registry.report.defects.isEmpty, "\(registry.report)")
        for component in classics { #expect(try HostedUnit(component).description.identifier == component.id) }
    }

    @Test func whatBrokenLibrariesDoIsNotedAndNotRepeated() throws {
        let folder = try TemporaryFolder()
        let broken = "\(Build.testPluginFolder)/LADSPA/broken"
        let first = try scan(broken, folder, timeout: 2000)
        #expect(first.report.reason("HANGS.so") == "the process that loads it did not answer within 2000 ms")
        for name in ["CRASHES.so", "GARBAGE.so"] {
            #expect(first.report.reason(name)?.hasPrefix("the process that loads it was ended by SIG") == true, "\(first.report)")
        }
        for name in ["NONE.so", "TEN_THOUSAND.so", "WITHOUT_ENTRY.so"] { #expect(first.report.reason(name) != nil, "\(name)") }
        #expect(Census.children.isEmpty)
        let second = try scan(broken, folder, timeout: 2000)
        #expect(second.report.scannedCount == 0 && second.report.failures == first.report.failures)
    }

    @Test func aLibraryThatIsNoPlugInIsToldByItsBridge() throws {
        let registry = try scan("\(Build.folder)/CExtension", TemporaryFolder())
        #expect(registry.report.reason("libFromTheFuture.so")?.contains("ladspa_descriptor") == true, "\(registry.report)")
    }
}
