// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in in the host's process leaves the host's arithmetic alone. Test thread.

import LinuxSystem
import Synchronization
import Testing

@testable import PluginHosting

@Suite(.timeLimit(.minutes(15))) struct FloatingPointModeTests {
    /// The library of Time Pitch brings SoundTouch along, which was linked so that subnormal numbers are 0 where it is loaded.
    @Test func aLibraryThatChangesTheModeOfItsThreadIsLoadedWithoutThat() throws {
        let product = Mutex(0.0)
        let failure = Mutex<String?>(nil)
        let thread = try LinuxSystem.Thread(name: "loads") {
            do {
                let unit = try Build.unit("Time Pitch", inProcess: true)
                let least = try #require(Double("5e-324"))
                product.withLock { $0 = least * Double(unit.name.count) }
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
        }
        thread.join()
        #expect(failure.withLock { $0 } == nil)
        #expect(product.withLock { $0 } > 0)
    }
}
