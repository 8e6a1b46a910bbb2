// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the ports of side chains and further outputs are called. Test thread.

import Rendering
import Testing

@testable import Control

@Suite struct UnitPortTests {
    @Test(arguments: [
        ("Compressor", "Side chain", "Compressor_Side-chain"), ("Keyed 2", "Side-chain input", "Keyed-2_Side-chain-input"),
        ("../Ü: x\n", "→", "x_bus1"), ("日本", "Sidechain", "unit_Sidechain"), ("input", "FL", "input-2_FL"),
        (
            String(repeating: "a", count: 200), String(repeating: "b", count: 200),
            String(repeating: "a", count: 30) + "_" + String(repeating: "b", count: 24)
        ),
    ])
    func namesAreShortAndPlain(unit: String, bus: String, name: String) {
        let made = UnitPort.name(ofUnit: unit, bus: bus, number: 1, unlike: [])
        #expect(made == name && DriverBus(name: made).isNameOfPorts)
    }

    @Test func noNameIsGivenTwice() {
        var taken: Set<String> = []
        for _ in 0..<50 {
            #expect(taken.insert(UnitPort.name(ofUnit: "A B", bus: "Key", number: 1, unlike: taken)).inserted)
        }
        #expect(taken.contains("A-B_Key") && taken.contains("A-B-50_Key"))
    }
}
