// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The processes on the way to a confined program share the host's descriptors, and close those that they open.

import FoundationEssentials
import Glibc
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite struct BorrowedDescriptorTests {
    /// In a process of its own whose descriptors run out, each time a little later.
    @Test func aStartThatFailsHalfwayLeavesNoneOpen() async throws {
        await #expect(processExitsWith: .success) {
            let component = try Build.component("Probe")
            // Opens beforehand what is opened once and kept. The unit stays: its end would close its own some time later.
            let kept = try HostedUnit(component)
            defer { withExtendedLifetime(kept) {} }
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var failureCount = 0
            for room in 4..<100 {
                var fillers: [Int32] = []
                while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
                fillers.suffix(room).forEach { close($0) }
                let before = try Self.openDescriptors()
                let outcome = Result { try HostedUnit(component) }
                let after = try Self.openDescriptors()
                fillers.dropLast(room).forEach { close($0) }
                if case .success = outcome { break }
                failureCount += 1
                #expect(after == before, "room for \(room)")
            }
            #expect(failureCount > 10 && failureCount < 96)
        }
    }

    /// A process that is born meanwhile has copies of the descriptors, and of what is open in a root folder under construction.
    @Test func manyStartsAtOnceDoNotHinderEachOther() throws {
        let component = try Build.component("Probe")
        for _ in 0..<16 {
            let units = try LinuxSystem.Thread.map(Array(0..<48), name: "start") { _ in try HostedUnit(component) }
            #expect(Set(units.compactMap(\.processIdentifier)).count == 48)
        }
    }

    private static func openDescriptors() throws -> Set<Int> {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int($0) }
        // The descriptor that listed them is closed by now.
        return Set(names.filter { fcntl(Int32($0), F_GETFD) >= 0 })
    }
}
