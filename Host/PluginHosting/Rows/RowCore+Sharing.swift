// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Offline the units of a pipeline share all processors: none is idle while a unit waits for another. Render thread.

import Realtime

extension RowCore {
    /// The blocks after which a unit is bound.
    ///
    /// Threads that it starts when it begins to render may then run anywhere.
    private static var unboundCount: UInt64 { @_noLocks get { 4 } }

    /// Binds a unit that is about to be asked for a block to the processor with the fewest at work.
    @_noLocks
    mutating func assign(_ index: Int) {
        guard deadline.isOffline, shares.count > 0, units[index].pointee.sequence >= Self.unboundCount else { return }
        units[index].pointee.turn = shares.nextTurn()
        countWorkers(except: index)
        move(index, to: shares.best(for: units[index].pointee.share))
    }

    /// Moves units from processors with several to idle ones; whether it has moved any.
    @_noLocks
    func level() -> Bool {
        guard deadline.isOffline, shares.count > 0 else { return false }
        var hasMoved = false
        countWorkers()
        // A bound on the moves, whatever the units store meanwhile.
        for _ in 0..<shares.count {
            guard let (idle, crowded) = shares.imbalance, let index = lastAsked(on: crowded), move(index, to: idle) else { break }
            hasMoved = true
            countWorkers()
        }
        return hasMoved
    }

    /// The unit that was asked last: it is the least likely to have begun.
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

    /// Moves the unit to a processor; whether it runs there now.
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
