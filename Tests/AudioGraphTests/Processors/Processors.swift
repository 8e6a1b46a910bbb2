// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Processors for the tests of processor nodes. Render thread.

import AudioGraph
import Realtime
import Synchronization

/// A gain that falls and rises once in so many frames, and glides where its depth changes.
struct Tremolo: AudioProcessor, ~Copyable {
    static let parameters = ParameterTree(Parameter("depth", name: "Depth", address: 0, range: 0...1, default: 0.5))
    var parameterTree: ParameterTree { Self.parameters }

    private var depth = SmoothedValue(0)
    private var place: Float = 0

    @_noLocks mutating func reset(_ values: AudioProcessorValues) {
        depth.jump(to: values[0])
        place = 0
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        if depth.target != block.values[0] { depth.ramp(to: block.values[0], over: 441) }
        for frame in 0..<block.frameCount {
            let gain = 1 - depth.next() * place
            place = place > 0.99 ? 0 : place + 0.001
            for channel in 0..<block.output.channelCount {
                block.output[channel][frame] = block.input[channel][frame] * gain
            }
        }
    }
}

/// Delays its input, and says so; the delay is a parameter.
struct HonestDelay: AudioProcessor, ~Copyable {
    static let most = 1024
    var parameterTree: ParameterTree {
        ParameterTree(Parameter("frames", name: "Frames", address: 7, range: 0...1000, default: 300, unit: .frames))
    }

    private var line = AudioBuffer(channelCount: 0, frameCapacity: 0)
    private var place = 0
    private(set) var latencyFrameCount = 0

    mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {
        guard setup.sampleRate >= 8000 else { throw AudioProcessorRefusal("it needs a rate of 8 kHz at least") }
        line = AudioBuffer(channelCount: setup.inputs[0].channelCount, frameCapacity: Self.most)
    }

    @_noLocks mutating func reset(_ values: AudioProcessorValues) {
        line.block(frameCount: Self.most).silence()
        latencyFrameCount = Int(values[7])
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        latencyFrameCount = Int(block.values[7])
        let memory = line.block(frameCount: Self.most)
        for frame in 0..<block.frameCount {
            for channel in 0..<block.output.channelCount {
                memory[channel][place] = block.input[channel][frame]
                block.output[channel][frame] = -memory[channel][(place + Self.most - latencyFrameCount) % Self.most]
            }
            place = (place + 1) % Self.most
        }
    }
}

/// Passes its input on, and says after the first block that it lags by so many frames.
struct Boaster: AudioProcessor {
    let frames: Int
    private(set) var latencyFrameCount = 0

    init(_ frames: Int) { self.frames = frames }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        block.output.copy(from: block.input)
        latencyFrameCount = frames
    }
}

/// Halves its input, in two channels and at rates that it likes.
struct Picky: AudioProcessor {
    mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {
        guard setup.sampleRate != 44_100 else { throw AudioProcessorRefusal("it does not like the rate") }
        guard setup.inputs[0].channelCount == 2 else { throw AudioProcessorRefusal("it takes two channels") }
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) { block.output.copy(from: block.input, gain: 0.5) }
}

/// What a test knows of a processor from outside.
final class Notes: Sendable {
    let setUpCount = Atomic<Int>(0)
    let resetCount = Atomic<Int>(0)
    let frameCount = Atomic<Int>(0)
    let peak = Atomic<UInt32>(0)
}

/// Passes its input on, except for blocks that hold what a parameter says.
struct Spoiler: AudioProcessor, ~Copyable {
    let notes: Unmanaged<Notes>
    var parameterTree: ParameterTree {
        ParameterTree(Parameter("fault", name: "Fault", address: 0, choices: ["none", "NaN", "infinity", "loud"]))
    }

    /// What NaN leads to, as it does in a filter.
    private var memory: Float = 0

    init(_ notes: Notes) { self.notes = .passUnretained(notes) }

    mutating func setUp(_ setup: AudioProcessorSetup) throws(AudioProcessorRefusal) {
        _ = notes.takeUnretainedValue().setUpCount.add(1, ordering: .relaxed)
    }

    @_noLocks mutating func reset(_ values: AudioProcessorValues) {
        memory = 0
        notes._withUnsafeGuaranteedRef { _ = $0.resetCount.add(1, ordering: .relaxed) }
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        switch block.values[0] {
        case 1: memory = .nan
        case 2: memory = .infinity
        case 3: memory = 2e6
        default: break
        }
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = block.input[channel][frame] + memory }
        }
    }
}

/// Multiplies its two inputs; the second one may be of one channel.
struct RingModulator: AudioProcessor {
    var inputs: [Bus] {
        [
            Bus("Input", supportedChannelCounts: [1, 2]),
            Bus("Carrier", channelCount: 1, supportedChannelCounts: [1], isOptional: true),
        ]
    }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        guard !block.isSilent(1) else { return block.setSilent() }
        let carrier = block.input(1)[0]
        for channel in 0..<block.output.channelCount {
            for frame in 0..<block.frameCount { block.output[channel][frame] = block.input[channel][frame] * carrier[frame] }
        }
    }
}

/// Counts upwards, 1 in 65,536 a frame, into two outputs: one of two channels, one of one.
struct Ramps: AudioProcessor {
    var inputs: [Bus] { [] }
    var outputs: [Bus] { [Bus("Up"), Bus("Down", channelCount: 1, supportedChannelCounts: [1])] }
    private var next: Float = 0

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        for frame in 0..<block.frameCount {
            next += 1 / 65_536
            for channel in 0..<block.output.channelCount { block.output[channel][frame] = next }
            block.output(1)[0][frame] = -next
        }
    }
}

/// Keeps the peak of what it hears, and puts nothing out.
struct PeakMeter: AudioProcessor {
    var outputs: [Bus] { [] }
    let notes: Unmanaged<Notes>

    init(_ notes: Notes) { self.notes = .passUnretained(notes) }

    @_noLocks mutating func render(_ block: AudioProcessorBlock) {
        notes._withUnsafeGuaranteedRef { notes in
            _ = notes.frameCount.add(block.frameCount, ordering: .relaxed)
            notes.peak.store(block.input.peak(ofChannel: 0).bitPattern, ordering: .relaxed)
        }
    }
}
