// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The offender as a bridge, for the offences that need a state of their own. Control thread.

import CFaults
import PluginSDK

/// A bridge with a unit for each offence; the locator names one.
enum OffenderBridge: Bridge {
    static let description = UnitDescription(
        ComponentDescription(.bridge, "offn", "test"), name: "Offender", manufacturerName: "Bulkhead Tests",
        version: UnitVersion(1, 0, 0), flags: .consentsToInProcess, inputs: [], outputs: [], channelCountsMatch: false)

    static func units(at place: String) throws(UnitError) -> UnitListing {
        UnitListing(
            units: Offence.allCases.map { offence in
                var description = OffenderKernel.description(of: offence)
                description.classicIdentifier = "offender:\(offence.rawValue)"
                return ListedUnit(locator: [offence.rawValue], description: description)
            })
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
    let factoryPresets = OffenderKernel.factoryPresets
    /// What it keeps beside its parameters: eight bytes, different in each new unit.
    private var custom: [UInt8]
    private static let customByteCount = 8
    private var hasBeenRestored = false

    init(_ offence: Offence) {
        self.offence = offence
        var description = OffenderKernel.description(of: offence)
        description.classicIdentifier = "offender:\(offence.rawValue)"
        self.description = description
        parameters = OffenderKernel.parameters(of: offence)
        custom = (0..<Self.customByteCount).map { _ in UInt8.random(in: 0...255) }
    }

    func makeKernel(_ setup: RenderSetup) throws(UnitError) -> KernelBox {
        KernelBox.holding(try OffenderKernel(offence, setup, hasBeenRestored: hasBeenRestored))
    }

    func saveCustomState() throws(UnitError) -> [UInt8] { custom }

    func restoreCustomState(_ bytes: [UInt8]) throws(UnitError) {
        if offence == .damagedState, !bytes.isEmpty, bytes.count != Self.customByteCount { CFaults_crash() }
        if offence == .stateRoundTrip, CFaults_isRendering() != 0 { return }
        custom = offence == .reversesState && CFaults_isRendering() != 0 ? bytes.reversed() : bytes
        hasBeenRestored = true
    }
}
