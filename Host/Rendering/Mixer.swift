// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sums signals, each with a volume and a pan of its own. Render thread; set by the control thread.

import Realtime
import Synchronization

/// The target gains of one strip, which the control thread sets: atomics at one address, as bits.
///
/// See `PlayerCore`.
struct MixerStripSharedState: ~Copyable {
    let volume: Atomic<UInt32>
    let pan: Atomic<UInt32>

    init(volume: Float, pan: Float) {
        self.volume = Atomic(volume.bitPattern)
        self.pan = Atomic(pan.bitPattern)
    }
}

/// What the render thread uses of one strip.
struct MixerStripCore: ~Copyable {
    let sharedState: UnsafeMutablePointer<MixerStripSharedState>
    private var left: SmoothedValue
    private var right: SmoothedValue

    init(volume: Float, pan: Float) {
        sharedState = .allocate(capacity: 1)
        sharedState.initialize(to: MixerStripSharedState(volume: volume, pan: pan))
        let gains = Self.gains(volume: volume, pan: pan)
        left = SmoothedValue(gains.left)
        right = SmoothedValue(gains.right)
    }

    deinit {
        sharedState.deinitialize(count: 1)
        sharedState.deallocate()
    }

    /// The gains of a balance law: the centre leaves both sides unchanged, and each side falls with the cosine
    /// of the way to the other.
    @_noLocks
    static func gains(volume: Float, pan: Float) -> (left: Float, right: Float) {
        let angle = Float.pi / 2
        let left = pan > 0 ? Maths.cos(angle * pan) : 1
        let right = pan < 0 ? Maths.cos(angle * pan) : 1
        return (volume * left, volume * right)
    }

    @_noLocks
    mutating func render(_ input: AudioBlock, into output: AudioBlock, glideFrameCount: Int) {
        let isMono = output.channelCount == 1
        let panned = isMono ? 0 : Float(bitPattern: sharedState.pointee.pan.load(ordering: .relaxed))
        let volume = Float(bitPattern: sharedState.pointee.volume.load(ordering: .relaxed))
        let gains = Self.gains(volume: volume, pan: panned)
        if gains.left != left.target { left.ramp(to: gains.left, over: glideFrameCount) }
        if gains.right != right.target { right.ramp(to: gains.right, over: glideFrameCount) }
        for frame in 0..<output.frameCount {
            let leftGain = left.next()
            let rightGain = right.next()
            for channel in 0..<min(output.channelCount, input.channelCount) {
                output[channel][frame] += input[channel][frame] * (channel == 1 ? rightGain : leftGain)
            }
        }
    }
}

/// One input of a mixer.
///
/// Changes of volume and pan glide over 20 ms.
public final class MixerStrip: RenderNode {
    // SAFETY: only the render thread uses the core; the shared state is atomics.
    nonisolated(unsafe) private let core: UnsafeMutablePointer<MixerStripCore>
    nonisolated(unsafe) private let sharedState: UnsafeMutablePointer<MixerStripSharedState>

    init(volume: Float, pan: Float) {
        core = .allocate(capacity: 1)
        core.initialize(to: MixerStripCore(volume: volume, pan: pan))
        sharedState = core.pointee.sharedState
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
    }

    /// The gain as a factor; 1 leaves the level unchanged.
    public var volume: Float {
        get { Float(bitPattern: sharedState.pointee.volume.load(ordering: .relaxed)) }
        set { sharedState.pointee.volume.store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// The pan: −1 is left, 0 the centre, 1 right.
    ///
    /// Values outside are clamped.
    public var pan: Float {
        get { Float(bitPattern: sharedState.pointee.pan.load(ordering: .relaxed)) }
        set { sharedState.pointee.pan.store(max(-1, min(1, newValue)).bitPattern, ordering: .relaxed) }
    }

    /// The strip's render state.
    public var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    /// The function that adds the input to the output, with the strip's gains.
    public var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            MixerStrip.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: StepCall.self).pointee
        context.assumingMemoryBound(to: MixerStripCore.self).pointee.render(
            call.input, into: call.output, glideFrameCount: Int(call.cycle.sampleRate * 0.02))
    }
}

/// A mixer: strips whose signals are added up.
public final class Mixer: Sendable {
    /// One strip for each input.
    public let strips: [MixerStrip]

    /// A mixer with `inputCount` strips at unity gain, in the centre.
    public init(inputCount: Int) { strips = (0..<inputCount).map { _ in MixerStrip(volume: 1, pan: 0) } }
}
