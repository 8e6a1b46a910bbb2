// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Units with render resources of their own and the row of them, as an engine makes rows. Test thread.

import PluginHosting

/// A row of units whose resources are taken back with this object.
///
/// Nothing may render the row any more by then.
package final class AllocatedRow: Sendable {
    /// The row.
    package let row: UnitRow

    /// Lets each unit allocate alone; they hand over to each other from the first block on.
    ///
    /// Throws when a unit refuses the format or fails to allocate.
    package init(
        _ units: [BenchUnit], format: BlockFormat, policy: UnitPolicy = UnitPolicy()
    ) throws(HostingError) {
        let options = AllocationOptions(policy: policy, supervisor: try Supervisor())
        var members: [UnitResources] = []
        do throws(HostingError) {
            for unit in units { members.append(try unit.allocate(format, options)) }
            row = members.count > 1 ? try UnitRow(members) : UnitRow(members[0])
        } catch {
            members.forEach { $0.takeBack() }
            throw error
        }
        row.take()
        row.wire()
    }

    deinit {
        UnitResources.leave(row.members)
        row.members.forEach { $0.takeBack() }
    }
}

extension BenchUnit {
    /// The unit's render resources, with a supervisor that looks after it.
    fileprivate func allocate(_ format: BlockFormat, _ options: AllocationOptions) throws(HostingError) -> UnitResources {
        var (format, options) = (format, options)
        (format.sideInputs, options.lanes) = (sideInputs, automation)
        let resources = try UnitResources(unit, format: format, fallback: fallback, isBypassed: isBypassed, options: options)
        try resources.join()
        return resources
    }
}
