// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in in the host's process leaves the host's arithmetic alone. Test thread.

import Foundation
import LinuxSystem
import Synchronization
import Testing

@testable import PluginHosting

@Suite(.serialized, .timeLimit(.minutes(15))) struct FloatingPointModeTests {
    /// The least number, times one, on a thread that has loaded a library.
    private func product(after load: @escaping @Sendable () throws -> Void) throws -> Double {
        let product = Mutex(-1.0)
        let thread = try LinuxSystem.Thread(name: "loads") {
            guard (try? load()) != nil, let least = Double("5e-324") else { return }
            product.withLock { $0 = least * Double(CommandLine.arguments.count) }
        }
        thread.join()
        return product.withLock { $0 }
    }

    /// Copies of a library that flushes subnormal numbers to zero where it is loaded: each is loaded anew.
    @Test func aLibraryThatChangesTheModeOfItsThreadIsLoadedWithoutThat() throws {
        let library = try #require(try Build.component("Splitter").libraryPath)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mode-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        setenv("BULKHEAD_TEST_FLUSHES_TO_ZERO", "1", 1)
        defer {
            unsetenv("BULKHEAD_TEST_FLUSHES_TO_ZERO")
            try? FileManager.default.removeItem(atPath: folder)
        }
        let copies = ["\(folder)/first.so", "\(folder)/second.so"]
        for copy in copies { try FileManager.default.copyItem(atPath: library, toPath: copy) }
        #expect(try product { if dlopen(copies[0], RTLD_NOW | RTLD_LOCAL) == nil { throw CocoaError(.fileReadUnknown) } } == 0)
        #expect(try product { _ = try InProcessConnection(library: copies[1]) } > 0)
    }
}
