// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chains of several units, as an engine makes them of the units of a row. Test thread.

import PluginHosting

extension UnitRow {
    /// Connects `links` in their order: each unit allocates alone, and they hand over to each other from the first block on.
    ///
    /// One unit is a row by itself. Throws when a unit refuses the format or fails to allocate.
    package static func connecting(
        _ links: [UnitAllocation], format: BlockFormat, policy: UnitPolicy = UnitPolicy()
    ) throws(HostingError) -> UnitRow {
        let supervisor = try Supervisor()
        var rows: [UnitRow] = []
        for link in links { rows.append(try UnitRow(link, format: format, policy: policy, supervisor: supervisor)) }
        guard rows.count > 1 else { return rows[0] }
        let row = try UnitRow(row: rows)
        row.take()
        row.wire()
        return row
    }
}
