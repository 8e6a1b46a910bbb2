// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The test plug-in that breaks one rule at a time, as components, and the validation of them. Test thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Validation

@testable import PluginHosting

/// The units of the Offender, which `make debug` builds beside the tests.
enum Offenders {
    /// The offences that need a bridge: only bridged units have a private state.
    static let bridged: Set = ["state-round-trip", "state-round-trip.order", "state-sound", "damaged-state"]

    private static let listing = Result<(bridge: Component, units: [ListedUnit]), any Error> {
        let bridges = ComponentRegistry(searchPath: [Build.testPluginFolder]).bridges
        let bridge = try #require(bridges.first { $0.name == "Offender" }, "there is no Offender: run make debug")
        let connection = try ExtensionConnection(executable: bridge.executablePath, confinement: nil)
        guard case .units(let listing) = try connection.ask(.listUnits(location: "")) else {
            throw TestFailure("The offender answered with something else.")
        }
        return (bridge, listing.units)
    }

    /// The names of all offences, "none" included.
    static var names: [String] { ((try? listing.get().units) ?? []).map { $0.locator[0] } }

    /// The component of an offence.
    ///
    /// Only offences that confinement would not prevent are confined: most leave files in /tmp for their later instances, and one
    /// starts a process.
    static func component(_ offence: String) throws -> Component {
        var component = try foundComponent(offence)
        if offence != "none", !offence.hasPrefix("render-thread") { component.profile = .off }
        return component
    }

    private static func foundComponent(_ offence: String) throws -> Component {
        let (bridge, units) = try listing.get()
        let unit = try #require(units.first { $0.locator == [offence] }, "there is no offence \(offence)")
        let isBridged = bridged.contains(offence)
        var component =
            isBridged ? Component(unit, format: .native, bridge: bridge) : try Component(bundlePath: try bundle(offence))
        component.isTrusted = true
        return component
    }

    /// Makes a bundle whose library is the Offender's under another name.
    ///
    /// The name selects the offence.
    private static func bundle(_ offence: String) throws -> String {
        let target = Build.testPluginFolder + "/Offences"
        let library = "\(target)/libOffender-\(offence).so"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        unlink(library)
        try FileManager.default.createSymbolicLink(atPath: library, withDestinationPath: Build.folder + "/libOffender.so")
        return try BundleWriter.write(plugin: library, launcher: Build.folder + "/bulkhead-extension", folder: target)
    }

    static func effect(_ name: String) throws -> Component {
        try ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder]).component(named: name)
    }
}

/// Runs cases as the command does, each in a process of its own.
func validate(
    _ components: [Component], cases: [String], seed: UInt64 = 7, timeLimitSeconds: Double = 20
) throws -> [UnitReport] {
    var plan = ValidationPlan(
        components: components, caseNames: cases, seed: seed, jobCount: 2, timeLimitSeconds: timeLimitSeconds)
    plan.executable = Build.command
    let reports = try Validator(plan).run { _, _ in true }
    return components.compactMap { component in reports.first { $0.id == component.id } }
}

/// Removes the files that the Offender left in /tmp for its own later instances.
func removeTracks() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    for name in names where name.hasPrefix("bulkhead-offender-") { unlink("/tmp/\(name)") }
}
