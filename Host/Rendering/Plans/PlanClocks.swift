// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Counts the frames of each part of a graph in a cycle; parts may run at rates of their own. Render thread.

import AudioFormats
import CRealtimeShims
import Realtime

/// The clocks of a plan, and the cycle by each of them.
///
/// A clock counts `ceil(n · p / q)` frames until its base has counted n, or at the pace of a node that stretches time. The counts
/// telescope: the division of a stretch of time into cycles does not change the number of its frames.
struct PlanClocks: ~Copyable {
    private struct Row {
        let base: Int
        /// The clock's rate as a fraction of its base's.
        let numerator: Int64
        let denominator: Int64
        /// The pace in place of that rate.
        let pace: UnsafeMutablePointer<TimePaceCore>?
        let fadeFrameCount: Int
        let sampleRate: Double
    }

    let count: Int
    /// For each clock, the present cycle.
    let cycles: UnsafeMutablePointer<RenderCycle>
    private let rows: UnsafeMutablePointer<Row>
    /// For each clock, its time before a piece and the number of frames in it.
    private let times: UnsafeMutablePointer<(start: Int64, length: Int)>
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
        times = .allocate(capacity: count)
        times.initialize(repeating: (0, 0), count: count)
        inputs = .allocate(capacity: Self.mostChannels)
        outputs = .allocate(capacity: Self.mostChannels)
        for (index, clock) in graph.clocks.enumerated() {
            let (numerator, denominator) = Self.fraction(clock.sampleRate, graph.clocks[clock.base].sampleRate)
            (rows + index).initialize(
                to: Row(
                    base: clock.base, numerator: numerator, denominator: denominator, pace: clock.pace?.core,
                    fadeFrameCount: graph.frames(graph.fadeFrameCount, ofClock: index), sampleRate: clock.sampleRate))
        }
    }

    deinit {
        cycles.deallocate()
        rows.deallocate()
        times.deallocate()
        inputs.deallocate()
        outputs.deallocate()
    }

    /// The quotient of two rates, each rounded to a thousandth of a hertz.
    private static func fraction(_ rate: Double, _ base: Double) -> (Int64, Int64) {
        // Cannot trap: the engine has checked the rates.
        var (first, second) = (max(1, Int64((rate * 1000).rounded())), max(1, Int64((base * 1000).rounded())))
        let (numerator, denominator) = (first, second)
        while second != 0 { (first, second) = (second, first % second) }
        return (numerator / first, denominator / first)
    }

    /// The frames of a fade.
    @_noLocks func fadeFrameCount(_ clock: Int) -> Int { rows[clock].fadeFrameCount }

    /// Frames a second by the graph; the rate of a cycle is lower if a driver is slowed down.
    @_noLocks func sampleRate(_ clock: Int) -> Double { rows[clock].sampleRate }

    /// Takes the paces that were set, at the beginning of a driver's cycle.
    @_noLocks
    func takePaces() { for clock in 1..<max(1, count) { rows[clock].pace?.pointee.begin() } }

    /// The number of next frames that can be rendered at once; 0 if a clock counts too many in a single frame.
    @_noLocks
    func pieceFrameCount(from sampleTime: Int64, upTo frameCount: Int) -> Int {
        var piece = min(frameCount, maximumFrameCount)
        while piece > 0, !fits(from: sampleTime, piece) { piece /= 2 }
        return piece
    }

    /// True if no clock counts too many frames in a piece.
    @_noLocks
    private func fits(from sampleTime: Int64, _ frameCount: Int) -> Bool {
        measure(from: sampleTime, frameCount)
        for clock in 1..<max(1, count) where times[clock].length > maximumFrameCount { return false }
        return true
    }

    /// Finds the time of each clock before a piece, and the number of frames in it.
    @_noLocks
    private func measure(from sampleTime: Int64, _ frameCount: Int) {
        times[0] = (sampleTime, frameCount)
        for clock in 1..<max(1, count) {
            let (row, base) = (rows[clock], times[rows[clock].base])
            if let pace = row.pace {
                times[clock] = (pace.pointee.takenCount, pace.pointee.frames(base.length))
            } else {
                let start = CRealtimeShims_scaleUp(base.start, row.numerator, row.denominator)
                let end = CRealtimeShims_scaleUp(base.start &+ Int64(base.length), row.numerator, row.denominator)
                times[clock] = (start, Int(end &- start))
            }
        }
    }

    /// Makes the cycle of a piece that begins `start` frames into `whole`.
    @_noLocks
    func begin(
        _ whole: RenderCycle, from start: Int, _ frameCount: Int, renderStart: UInt64,
        _ transport: UnsafeMutablePointer<TransportCore>?
    ) {
        var cycle = whole
        cycle.sampleTime &+= Int64(start)
        cycle.renderStart = renderStart
        if start > 0 || frameCount < whole.frameCount {
            let seconds = Double(start) / max(1, whole.sampleRate)
            cycle.transport.beatPosition += seconds * whole.transport.tempo / 60
            // Cannot trap: less than a cycle.
            let nanoseconds = UInt64(seconds * 1e9)
            cycle.hostTime &+= whole.hostTime == 0 ? 0 : nanoseconds
            cycle.renderStart &+= nanoseconds
            cycle.inputs = Self.part(of: whole.inputs, from: start, frameCount, inputs)
            cycle.outputs = Self.part(of: whole.outputs, from: start, frameCount, outputs)
        }
        if let transport { cycle.transport = transport.pointee.transport(at: cycle.sampleTime, cycle.transport) }
        cycle.timing = DriverTiming(driverTime: cycle.sampleTime)
        cycles.initialize(to: cycle)
        measure(from: cycle.sampleTime, frameCount)
        for clock in 1..<max(1, count) {
            let row = rows[clock]
            var own = cycle
            own.sampleTime = times[clock].start
            own.sampleRate = cycles[row.base].sampleRate * Double(row.numerator) / Double(row.denominator)
            let length = times[clock].length
            own.timing.count(
                from: row.base == 0 && row.pace == nil ? nil : (cycle.sampleTime, times[clock].start),
                row.base == 0 && row.pace == nil ? (row.numerator, row.denominator) : (Int64(length), Int64(max(1, frameCount))))
            own.inputs = AudioBlock(channels: cycle.inputs.channels, channelCount: 0, frameCount: length)
            own.outputs = AudioBlock(channels: cycle.outputs.channels, channelCount: 0, frameCount: length)
            (own.furtherInputCount, own.furtherOutputCount) = (0, 0)
            (cycles + clock).initialize(to: own)
        }
        for clock in 1..<max(1, count) { _ = rows[clock].pace?.pointee.advance(times[rows[clock].base].length) }
    }

    /// Sets the times for the nodes of all clocks: reserved, and usual.
    @_noLocks
    func setTimes(reserved: UInt64, usual: UInt64) {
        for clock in 0..<count {
            cycles[clock].reservedNanoseconds = reserved
            cycles[clock].usualNanoseconds = usual
        }
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
    /// Converts frames of the driver's clock to another one; at least one, unless `count` is 0.
    func frames(_ count: Int, ofClock clock: Int) -> Int {
        guard clock > 0, count > 0 else { return count }
        return max(1, Int(nearestFrame: Double(count) * clocks[clock].sampleRate / clocks[0].sampleRate))
    }
}
