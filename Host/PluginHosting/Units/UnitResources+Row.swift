// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The row that renders a unit at present: its monitor, the unit's wiring, and possible successors. Control threads.

import Synchronization
import Wire

extension UnitResources {
    /// The monitor of the row that renders the unit.
    var monitor: RowMonitor {
        get { currentMonitors.withLock { $0.present } }
        set { currentMonitors.withLock { $0 = (newValue, $0.present) } }
    }

    /// The monitors of the doorbells on which the render thread may await the unit.
    ///
    /// They are those of the present row, of the row before, which may still be rendered, and of the allocation.
    var monitors: [RowMonitor] {
        let (present, former) = currentMonitors.withLock { $0 }
        var all = [present]
        if let former, former !== present { all.append(former) }
        if !all.contains(where: { $0 === home }) { all.append(home) }
        return all
    }

    /// The wiring of the unit in its row; nil in a row of one.
    var target: RowWiring.Target? {
        get { currentTarget.withLock { $0 } }
        set { currentTarget.withLock { $0 = newValue } }
    }

    /// True if the unit has taken or refused the wiring of its row.
    var isWired: Bool {
        guard let target else { return false }
        return RowWiring.row(sharedState.pointee.rowWiring.load(ordering: .relaxed)) == target.row
    }

    /// True if the unit renders with the wiring of its row: its predecessor rings it, and it rings its successor.
    package var handsOver: Bool { isWired && sharedState.pointee.wiring.load(ordering: .relaxed) != 0 }

    /// True if the unit must be asked to take the wiring of its row.
    var wantsWiring: Bool { target != nil && isPresent && !isWired }

    /// True if another unit can follow this one in a row.
    package func canLead(to other: UnitResources) -> Bool {
        // Further inputs of a row's later units stay unconnected.
        outputChannelCounts.first == other.format.channelCount && format.equalsButForChannels(other.format)
            && supervisor === other.supervisor && other.wiring.sideInputs.allSatisfy { $0 == 0 }
    }
}
