// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a source faster or slower, within the host's process. Render thread; the control thread makes it.

import DSP
import Realtime

/// A node with one input and one output, whose input renders at a pace of its own.
///
/// It is late by a constant number of frames, the same at every rate. Its samples do not depend on the division of time into cycles.
public final class SpeedNode: RenderNode {
    // SAFETY: after init only the render thread uses the core.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    private let pace: TimePace
    /// The delay of the output behind the input, in frames of the output.
    public let latencyFrameCount: Int

    /// Makes a node whose input follows `pace`, at rates from one to another.
    public init(channelCount: Int, maximumFrameCount: Int, pace: TimePace, rates: ClosedRange<Double>) {
        self.pace = pace
        latencyFrameCount = SpeedReader.lag(lowestRate: rates.lowerBound)
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(SpeedReader(channelCount: channelCount, maximumFrameCount: maximumFrameCount, rates: rates), pace.core))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The address of the render thread's state.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that takes a cycle's input frames and puts its output frames out.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            SpeedNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        call.outputs.pointee.isSilent = context.assumingMemoryBound(to: Core.self).pointee.render(
            call.inputs.pointee, to: call.output, at: call.cycle.pointee.sampleTime)
    }

    private struct Core: ~Copyable {
        private var reader: SpeedReader
        private let pace: UnsafeMutablePointer<TimePaceCore>
        private var nextTime: Int64?
        /// The output frames since the input fell silent.
        private var silentCount: Int

        init(_ reader: consuming SpeedReader, _ pace: UnsafeMutablePointer<TimePaceCore>) {
            silentCount = 2 * reader.lag
            self.reader = reader
            self.pace = pace
        }

        /// Returns true if all of the output is silence.
        @_noLocks
        mutating func render(_ input: BusAudio, to output: AudioBlock, at sampleTime: Int64) -> Bool {
            if nextTime != sampleTime {
                reader.reset()
                silentCount = 2 &* reader.lag
            }
            nextTime = sampleTime &+ Int64(output.frameCount)
            reader.change(rate: pace.pointee.ratio)
            reader.render(input.block, to: output)
            // The delay and the filter hold less than two delays of sound.
            let isOver = input.isSilent && silentCount >= 2 &* reader.lag
            silentCount = input.isSilent ? min(2 &* reader.lag, silentCount &+ output.frameCount) : 0
            return isOver
        }
    }
}
