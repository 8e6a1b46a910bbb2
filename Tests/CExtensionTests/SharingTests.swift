// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An extension that does not know the sharing door has a process to itself. Test thread.

import ControlMessages
import HostingTestSupport
import LinuxSystem
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct SharingTests {
    @Test func anExtensionThatTakesInNobodyHasAProcessOfItsOwn() throws {
        let tremolo = try CExtension.component()
        let gain = try Build.component("Gain")
        let units = try Build.units(of: [tremolo, gain, tremolo, gain].map { ($0, .together) })
        let processes = units.map(\.processIdentifier)
        #expect(Set(processes).count == 3 && processes[1] == processes[3])
        // Alone, it has no rights but its own.
        #expect([0, 2].allSatisfy { units[$0].unitProcess?.isShared == false })
        var bench = try CExtension.bench(units, input: CExtension.noise(256))
        _ = try bench.renderInput()
        try bench.checkWholeness()
    }

    @Test func itRefusesAFurtherUnitAndGoesOn() throws {
        let unit = try CExtension.unit()
        let connection = try #require(unit.state.withLock { $0.connection } as? ExtensionConnection)
        let answer = try connection.ask(.addUnit(library: ""))
        guard case .refused = answer else {
            Issue.record("\(answer)")
            return
        }
        _ = try unit.saveState()
    }

    @Test func aLibraryWithoutTheNewerInterfaceIsRefused() throws {
        let unit = try Build.unit("Gain")
        let connection = try #require(unit.state.withLock { $0.connection } as? ExtensionConnection)
        let (_, peer) = try ControlSocket.pair()
        for library in ["libGain.so", "/nowhere/lib.so", "\(Build.folder)/CExtension/libFromTheFuture.so"] {
            let answer = try connection.ask(
                .addUnit(library: library), descriptors: [peer.descriptor], timeoutMilliseconds: 5000)
            guard case .refused = answer else {
                Issue.record("\(library): \(answer)")
                continue
            }
        }
        let answer = try connection.ask(.addUnit(library: ""))
        #expect(answer == .refused("no control channel came with the unit"))
        _ = try unit.saveState()
    }
}
