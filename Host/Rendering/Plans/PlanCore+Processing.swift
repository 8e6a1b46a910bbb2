// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes the processor of a connection add its source to a bus, or to the sum of a node. Render thread.

import Realtime

extension PlanCore {
    /// Calls the processor of a connection whose targets are set.
    ///
    /// It is not inlined: connections without a processor, which are most of them, pay nothing for it.
    @inline(never) @_noLocks
    func process(
        _ edge: Edge, with processor: ConnectionFunction, to bus: UnsafeMutablePointer<BusAudio>, sum: UnsafeMutableRawPointer?,
        _ clock: Int
    ) {
        let (state, source, frameCount) = (edge.core, tables.signals[edge.source], bus.pointee.block.frameCount)
        // A connection with a processor has it.
        guard let ringing = state.pointee.ringing else { return }
        var input = silence(source.block.channelCount, frameCount)
        if let block = delayed(edge, source, frameCount, clocks.fadeFrameCount(clock)) { input = BusAudio(block: block) }
        let gain = state.pointee.levelledFade
        let isMoving = !state.pointee.isSteady
        if isMoving { writeGains(state, frameCount) }
        connectionCall.initialize(
            to: ConnectionCall(
                cycle: clocks.cycles + clock, sampleRate: clocks.sampleRate(clock), glideFrameCount: glideFrameCount(clock),
                input: input, gain: gain, gains: isMoving ? UnsafePointer(tables.gains) : nil,
                isUnheard: state.pointee.isUnheard, hasFadedOut: state.pointee.hasFadedOut, output: bus, sum: sum,
                isRinging: ringing, routes: tables.routes(of: edge), scratch: tables.scratch,
                scratchFrameCount: maximumFrameCount))
        processor.process(connectionCall)
        state.pointee.publish()
    }

    /// Writes the product of fade and volume at each frame, and moves both on.
    @_noLocks
    private func writeGains(_ state: UnsafeMutablePointer<ConnectionCore>, _ frameCount: Int) {
        for frame in 0..<frameCount { tables.gains[frame] = state.pointee.nextFade() * state.pointee.left.next() }
    }
}
