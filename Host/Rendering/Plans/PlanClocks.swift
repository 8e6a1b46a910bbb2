// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How many frames each part of a graph renders in a cycle, where parts run at rates of their own. Render thread.

import CRealtimeShims
import Realtime

/// The clocks of a plan, and the cycle as each of them sees it.
///
/// A clock counts `ceil(n · p / q)` frames until the driver has counted n. The counts telescope: how a stretch of time is cut into cycles does
/// not change how many frames lie in it.
struct PlanClocks: ~Copyable {
    private struct Row {
        /// The clock's rate as a fraction of the driver's.
        let numerator: Int64
        let denominator: Int64
        let fadeFrameCount: Int
    }

    let count: Int
    /// For each clock, the cycle that is rendered.
    let cycles: UnsafeMutablePointer<RenderCycle>
    private let rows: UnsafeMutablePointer<Row>
    private let maximumFrameCount: Int
    /// The driver's blocks from the first frame of a piece on.
    private let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    private static var mostChannels: Int { @_noLocks get { 256 } }

    init(_ graph: RenderGraph) {
        count = graph.clocks.count
        maximumFrameCount = graph.maximumFrameCount
        cycles = .allocate(capacity: count)
        rows = .allocate(capacity: count)
        inputs = .allocate(capacity: Self.mostChannels)
        outputs = .allocate(capacity: Self.mostChannels)
        let base = graph.clocks[0].sampleRate
        for (index, clock) in graph.clocks.enumerated() {
            let (numerator, denominator) = Self.fraction(clock.sampleRate, base)
            (rows + index).initialize(
                to: Row(
                    numerator: numerator, denominator: denominator,
                    fadeFrameCount: graph.frames(graph.fadeFrameCount, ofClock: index)))
        }
    }

    deinit {
        cycles.deallocate()
        rows.deallocate()
        inputs.deallocate()
        outputs.deallocate()
    }

    /// The quotient of two rates, which are taken as they are to a thousandth of a hertz.
    private static func fraction(_ rate: Double, _ base: Double) -> (Int64, Int64) {
        var (first, second) = (max(1, Int64((rate * 1000).rounded())), max(1, Int64((base * 1000).rounded())))
        let (numerator, denominator) = (first, second)
        while second != 0 { (first, second) = (second, first % second) }
        return (numerator / first, denominator / first)
    }

    /// The frames of a fade.
    @_noLocks func fadeFrameCount(_ clock: Int) -> Int { rows[clock].fadeFrameCount }

    /// How many of the next frames can be rendered at once.
    @_noLocks
    func pieceFrameCount(from sampleTime: Int64, upTo frameCount: Int) -> Int {
        var piece = min(frameCount, maximumFrameCount)
        for clock in 1..<max(1, count) {
            while piece > 1, frames(clock, from: sampleTime, piece) > maximumFrameCount { piece /= 2 }
        }
        return piece
    }

    /// Makes the cycle of a piece that begins `start` frames into `whole`.
    @_noLocks
    func begin(
        _ whole: RenderCycle, from start: Int, _ frameCount: Int, renderStart: UInt64, _ transport: UnsafeMutablePointer<TransportCore>?
    ) {
        var cycle = whole
        cycle.sampleTime &+= Int64(start)
        cycle.renderStart = renderStart
        if start > 0 || frameCount < whole.frameCount {
            let seconds = Double(start) / max(1, whole.sampleRate)
            cycle.transport.beatPosition += seconds * whole.transport.tempo / 60
            let nanoseconds = UInt64(seconds * 1e9)
            cycle.hostTime &+= whole.hostTime == 0 ? 0 : nanoseconds
            cycle.renderStart &+= nanoseconds
            cycle.inputs = Self.part(of: whole.inputs, from: start, frameCount, inputs)
            cycle.outputs = Self.part(of: whole.outputs, from: start, frameCount, outputs)
        }
        if let transport { cycle.transport = transport.pointee.transport(at: cycle.sampleTime, cycle.transport) }
        cycles.initialize(to: cycle)
        for clock in 1..<max(1, count) {
            var own = cycle
            own.sampleTime = time(clock, at: cycle.sampleTime)
            own.sampleRate = cycle.sampleRate * Double(rows[clock].numerator) / Double(rows[clock].denominator)
            let length = Int(time(clock, at: cycle.sampleTime &+ Int64(frameCount)) &- own.sampleTime)
            own.inputs = AudioBlock(channels: cycle.inputs.channels, channelCount: 0, frameCount: length)
            own.outputs = AudioBlock(channels: cycle.outputs.channels, channelCount: 0, frameCount: length)
            (cycles + clock).initialize(to: own)
        }
    }

    /// Tells the nodes of all clocks what time there is.
    @_noLocks
    func setTimes(reserved: UInt64, usual: UInt64) {
        for clock in 0..<count {
            cycles[clock].reservedNanoseconds = reserved
            cycles[clock].usualNanoseconds = usual
        }
    }

    @_noLocks
    private func frames(_ clock: Int, from sampleTime: Int64, _ frameCount: Int) -> Int64 {
        time(clock, at: sampleTime &+ Int64(frameCount)) &- time(clock, at: sampleTime)
    }

    /// The frames that a clock has counted when the driver has counted `sampleTime`.
    @_noLocks
    private func time(_ clock: Int, at sampleTime: Int64) -> Int64 {
        CRealtimeShims_scaleUp(sampleTime, rows[clock].numerator, rows[clock].denominator)
    }

    @_noLocks
    private static func part(
        of block: AudioBlock, from start: Int, _ frameCount: Int, _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    ) -> AudioBlock {
        let channelCount = min(block.channelCount, mostChannels)
        for channel in 0..<channelCount { (pointers + channel).initialize(to: block[channel] + start) }
        return AudioBlock(channels: UnsafePointer(pointers), channelCount: channelCount, frameCount: frameCount)
    }
}

extension RenderGraph {
    /// Frames of the driver's clock as frames of another one; at least one, where there are any.
    func frames(_ count: Int, ofClock clock: Int) -> Int {
        guard clock > 0, count > 0 else { return count }
        return max(1, Int((Double(count) * clocks[clock].sampleRate / clocks[0].sampleRate).rounded()))
    }
}
