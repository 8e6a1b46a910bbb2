// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a connection's processor is called with: its source, its level, and where it adds. Render thread.

import Realtime

/// A call of a connection's processor.
///
/// `[render]` throughout.
public struct ConnectionCall {
    /// The cycle, by the clock of the node that the connection leads to.
    public let cycle: UnsafePointer<RenderCycle>
    /// Frames a second by that clock; the rate of the cycle is lower where a driver is slowed down.
    public let sampleRate: Double
    /// The frames over which values glide: 20 ms.
    public let glideFrameCount: Int
    /// The source's signal, aligned with what else leads to the node; zeros where it is silent.
    ///
    /// It is not faded and has no level yet: the processor applies `gain` where that suits it, before or behind what it does.
    public let input: BusAudio
    /// The connection's fade times its volume at a mixer, while both rest.
    public let gain: Float
    /// The gain at each frame, while it moves; nil while `gain` holds.
    public let gains: UnsafePointer<Float>?
    /// Whether nothing has been heard of the connection yet, or its fade has rested at 0 up to this cycle.
    ///
    /// Values are there at once then. What lies before the gain begins anew, so that blocks of any length sound alike.
    public let isUnheard: Bool
    /// Whether the connection has faded out when the cycle is over; what lies before the gain is not heard from then on.
    public let hasFadedOut: Bool
    /// The bus to add to; `BusAudio.open()` makes it ready.
    ///
    /// A processor that adds nothing leaves it alone.
    public let output: UnsafeMutablePointer<BusAudio>
    /// The memory of the node that it leads to, if that adds up something else than a bus; see `MixerSum`.
    public let sum: UnsafeMutableRawPointer?
    /// Where the processor says whether it would be heard though its source were silent from now on.
    ///
    /// While it says so, an edit fades the connection, and one that leaves stays.
    public let isRinging: UnsafeMutablePointer<Bool>
    /// Blocks of scratch memory, as many as `scratchBlockCount` says.
    private let scratch: UnsafeMutablePointer<Float>
    private let scratchFrameCount: Int
    private let routes: ChannelRoutes.Table

    /// The call for a connection, or for a voice of a node.
    ///
    /// The block of `input` holds zeros where it is silent. `scratch` has `scratchBlockCount` blocks of `scratchFrameCount` frames each.
    @_noLocks
    public init(
        cycle: UnsafePointer<RenderCycle>, sampleRate: Double, glideFrameCount: Int, input: BusAudio, gain: Float,
        gains: UnsafePointer<Float>? = nil, isUnheard: Bool = false, hasFadedOut: Bool = false,
        output: UnsafeMutablePointer<BusAudio>, sum: UnsafeMutableRawPointer? = nil, isRinging: UnsafeMutablePointer<Bool>,
        routes: ChannelRoutes.Table, scratch: UnsafeMutablePointer<Float>, scratchFrameCount: Int
    ) {
        (self.cycle, self.sampleRate, self.glideFrameCount) = (cycle, sampleRate, glideFrameCount)
        (self.input, self.gain, self.gains) = (input, gain, gains)
        (self.isUnheard, self.hasFadedOut) = (isUnheard, hasFadedOut)
        (self.output, self.sum, self.isRinging, self.routes) = (output, sum, isRinging, routes)
        (self.scratch, self.scratchFrameCount) = (scratch, scratchFrameCount)
    }

    /// The frames of the cycle.
    public var frameCount: Int {
        @_noLocks get { input.block.frameCount }
    }

    /// A block of scratch memory; what it holds is undefined.
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

    /// Adds the source's channels to those of the bus as a mixer does, at a gain for each frame.
    @_noLocks
    public func addChannels(at gains: UnsafePointer<Float>) {
        let (source, block) = (input.block, output.pointee.open())
        for index in 0..<routes.count {
            let route = routes[index]
            guard route.source < source.channelCount else { continue }
            let (from, to) = (source[route.source], block[route.destination])
            for frame in 0..<block.frameCount { to[frame] += from[frame] * (route.gain * gains[frame]) }
        }
    }
}

extension BusAudio {
    /// `[render]` Makes the bus ready for something to be added, and gives its block.
    ///
    /// One that has been silent up to now holds zeros then.
    @_noLocks
    public mutating func open() -> AudioBlock {
        if isSilent { block.silence() }
        isSilent = false
        return block
    }
}
