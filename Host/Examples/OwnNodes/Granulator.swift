// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Cuts sound into grains and reverses some of them: your own node with memory, a parameter and a latency. Render thread.

import AudioGraph

/// Cuts its input into grains that overlap by half, and plays some of them backwards.
///
/// A grain that is played backwards begins with its last frame, so all grains are late by their length. The engine delays other paths by
/// the same time. Without reversed grains the output is the input, late.
struct Granulator: AudioProcessor, ~Copyable {
    /// The frames of a grain, and from one grain to the next.
    private static let length = 2048
    private static let step = length / 2
    /// The frames of the input that are kept: more than two grains, and a power of two.
    private static let kept = 4 * length

    var parameterTree: ParameterTree {
        ParameterTree(Parameter("reverse", name: "Reverse", address: 0, range: 0...100, default: 50, unit: .percent))
    }

    var latencyFrameCount: Int { @_noLocks get { Self.length } }

    private var input = AudioBuffer(channelCount: 0, frameCapacity: 0)
    private let window = Self.makeWindow()
    /// Frames since the reset.
    private var time = 0
    /// True if the new grain, and the one before, are reversed.
    private var isReversed = (false, false)
    private var seed: UInt32 = 1

    /// The window of a grain: grains that overlap by half add up to the whole.
    private static func makeWindow() -> AudioBuffer {
        let buffer = AudioBuffer(channelCount: 1, frameCapacity: length)
        let samples = buffer.block(frameCount: length)[0]
        for frame in 0..<length { samples[frame] = 0.5 - 0.5 * Float(Maths.cos(2 * .pi * Double(frame) / Double(length))) }
        return buffer
    }

    mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {
        input = AudioBuffer(channelCount: setup.inputs[0].channelCount, frameCapacity: Self.kept)
    }

    @_noLocks mutating func reset(_ values: AudioProcessorValues) {
        input.block(frameCount: Self.kept).silence()
        (time, isReversed, seed) = (0, (false, false), 1)
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        let memory = input.block(frameCount: Self.kept)
        let window = window.block(frameCount: Self.length)[0]
        for frame in 0..<block.frameCount {
            let place = time % Self.step
            if place == 0 { isReversed = (random() * 100 < block.values[0], isReversed.0) }
            // The frame of the input that is due, and its frames in two grains, of which one began half a grain earlier.
            let due = time - Self.length
            let first = isReversed.0 ? due - 2 * place + Self.length - 1 : due
            let second = isReversed.1 ? due - 2 * place - 1 : due
            for channel in 0..<block.output.channelCount {
                let samples = memory[channel]
                samples[time & (Self.kept - 1)] = block.input[channel][frame]
                block.output[channel][frame] =
                    window[place] * samples[first & (Self.kept - 1)] + window[place + Self.step] * samples[second & (Self.kept - 1)]
            }
            time += 1
        }
    }

    /// A number from 0 to 1.
    @_noLocks private mutating func random() -> Float {
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        return Float(seed >> 8) / 16_777_216
    }
}
