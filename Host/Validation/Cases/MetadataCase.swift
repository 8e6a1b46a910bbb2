// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit's metadata except its parameters. Thread of the case.

import AudioUnits
import PluginHosting

struct MetadataCase: ValidationCase {
    static let name = "metadata"
    static let summary = "its names, version, buses and tags are sane, and agree with the registry's"

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        checkNames(unit, trial)
        checkBuses(unit.description, trial)
        checkAgreement(unit, trial)
        if let channels = unit.chainChannelCount {
            trial.fact("channels", Double(channels))
        } else {
            trial.warn("Its buses take no equal number of channels in and out, so that no chain can hold it.")
        }
    }

    private static func checkNames(_ unit: HostedUnit, _ trial: Trial) {
        let description = unit.description
        for (what, name) in [("name", description.name), ("maker's name", description.manufacturerName)] {
            if let defect = Names.defect(name) { trial.fail("Its \(what) \(defect).") }
        }
        for tag in description.tags { if let defect = Names.defect(tag) { trial.fail("One of its tags \(defect).") } }
        if let twice = Names.firstTwice(description.tags) { trial.warn("It has the tag \"\(twice)\" twice.") }
        if description.version.rawValue == 0 { trial.remark("Its version is 0.0.0.") }
        for text in unit.texts { if let defect = Names.defect(text.name) { trial.fail("The name of one of its texts \(defect).") } }
    }

    private static func checkBuses(_ description: UnitDescription, _ trial: Trial) {
        for (direction, buses) in [("input", description.inputs), ("output", description.outputs)] {
            for (index, bus) in buses.enumerated() {
                if let defect = Names.defect(bus.name) { trial.fail("The name of its \(direction) \(index + 1) \(defect).") }
                if !bus.supports(bus.defaultFormat) {
                    trial.fail(
                        "Its \(direction) \"\(bus.name)\" does not take the \(bus.defaultFormat.channelCount) channels it prefers.")
                }
            }
            if let twice = Names.firstTwice(buses.map(\.name)) { trial.warn("Two of its \(direction)s are called \"\(twice)\".") }
        }
        if description.outputs.isEmpty, !description.flags.contains(.midiOutput) { trial.warn("It has no output.") }
        if description.inputs.isEmpty, description.component.type == ComponentType.effect.code {
            trial.fail("It calls itself an effect, and has no input.")
        }
    }

    private static func checkAgreement(_ unit: HostedUnit, _ trial: Trial) {
        let (component, description) = (unit.component, unit.description)
        let pairs = [
            ("name", component.name, description.name),
            ("maker", component.manufacturerName, description.manufacturerName),
            ("version", component.version.description, description.version.description),
        ]
        for (what, registered, said) in pairs where registered != said {
            trial.fail("The registry has \"\(registered)\" for its \(what), and it says \"\(said)\".")
        }
    }
}

/// Checks of names that users read.
enum Names {
    /// The defect of a name, as a phrase after "The name …"; nil for a good name.
    static func defect(_ name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return "holds control characters" }
        if name.first?.isWhitespace == true || name.last?.isWhitespace == true { return "\"\(name)\" has spaces around it" }
        return nil
    }

    /// The first name that occurs a second time.
    static func firstTwice(_ names: [String]) -> String? {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }
    }
}
