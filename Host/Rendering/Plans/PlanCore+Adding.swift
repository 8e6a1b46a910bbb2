// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Adds the signal of a connection to a bus: delayed, faded, at its level, in the channels of the bus. Render thread.

import Realtime

extension PlanCore {
    /// Adds the signal of a connection whose targets are set.
    ///
    /// The first signal that is not silent is written. Zero is added to it, so that leaving out a silent signal changes no bit.
    @_noLocks
    func add(_ edge: Edge, to bus: UnsafeMutablePointer<BusAudio>, sum: UnsafeMutableRawPointer?, _ clock: Int) {
        if let processor = edge.processor { return process(edge, with: processor, to: bus, sum: sum, clock) }
        let block = bus.pointee.block
        let frameCount = block.frameCount
        let state = edge.core
        guard let source = delayed(edge, tables.signals[edge.source], frameCount, clocks.fadeFrameCount(clock)) else {
            state.pointee.advance(by: frameCount)
            return state.pointee.publish()
        }
        let isWritten = bus.pointee.isSilent && coversAll(edge, block)
        if bus.pointee.isSilent, !isWritten { block.silence() }
        if state.pointee.isSteady {
            addSteady(edge, source, block, isWritten: isWritten)
        } else {
            addMoving(edge, source, block, isWritten: isWritten)
        }
        bus.pointee.isSilent = false
        state.pointee.publish()
    }

    /// True if the connection writes every channel of the bus exactly once.
    @_noLocks
    private func coversAll(_ edge: Edge, _ block: AudioBlock) -> Bool {
        guard edge.routeCount == block.channelCount else { return false }
        for index in 0..<edge.routeCount where tables.routes[edge.firstRoute &+ index].destination != index { return false }
        return true
    }

    /// The signal on the connection; nil if it is inaudible.
    @_noLocks
    func delayed(_ edge: Edge, _ source: BusAudio, _ frameCount: Int, _ fadeFrameCount: Int) -> AudioBlock? {
        let state = edge.core
        let isIdle = state.pointee.line.isIdle(edge.delayFrameCount)
        if isIdle || edge.memory == nil {
            return source.isSilent || state.pointee.hasFadedOut ? nil : source.block
        }
        guard let memory = edge.memory else { return nil }
        // On a connection that has not been heard yet, the delay takes effect at once.
        if fadeFrameCount == 0 || state.pointee.isUnheard, !state.pointee.line.delays(edge.delayFrameCount) {
            state.pointee.begin(delayedBy: edge.delayFrameCount)
        }
        let delayed = AudioBlock(
            channels: tables.delayedChannels, channelCount: source.block.channelCount, frameCount: frameCount)
        state.pointee.line.process(
            source, into: delayed, delayedBy: edge.delayFrameCount, memory, fadeFrameCount: max(1, fadeFrameCount))
        return delayed
    }

    @_noLocks
    private func addSteady(_ edge: Edge, _ source: AudioBlock, _ block: AudioBlock, isWritten: Bool) {
        for index in 0..<edge.routeCount {
            let route = tables.routes[edge.firstRoute &+ index]
            guard route.source < source.channelCount else { continue }
            let gain = route.gain * edge.core.pointee.gain(route.side)
            let (from, to) = (source[route.source], block[route.destination])
            if isWritten {
                for frame in 0..<block.frameCount { to[frame] = from[frame] * gain + 0 }
            } else {
                for frame in 0..<block.frameCount { to[frame] += from[frame] * gain }
            }
        }
    }

    @_noLocks
    private func addMoving(_ edge: Edge, _ source: AudioBlock, _ block: AudioBlock, isWritten: Bool) {
        let (left, right) = (tables.gains, tables.gains + maximumFrameCount)
        for frame in 0..<block.frameCount {
            let fade = edge.core.pointee.nextFade()
            left[frame] = fade * edge.core.pointee.left.next()
            right[frame] = fade * edge.core.pointee.right.next()
        }
        for index in 0..<edge.routeCount {
            let route = tables.routes[edge.firstRoute &+ index]
            guard route.source < source.channelCount else { continue }
            let (from, to) = (source[route.source], block[route.destination])
            for frame in 0..<block.frameCount {
                let gain =
                    switch route.side {
                    case .left: left[frame]
                    case .right: right[frame]
                    case .neither: max(left[frame], right[frame])
                    }
                let sample = from[frame] * (route.gain * gain)
                to[frame] = isWritten ? sample + 0 : to[frame] + sample
            }
        }
    }
}

// MARK: - Time

extension PlanCore {
    /// The nanoseconds that the rest of a cycle usually takes.
    ///
    /// `together` counts the groups that begin together and are not completed yet. `later` counts the groups from `end` on.
    struct Shares {
        var together: UInt64 = 0
        var later: UInt64 = 0
        var end = 0
    }

    /// The shares before the first group.
    var shares: Shares {
        @_noLocks get {
            var shares = Shares()
            for index in 0..<tables.groupCount { shares.later &+= tables.usualNanoseconds[index].pointee }
            return shares
        }
    }

    /// Moves on to the next group that has not begun, and to the groups that begin together with it.
    @_noLocks
    func goOn(_ shares: inout Shares) {
        let first = shares.end
        shares.end = tables.groups[first].next
        shares.together = 0
        for index in first..<shares.end { shares.together &+= tables.usualNanoseconds[index].pointee }
        shares.later &-= shares.together
    }

    /// The beginning of the driver's cycle: its next one is due one length later.
    ///
    /// A cycle that began late still keeps at least three quarters of its length.
    @_noLocks
    static func start(of cycle: RenderCycle, now: UInt64) -> UInt64 {
        guard !cycle.isOffline, cycle.hostTime != 0, cycle.hostTime < now, cycle.sampleRate > 0 else { return now }
        let length = UInt64(Double(cycle.frameCount) / cycle.sampleRate * 1e9)
        return max(cycle.hostTime, now &- min(now, length / 4))
    }

    /// Adds a group's time to a mean over some sixteen cycles.
    ///
    /// A time counts as at most about twice the usual one. One long wait is no reason for other groups to wait less from then on.
    @_noLocks
    func learn(_ index: Int, _ nanoseconds: UInt64) {
        let usual = tables.usualNanoseconds[index].pointee
        let counted = min(nanoseconds, 2 &* usual &+ 20_000)
        tables.usualNanoseconds[index].pointee = usual &- usual / 16 &+ counted / 16
    }
}
