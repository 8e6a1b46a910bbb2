// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bypass without a click: the dry signal, as late as the unit would be, cross-faded with the wet one. Render thread.

/// The dry signal and the fade between it and the unit's output, on bus 0.
struct Bypass: ~Copyable {
    /// 0 is the unit, 1 the dry signal.
    private var share = SmoothedValue(0)
    private let fadeFrameCount: Int
    private let channelCount: Int
    private let capacity: Int
    private let history: UnsafeMutablePointer<Float>
    private let delayed: AudioBuffer
    private var writePosition = 0

    /// `latencyFrameCount` is how late the dry signal has to be.
    init(channelCount: Int, maximumFrameCount: Int, latencyFrameCount: Int, sampleRate: Double) {
        self.channelCount = channelCount
        fadeFrameCount = max(1, Int(sampleRate * 0.01))
        capacity = maximumFrameCount + max(0, latencyFrameCount)
        history = .allocate(capacity: max(1, channelCount * capacity))
        history.initialize(repeating: 0, count: max(1, channelCount * capacity))
        delayed = AudioBuffer(channelCount: channelCount, frameCapacity: maximumFrameCount)
    }

    deinit { history.deallocate() }

    /// Whether nothing of the unit is heard.
    var isComplete: Bool {
        @_noLocks get { share.current == 1 && !share.isMoving }
    }

    @_noLocks
    mutating func set(_ isBypassed: Bool) {
        let target: Float = isBypassed ? 1 : 0
        if share.target != target { share.ramp(to: target, over: fadeFrameCount) }
    }

    @_noLocks
    mutating func reset() {
        share.jump(to: share.target)
        for index in 0..<channelCount * capacity { history[index] = 0 }
    }

    /// Remembers the input, and mixes the dry signal into `output` as far as the fade says.
    @_noLocks
    mutating func process(input: AudioBlock, output: AudioBlock, latencyFrameCount: Int) {
        let frames = min(input.frameCount, output.frameCount)
        if latencyFrameCount > 0 { delay(input, frameCount: frames, by: min(latencyFrameCount, capacity - frames)) }
        guard share.isMoving || share.current != 0 else { return }
        let dry = latencyFrameCount > 0 ? delayed.block(frameCount: frames) : input
        mix(dry, into: output, frameCount: frames)
    }

    @_noLocks
    private mutating func mix(_ dry: AudioBlock, into output: AudioBlock, frameCount: Int) {
        for frame in 0..<frameCount {
            let dryShare = share.next()
            for channel in 0..<output.channelCount {
                let sample = channel < dry.channelCount ? dry[channel][frame] : 0
                // Not a sum of products at the end of the fade: a unit that puts out NaN is silent then.
                output[channel][frame] =
                    dryShare == 1 ? sample : output[channel][frame] * (1 - dryShare) + sample * dryShare
            }
        }
    }

    @_noLocks
    private mutating func delay(_ input: AudioBlock, frameCount: Int, by latency: Int) {
        let block = delayed.block(frameCount: frameCount)
        for channel in 0..<min(channelCount, input.channelCount) {
            let line = history + channel * capacity
            for frame in 0..<frameCount {
                let write = (writePosition + frame) % capacity
                line[write] = input[channel][frame]
                block[channel][frame] = line[(write + capacity - latency) % capacity]
            }
        }
        writePosition = (writePosition + frameCount) % capacity
    }
}
