// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Shares all processors among a pipeline's units offline: none is idle while a unit waits for another. Render thread.

import Realtime

extension RowCore {
    /// The number of blocks before a unit is bound to a processor.
    ///
    /// Threads that the unit starts with its first blocks may then run anywhere.
    private static var unboundCount: UInt64 { @_noLocks get { 4 } }

    /// Binds a unit that is about to be asked for a block to the processor with the fewest working units.
    @_noLocks
    mutating func assign(_ index: Int) {
        guard deadline.isOffline, shares.count > 0, units[index].pointee.sequence >= Self.unboundCount else { return }
        units[index].pointee.turn = shares.nextTurn()
        countWorkers(except: index)
        move(index, to: shares.best(for: units[index].pointee.share))
    }

    /// Moves units from processors with several units to idle ones; true if it has moved any.
    @_noLocks
    func level() -> Bool {
        guard deadline.isOffline, shares.count > 0 else { return false }
        var hasMoved = false
        countWorkers()
        // The moves are limited, in case the units change their state meanwhile.
        for _ in 0..<shares.count {
            guard let (idle, crowded) = shares.imbalance, let index = lastAsked(on: crowded), move(index, to: idle) else { break }
            hasMoved = true
            countWorkers()
        }
        return hasMoved
    }

    /// The unit that was asked last, which is the least likely to have begun.
    @_noLocks
    private func lastAsked(on share: ProcessorShares.Share) -> Int? {
        var last: Int?
        for index in 0..<unitCount where units[index].pointee.share == share && !isAnswered(index) {
            if let last, units[last].pointee.turn > units[index].pointee.turn { continue }
            last = index
        }
        return last
    }

    @_noLocks
    private func countWorkers(except other: Int = -1) {
        shares.clear()
        for index in 0..<unitCount where index != other && !isAnswered(index) {
            shares.add(units[index].pointee.share, isAwaited: isWaitedFor(index))
        }
    }

    /// Moves the unit to a processor; true if it runs there now.
    @discardableResult @_noLocks
    private func move(_ index: Int, to share: ProcessorShares.Share) -> Bool {
        if share == units[index].pointee.share { return true }
        // Offline there is no deadline, and this thread may wait for the scheduler.
        RealtimeRegion.exit()
        defer { RealtimeRegion.enter() }
        guard units[index].pointee.sharedState.pointee.threadPlacement.lend(shares.processor(of: share)) else { return false }
        units[index].pointee.share = share
        return true
    }
}
