// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that breaks one rule at a time: units for each offence of the list. Control thread.

import CFaults
import PluginSDK

/// One executable, one unit for each offence; the locator names it.
enum OffenderBridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "offn", "test"), name: "Offender", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing {
        UnitListing(
            units: Offence.allCases.map { ListedUnit(locator: [$0.rawValue], description: OffenderUnit.description(of: $0)) })
    }

    static func unit(at locator: [String]) throws(UnitError) -> any BridgedUnit {
        guard locator.count == 1, let offence = Offence(rawValue: locator[0]) else { throw .failed("there is no such offence") }
        return OffenderUnit(offence)
    }
}

/// A unit that commits one offence.
final class OffenderUnit: BridgedUnit {
    let offence: Offence
    let description: UnitDescription
    let parameters: ParameterTree
    /// What it keeps beside its parameters: eight bytes, different in each new unit.
    private var custom: [UInt8]
    private static let customByteCount = 8
    private var hasBeenRestored = false

    init(_ offence: Offence) {
        self.offence = offence
        description = Self.description(of: offence)
        let isThird = offence == .opening && CFaults_countOpening() >= 3
        parameters = ParameterTree(
            Parameter("amount", name: isThird ? "Quantity" : "Amount", address: 1, range: 0...1, default: 0.5),
            Parameter(
                "colour", name: "Colour", address: 2, range: 0...10, default: offence == .parameters ? 3.5 : 3, flags: [.integer]),
            Parameter("mode", name: "Mode", address: 3, choices: ["soft", "hard", "wild"]))
        custom = (0..<Self.customByteCount).map { _ in UInt8.random(in: 0...255) }
        if offence == .hostLeaks { CFaults_leaveProcess() }
    }

    static func description(of offence: Offence) -> UnitDescription {
        UnitDescription(
            ComponentDescription(.effect, "offn", "test"), classicIdentifier: "offender:\(offence.rawValue)",
            name: "Offender: \(offence.rawValue)", manufacturerName: "Bulkhead Tests", version: UnitVersion(1, 0, 0),
            tags: ["Test"],
            flags: offence == .midi || offence == .none ? [.consentsToInProcess, .midiInput] : .consentsToInProcess,
            inputs: [Bus(offence == .metadata ? "" : "Input", supportedChannelCounts: [1, 2])],
            outputs: [Bus("Output", supportedChannelCounts: [1, 2])])
    }

    let factoryPresets = [FactoryPreset("Little", ["amount": 0.25]), FactoryPreset("Odd", ["amount": 0.123456789, "colour": 7])]

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox {
        KernelBox.holding(try OffenderKernel(offence, setup, hasBeenRestored: hasBeenRestored))
    }

    func saveCustomState() throws(UnitError) -> [UInt8] { custom }

    func restoreCustomState(_ bytes: [UInt8]) throws(UnitError) {
        if offence == .damagedState, !bytes.isEmpty, bytes.count != Self.customByteCount { CFaults_crash() }
        if offence == .stateRoundTrip, CFaults_isRendering() != 0 { return }
        custom = bytes
        hasBeenRestored = true
    }
}

@c(bulkhead_plugin) public func plugin() -> UnsafeRawPointer { OffenderBridge.exported }
