// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments of a connection's processor: its source, its level, and its destination. Render thread.

import Realtime

/// A call of a connection's processor.
///
/// `[render]` throughout.
public struct ConnectionCall {
    /// The cycle, by the clock of the destination node.
    public let cycle: UnsafePointer<RenderCycle>
    /// Frames a second by that clock; the rate of the cycle is lower if a driver is slowed down.
    public let sampleRate: Double
    /// The frames over which values glide: 20 ms.
    public let glideFrameCount: Int
    /// The frame of the cycle at which the source's signal begins; 0 for a connection, and where a voice of a node begins for that.
    public let firstFrame: Int
    /// The source's signal, aligned with the other signals to the node; zeros if it is silent.
    ///
    /// It is not faded and has no level yet: the processor applies `gain` before or after its own work.
    public let input: BusAudio
    /// The connection's fade times its volume at a mixer, while both are steady.
    public let gain: Float
    /// The gain at each frame, while it moves; nil while `gain` holds.
    public let gains: UnsafePointer<Float>?
    /// True if the connection has not been heard yet, or its fade was steady at 0 up to this cycle.
    ///
    /// Values then take effect at once. State before the gain begins anew, so that blocks of any length sound the same.
    public let isUnheard: Bool
    /// True if the connection has faded out at the end of the cycle.
    ///
    /// Everything before the gain is then inaudible.
    public let hasFadedOut: Bool
    /// The destination bus; `BusAudio.open()` prepares it for adding.
    ///
    /// A processor that adds nothing does not touch it.
    public let output: UnsafeMutablePointer<BusAudio>
    /// The memory of the destination node, if that sums something other than a bus; see `MixerSum`.
    public let sum: UnsafeMutableRawPointer?
    /// Set by the processor: true if it would still sound with a silent source.
    ///
    /// While it is true, an edit fades the connection, and a connection that leaves stays.
    public let isRinging: UnsafeMutablePointer<Bool>
    /// Blocks of scratch memory; `scratchBlockCount` is their number.
    private let scratch: UnsafeMutablePointer<Float>
    private let scratchFrameCount: Int
    private let routes: ChannelRoutes.Table

    /// Makes the call for a connection, or for a voice of a node.
    ///
    /// The block of `input` holds zeros if it is silent, and ends with the cycle at the latest. `scratch` has `scratchBlockCount` blocks
    /// of `scratchFrameCount` frames each.
    @_noLocks
    public init(
        cycle: UnsafePointer<RenderCycle>, sampleRate: Double, glideFrameCount: Int, firstFrame: Int = 0, input: BusAudio,
        gain: Float,
        gains: UnsafePointer<Float>? = nil, isUnheard: Bool = false, hasFadedOut: Bool = false,
        output: UnsafeMutablePointer<BusAudio>, sum: UnsafeMutableRawPointer? = nil, isRinging: UnsafeMutablePointer<Bool>,
        routes: ChannelRoutes.Table, scratch: UnsafeMutablePointer<Float>, scratchFrameCount: Int
    ) {
        (self.cycle, self.sampleRate, self.glideFrameCount) = (cycle, sampleRate, glideFrameCount)
        (self.firstFrame, self.input, self.gain, self.gains) = (firstFrame, input, gain, gains)
        (self.isUnheard, self.hasFadedOut) = (isUnheard, hasFadedOut)
        (self.output, self.sum, self.isRinging, self.routes) = (output, sum, isRinging, routes)
        (self.scratch, self.scratchFrameCount) = (scratch, scratchFrameCount)
    }

    /// The number of frames of the source's signal: all those of the cycle, for a connection.
    public var frameCount: Int {
        @_noLocks get { input.block.frameCount }
    }

    /// A block of scratch memory with undefined contents.
    @_noLocks
    public func scratchBlock(_ index: Int) -> UnsafeMutablePointer<Float> { scratch + index &* scratchFrameCount }

    /// Writes the product of the connection's gain and `other` for each frame.
    @_noLocks
    public func writeGains(times other: inout SmoothedValue, to product: UnsafeMutablePointer<Float>) {
        if let gains {
            for frame in 0..<frameCount { product[frame] = gains[frame] * other.next() }
        } else if other.isMoving {
            for frame in 0..<frameCount { product[frame] = gain * other.next() }
        } else {
            let steady = gain * other.current
            for frame in 0..<frameCount { product[frame] = steady }
        }
    }

    /// Adds channels like those of the source to those of the bus as a mixer does, at a gain for each frame.
    @_noLocks
    public func addChannels(of source: AudioBlock, at gains: UnsafePointer<Float>) {
        let block = output.pointee.open()
        for index in 0..<routes.count {
            let route = routes[index]
            guard route.source < source.channelCount else { continue }
            let (from, to) = (source[route.source], block[route.destination] + firstFrame)
            for frame in 0..<frameCount { to[frame] += from[frame] * (route.gain * gains[frame]) }
        }
    }
}

extension BusAudio {
    /// `[render]` Prepares the bus for adding, and returns its block.
    ///
    /// A bus that was silent before holds zeros then.
    @_noLocks
    public mutating func open() -> AudioBlock {
        if isSilent { block.silence() }
        isSilent = false
        return block
    }
}
