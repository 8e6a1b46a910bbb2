// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ports of units where the driver refuses them, loses them, and has them again. Test thread.

import Rendering
import Testing

@testable import Control

@Suite(.serialized, .timeLimit(.minutes(15))) struct PortTests {
    private let driver = PortDriver()
    private let bench: ControlBench
    private static let name = "Probe_Side-Chain"

    init() throws { bench = try ControlBench([("Probe", "Probe")], driver: driver) }

    /// Offers the ports, and follows them as the host does.
    private func follow() -> [String] {
        bench.session.followUnitPorts()
        return bench.session.takeUnitPortMessages()
    }

    @Test func portsForWhichThereIsNoRoomAreToldOfOnce() {
        driver.refuse(.noRoom)
        bench.session.offerUnitPorts()
        let messages = follow()
        #expect(
            messages.count == 1 && messages.first?.contains("\"Side Chain\" of \"Probe\" has got no ports: a node has 64") == true)
        driver.refuse(nil)
        #expect(follow().isEmpty && driver.names.isEmpty)
    }

    @Test func portsThatAreRefusedForAnotherReasonSaySo() {
        driver.refuse(.noPort)
        bench.session.offerUnitPorts()
        #expect(follow() == ["\"Side Chain\" of \"Probe\" has got no ports: the system makes no port."])
    }

    @Test func portsAreMadeOnceTheDriverRunsAgain() {
        driver.refuse(.notRunning)
        bench.session.offerUnitPorts()
        #expect(follow().isEmpty)
        driver.refuse(nil)
        #expect(follow().isEmpty && driver.names == [Self.name])
    }

    @Test func refusedPortsAreTriedAgainAfterTheDriverWasAway() throws {
        driver.refuse(.noRoom)
        bench.session.offerUnitPorts()
        bench.engine.stop()
        _ = follow()
        driver.refuse(nil)
        try bench.engine.start()
        _ = follow()
        #expect(driver.names == [Self.name])
    }

    @Test func portsThatTheDriverHasLostAreMadeAnew() {
        bench.session.offerUnitPorts()
        #expect(driver.names == [Self.name])
        driver.lose()
        #expect(follow().isEmpty && driver.names == [Self.name])
        driver.lose()
        driver.refuse(.noRoom)
        #expect(follow().count == 1)
    }
}
