// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The test plug-in that breaks one rule at a time, as components, and the command that validates them. Test thread.

import AudioUnits
import ControlMessages
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Validation

@testable import PluginHosting

/// The units of the offender that `make debug` put beside the tests.
enum Offenders {
    /// The offences for which the offender has to be a bridge: only bridged units have a state of their own.
    static let bridged: Set = ["state-round-trip", "state-round-trip.order", "state-sound", "damaged-state"]

    private static let listing = Result<(bridge: Component, units: [ListedUnit]), any Error> {
        let bridges = ComponentRegistry(searchPath: [Build.testPluginFolder]).bridges
        let bridge = try #require(bridges.first { $0.name == "Offender" }, "there is no Offender: run make debug")
        let connection = try ExtensionConnection(executable: bridge.executablePath, confinement: nil)
        guard case .units(let listing) = try connection.ask(.listUnits(place: "")) else {
            throw TestFailure("The offender answered with something else.")
        }
        return (bridge, listing.units)
    }

    /// Every offence there is, by its name; "none" is among them.
    static var names: [String] { ((try? listing.get().units) ?? []).map { $0.locator[0] } }

    /// Only those that do nothing which confinement would keep them from are confined: most leave traces in /tmp for their
    /// later instances, and one a process.
    static func component(_ offence: String) throws -> Component {
        var component = try foundComponent(offence)
        if offence != "none", !offence.hasPrefix("render-thread") { component.profile = .off }
        return component
    }

    private static func foundComponent(_ offence: String) throws -> Component {
        let (bridge, units) = try listing.get()
        let unit = try #require(units.first { $0.locator == [offence] }, "there is no offence \(offence)")
        guard bridged.contains(offence) else { return try Component(bundlePath: try bundle(offence)) }
        return Component(unit, format: .native, bridge: bridge, consentsToInProcess: true)
    }

    /// A bundle whose library is the offender's under another name, which tells it what to do wrong.
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

/// Runs cases as the command does, in processes of their own.
func validate(
    _ components: [Component], cases: [String], seed: UInt64 = 7, timeLimitSeconds: Double = 20
) throws -> [UnitReport] {
    var plan = ValidationPlan(
        components: components, caseNames: cases, seed: seed, jobCount: 2, timeLimitSeconds: timeLimitSeconds)
    plan.executable = Build.command
    let reports = try Validator(plan).run { _, _ in true }
    return components.compactMap { component in reports.first { $0.id == component.id } }
}

/// What the offender leaves in /tmp for its own later instances.
func removeTracks() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? []
    for name in names where name.hasPrefix("bulkhead-offender-") { unlink("/tmp/\(name)") }
}
