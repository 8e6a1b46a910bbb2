// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Chains of several units, as an engine makes them of the units of a row. Test thread.

import PluginHosting

extension UnitChain {
    /// Connects `links` in their order: each unit allocates alone, and they hand over to each other from the first block on.
    ///
    /// One unit is a chain by itself. Throws when a unit refuses the format or fails to allocate.
    package static func connecting(
        _ links: [ChainLink], format: ChainFormat, policy: ChainPolicy = ChainPolicy()
    ) throws(HostingError) -> UnitChain {
        let supervisor = try Supervisor()
        var chains: [UnitChain] = []
        for link in links { chains.append(try UnitChain(link, format: format, policy: policy, supervisor: supervisor)) }
        guard chains.count > 1 else { return chains[0] }
        let row = try UnitChain(row: chains)
        row.take()
        row.wire()
        return row
    }
}
