// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Brings a signal from one clock of a plan to another one. Render thread; the control thread makes it.

import AudioFormats
import CRealtimeShims
import RateConversion
import Realtime

/// A node with one input and one output, which run at different rates.
///
/// In every cycle it takes in and puts out as many frames as the two clocks count. Its latency is the converter's lookahead,
/// constant at all times. Its samples do not depend on the division of time into cycles.
public final class RateConverterNode: RenderNode {
    // SAFETY: after init only the render thread uses the core.
    private nonisolated(unsafe) let core: UnsafeMutablePointer<Core>
    /// The delay of the output behind the input, in frames.
    public let latencyFrameCount: Int
    private let source: NodeHistory

    /// Makes a converter for the output of the node with the history `source`.
    ///
    /// Throws `RateConversionError` if libsamplerate cannot convert, or memory is short.
    public init(
        channelCount: Int, from: Double, to: Double, quality: RateQuality, maximumFrameCount: Int, driverRate: Double,
        source: NodeHistory
    ) throws(RateConversionError) {
        let stream = try RateStream(channelCount: channelCount, from: from, to: to, quality: quality)
        let lookahead = RateStream.lookahead(ratio: to / from, quality: quality)
        // One frame more for each of the two counts, which are rounded up.
        // Cannot trap: rates are converted by up to 1 to 256.
        let least = Int((Double(lookahead + 2) * to / from).rounded(.up)) + 2
        // Paths are aligned in frames of the driver's clock. A few more frames may bring the latency closer to a whole number of
        // them.
        func distance(_ count: Int) -> Double { abs((Double(count) * driverRate / to).remainder(dividingBy: 1)) }
        latencyFrameCount = (least..<least + 32).min { (distance($0), $0) < (distance($1), $1) } ?? least
        core = .allocate(capacity: 1)
        core.initialize(
            to: Core(
                stream, channelCount: channelCount, frameCapacity: maximumFrameCount + 2 * lookahead + 64,
                latencyFrameCount: latencyFrameCount, source: source.core,
                fadeFrameCount: max(1, Int(nearestFrame: (to * Self.fadeSeconds).rounded(.down)))))
        self.source = source
    }

    /// The seconds of the fade-in, if the source already sounds at the start or at a jump.
    private static let fadeSeconds = 0.005

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
            RateConverterNode.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: Core.self).pointee.render(
            call.inputs.pointee, to: call.output, at: call.cycle.pointee.sampleTime)
    }

    private struct Core: ~Copyable {
        private var stream: RateStream
        /// The frames that the converter has not taken in yet.
        private let waiting: AudioBuffer
        private var waitingCount = 0
        private let latencyFrameCount: Int
        /// The frames of silence that remain before the first output frame.
        private var leadCount: Int
        private var nextTime: Int64?
        private let source: UnsafeMutablePointer<NodeHistory.Core>
        private let fadeFrameCount: Int
        /// The audible share of the signal.
        private var fade = SmoothedValue(1)

        init(
            _ stream: consuming RateStream, channelCount: Int, frameCapacity: Int, latencyFrameCount: Int,
            source: UnsafeMutablePointer<NodeHistory.Core>, fadeFrameCount: Int
        ) {
            (self.source, self.fadeFrameCount) = (source, fadeFrameCount)
            self.stream = stream
            self.latencyFrameCount = latencyFrameCount
            leadCount = latencyFrameCount
            waiting = AudioBuffer(channelCount: channelCount, frameCapacity: frameCapacity)
        }

        @_noLocks
        mutating func render(_ input: BusAudio, to output: AudioBlock, at sampleTime: Int64) {
            // After a jump in time, the counts of both sides correspond in another way.
            if nextTime != sampleTime {
                stream.reset()
                (waitingCount, leadCount) = (0, latencyFrameCount)
                let sounds = source.pointee.isOld && !source.pointee.wasSilent
                fade = SmoothedValue(sounds ? 0 : 1)
                if sounds { fade.ramp(to: 1, over: fadeFrameCount) }
            }
            nextTime = sampleTime &+ Int64(output.frameCount)
            append(input)
            let lead = min(leadCount, output.frameCount)
            leadCount &-= lead
            for channel in 0..<output.channelCount { CRealtimeShims_clearSamples(output[channel], lead) }
            let block = waiting.block(frameCount: waitingCount)
            let step = stream.convert(
                block.channels, from: 0, waitingCount, to: output.channels, from: lead, output.frameCount &- lead)
            waitingCount &-= step.taken
            for channel in 0..<block.channelCount {
                CRealtimeShims_copySamples(block[channel], block[channel] + step.taken, waitingCount)
            }
            output.silence(from: lead &+ step.made)
            if fade.isMoving { fadeIn(output, from: lead) }
        }

        @_noLocks
        private mutating func fadeIn(_ output: AudioBlock, from lead: Int) {
            let ramp = fade
            for channel in 0..<output.channelCount {
                fade = ramp
                for frame in lead..<output.frameCount { output[channel][frame] *= fade.next() }
            }
        }

        @_noLocks
        private mutating func append(_ input: BusAudio) {
            let count = min(input.block.frameCount, waiting.frameCapacity &- waitingCount)
            let block = waiting.block(frameCount: waitingCount &+ count)
            for channel in 0..<block.channelCount {
                let place = block[channel] + waitingCount
                if input.isSilent || channel >= input.block.channelCount {
                    CRealtimeShims_clearSamples(place, count)
                } else {
                    CRealtimeShims_copySamples(place, input.block[channel], count)
                }
            }
            waitingCount &+= count
        }
    }
}
