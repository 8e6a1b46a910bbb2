// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Fades from a unit's output to its fallback, and back, without a step. Render thread.

import Realtime

/// Chooses between a unit's output and its fallback, and fades from one to the other.
///
/// No step from one sample to the next is larger than that of the larger of the two signals, plus 0.0009. That is just below −60
/// dBFS.
///
/// A unit's output may stop in mid-signal, while the fallback has another value. The difference at the last sample is then added
/// to the fallback, and fades out in a straight line, over as many frames as that bound requires. On the way back the unit's
/// share grows in each frame by as much as the distance between both signals permits.
struct Crossfade: ~Copyable {
    /// The most that a fade may add to a step.
    static let largestStep: Float = 0.0009
    /// The shortest fade in seconds: shorter ones sound like clicks, even with small steps.
    private static let shortestFade = 0.01
    /// The shortest time in seconds in which a last block fades away.
    private static let shortestEcho = 0.05

    private let channelCount: Int
    private let fadeFrameCount: Int
    private let echoFrameCount: Int
    /// The heard sample, and the dry one, at the last frame of each channel.
    private let lastHeard: UnsafeMutablePointer<Float>
    private let lastDry: UnsafeMutablePointer<Float>
    private let difference: UnsafeMutablePointer<Float>
    private var differenceShare = SmoothedValue(0)
    private var lastBlock: LastBlock
    /// The fallback that is heard with the unit, or without it.
    private var standIn = StandIn.none
    /// The unit's share: 1 is the unit alone, 0 the fallback alone.
    private var wetShare: Float = 1

    /// `[control]` Makes a fade for blocks of at most `maximumFrameCount` frames; 0 if no last block is played.
    init(channelCount: Int, sampleRate: Double, maximumFrameCount: Int) {
        func samples() -> UnsafeMutablePointer<Float> {
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: max(1, channelCount))
            samples.initialize(repeating: 0, count: max(1, channelCount))
            return samples
        }
        self.channelCount = channelCount
        // Cannot trap: the unit has taken the rate.
        fadeFrameCount = max(1, Int(sampleRate * Self.shortestFade))
        // Cannot trap: the unit has taken the rate.
        echoFrameCount = max(1, Int(sampleRate * Self.shortestEcho))
        (lastHeard, lastDry, difference) = (samples(), samples(), samples())
        lastBlock = LastBlock(channelCount: channelCount, frameCapacity: maximumFrameCount)
    }

    deinit { for samples in [lastHeard, lastDry, difference] { samples.deallocate() } }

    /// True if the unit's output must be mixed before the next unit reads it.
    var isActive: Bool {
        @_noLocks get { !standIn.isSame(as: .none) }
    }

    /// Mixes a block that the unit rendered with its fallback, while the unit is being faded back in.
    @_noLocks
    mutating func unitRendered(_ output: AudioBlock, dry: AudioBlock) {
        // A last block that is being played must not change, and a fade is not the unit's own sound.
        let isAlone = !isActive
        if !isAlone { fadeIn(output, dry) }
        remember(output, dry)
        if isAlone { lastBlock.remember(output) }
    }

    /// Writes the fallback for a block that the unit did not render.
    @_noLocks
    mutating func unitMissing(_ output: AudioBlock, dry: AudioBlock, standIn: StandIn) {
        guard output.frameCount > 0 else { return }
        // A unit that fails again while it fades in is left from its present level.
        if !standIn.isSame(as: self.standIn) || wetShare > 0 { begin(standIn) }
        for frame in 0..<output.frameCount {
            lastBlock.advance(isFading: true)
            let share = differenceShare.advance(by: 1)
            for channel in 0..<output.channelCount {
                output[channel][frame] = replacement(dry, channel, frame, share)
            }
        }
        remember(output, dry)
    }

    @_noLocks
    private mutating func fadeIn(_ output: AudioBlock, _ dry: AudioBlock) {
        // The other fades pause meanwhile: two at once would each add their share to a step.
        let share = differenceShare.current
        for frame in 0..<output.frameCount {
            lastBlock.advance(isFading: false)
            var distance: Float = 0
            for channel in 0..<output.channelCount {
                distance = max(distance, abs(output[channel][frame] - replacement(dry, channel, frame, share)))
            }
            wetShare += min(1 / Float(fadeFrameCount), Self.largestStep / distance)
            guard wetShare < 1 else { return end() }
            for channel in 0..<output.channelCount {
                let replaced = replacement(dry, channel, frame, share)
                output[channel][frame] = output[channel][frame] * wetShare + replaced * (1 - wetShare)
            }
        }
    }

    @_noLocks
    private func replacement(_ dry: AudioBlock, _ channel: Int, _ frame: Int, _ share: Float) -> Float {
        let sample: Float =
            switch standIn {
            case .dry: channel < dry.channelCount ? dry[channel][frame] : 0
            case .lastBlock: lastBlock.sample(ofChannel: channel)
            case .silence, .none: 0
            }
        return sample + difference[channel] * share
    }

    @_noLocks
    private mutating func begin(_ standIn: StandIn) {
        self.standIn = standIn
        wetShare = 0
        // The last block's own fade and that of the difference share the bound.
        let hasEcho = standIn.isSame(as: .lastBlock)
        let bound = hasEcho ? Self.largestStep / 2 : Self.largestStep
        if hasEcho { lastBlock.start(fadeFrameCount: echoFrameCount, largestStep: bound) }
        var largest: Float = 0
        for channel in 0..<channelCount {
            let gap = lastHeard[channel] - start(ofChannel: channel)
            // A fade cannot start from NaN or infinity.
            difference[channel] = gap.isFinite ? gap : 0
            largest = max(largest, abs(difference[channel]))
        }
        differenceShare.jump(to: 1)
        differenceShare.ramp(to: 0, over: max(fadeFrameCount, Self.frameCount(for: largest, bound)))
    }

    /// The frames that a straight line needs to remove `level` in steps of at most `largestStep`.
    @_noLocks
    static func frameCount(for level: Float, _ largestStep: Float) -> Int {
        let frames = level / largestStep
        return frames < 1e9 ? Int(frames) + 1 : 1_000_000_000
    }

    /// The fallback's sample at the same frame as the last one heard.
    @_noLocks
    private func start(ofChannel channel: Int) -> Float {
        switch standIn {
        case .dry: lastDry[channel]
        case .lastBlock: lastBlock.end(ofChannel: channel)
        case .silence, .none: 0
        }
    }

    @_noLocks
    private mutating func end() {
        wetShare = 1
        standIn = .none
        differenceShare.jump(to: 0)
    }

    @_noLocks
    private func remember(_ output: AudioBlock, _ dry: AudioBlock) {
        guard output.frameCount > 0 else { return }
        let frame = output.frameCount - 1
        for channel in 0..<min(channelCount, output.channelCount) {
            lastHeard[channel] = output[channel][frame]
            lastDry[channel] = channel < dry.channelCount ? dry[channel][frame] : 0
        }
    }
}
