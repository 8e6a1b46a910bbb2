// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A unit of a chain as one line of the display. Main thread.

import Console
import PluginHosting
import Rendering

/// The line of a unit.
struct UnitLine {
    private let name, place, load: String
    private let state, troubles: StyledText

    init(_ member: UnitResources, _ status: DriverStatus) {
        name = Self.shortened(member.unit.name)
        state = Self.state(of: member)
        place = member.unit.processIdentifier.map { "process \($0)" } ?? "in the host"
        let period = Double(status.quantum) / max(1, status.sampleRate) * 1e9
        load = Decimal.text(Double(member.renderNanoseconds) / max(1, period) * 100, 1)
        let isLoose = member.unit.component.profile == .off && member.unit.isolation == .outOfProcess
        troubles = (isLoose ? "  \(StyledText.red("not confined"))" : "") + Self.troubles(of: member)
    }

    /// The line of a unit, which may have been left out because it refuses the rate.
    static func text(of unit: PluginUnit, _ status: DriverStatus) -> StyledText {
        if let member = unit.resources { return UnitLine(member, status).text }
        return "  \(shortened(unit.name).padded(to: 14)) \(StyledText.red("left out"))"
    }

    private static func shortened(_ name: String) -> String { name.count > 14 ? name.prefix(13) + "…" : name }

    var text: StyledText {
        "  \(name.padded(to: 14)) \(state) \(place.padded(to: 15)) load \(load.padded(toRight: 5)) %\(troubles)"
    }

    private static func state(of member: UnitResources) -> StyledText {
        if member.isQuarantined { return StyledText.red("quarantined".padded(to: 10)) }
        if member.isPresent, member.isBypassed { return StyledText("bypassed".padded(to: 10)) }
        let state = (member.isPresent ? "running" : "restarting").padded(to: 10)
        return member.isPresent ? StyledText.green(state) : StyledText.red(state)
    }

    private static func troubles(of member: UnitResources) -> StyledText {
        let late = member.faults.records.count { $0.fault == .late || $0.fault == .stopped }
        let counts = [
            ("restarts", member.faults.restarts), ("late", late), ("invalid", Int(clamping: member.invalidBlockCount)),
        ].filter { $0.1 > 0 }
        return StyledText(counts.map { "  \($0.0) \($0.1)" }.joined())
    }
}
