// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The last frames of a stream, from which a sound reads. Render thread.

import CRealtimeShims
import Realtime
import Rendering
import Synchronization

/// A window onto a stream of frames that are made one after the other.
///
/// `[render]` but for `init`. The place alone decides about the window, so blocks of any length have the same bits.
struct StreamCore: ~Copyable {
    private static var step: Int { @_noLocks get { 1024 } }
    private static var capacity: Int { @_noLocks get { 4 * step } }
    /// The frames that are made at once while the sound reads between frames.
    private static var grain: Int { @_noLocks get { 64 } }

    let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let channelCount: Int
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: UnsafeMutablePointer<Float>
    /// The frame of the stream at the beginning of the window, and the frames that are there; those before the stream are silent.
    private(set) var base = -1024
    private(set) var count = 1024
    /// The scheduled buffers of a push stream.
    var queue = StreamQueue()
    /// The function that renders a pull stream, and its context.
    private let function: RenderNode.Function?
    private let context: UnsafeMutableRawPointer?
    private let call: UnsafeMutablePointer<PullCall>
    /// The frames of a streamed asset.
    private let file: File?
    /// The silent frames that were played because there were no others.
    let missingCount = Atomic<Int>(0)

    /// The frames of a streamed asset, read ahead.
    struct File {
        let ring: UnsafeMutablePointer<FileRing>
        /// The end of the frames; `.max` for a loop.
        let end: Int
        let facts: UnsafeMutablePointer<SceneFacts>
    }

    /// `[control]` Allocates a window; without a function and a file it belongs to a push stream.
    init(channelCount: Int, function: RenderNode.Function? = nil, context: UnsafeMutableRawPointer? = nil, file: File? = nil) {
        (self.channelCount, self.function, self.context, self.file) = (channelCount, function, context, file)
        memory = .allocate(capacity: channelCount * Self.capacity)
        memory.initialize(repeating: 0, count: channelCount * Self.capacity)
        (channels, targets) = (.allocate(capacity: channelCount), .allocate(capacity: channelCount))
        for channel in 0..<channelCount {
            (channels + channel).initialize(to: memory + channel * Self.capacity)
            (targets + channel).initialize(to: memory)
        }
        call = .allocate(capacity: 1)
        call.initialize(to: PullCall(output: AudioBlock(channels: UnsafePointer(targets), channelCount: 0, frameCount: 0), time: 0))
    }

    deinit {
        memory.deallocate()
        channels.deallocate()
        targets.deallocate()
        call.deallocate()
    }

    /// Makes so many frames from a whole frame on, as far as there is room; returns where they are.
    @_noLocks
    mutating func run(from frame: Int, _ wanted: Int) -> (first: Int, count: Int) {
        move(to: frame)
        let count = min(wanted, Self.step)
        make(upTo: frame &+ count)
        return (frame &- base, count)
    }

    /// Makes the frames that a filter needs which reads up to a frame.
    @_noLocks
    mutating func prepare(at frame: Int, upTo end: Int) {
        move(to: frame)
        guard end > base &+ count else { return }
        make(upTo: min(base &+ Self.capacity, (end / Self.grain &+ 1) &* Self.grain))
    }

    /// Goes to a frame of a streamed asset; before it there is silence.
    @_noLocks
    mutating func seek(toFrame frame: Int) {
        guard let file else { return }
        base = Self.base(for: frame)
        count = frame &- base
        for channel in 0..<channelCount {
            for index in 0..<count { channels[channel][index] = 0 }
        }
        file.ring.pointee.seek(toFrame: frame)
    }

    /// The beginning of the window in whose second quarter a frame lies.
    @_noLocks
    private static func base(for frame: Int) -> Int { (frame / step &- 1) &* step }

    @_noLocks
    private mutating func move(to frame: Int) {
        let goal = Self.base(for: frame)
        while goal > base &+ count {
            make(upTo: min(goal, base &+ Self.capacity))
            (base, count) = (base &+ count, 0)
        }
        let shift = goal &- base
        guard shift > 0 else { return }
        count &-= shift
        base = goal
        for channel in 0..<channelCount {
            let line = channels[channel]
            for index in 0..<count { line[index] = line[index &+ shift] }
        }
    }

    @_noLocks
    private mutating func make(upTo end: Int) {
        let missing = end &- base &- count
        guard missing > 0 else { return }
        for channel in 0..<channelCount { targets[channel] = channels[channel] + count }
        let block = AudioBlock(channels: targets, channelCount: channelCount, frameCount: missing)
        block.silence()
        if let function {
            call.pointee = PullCall(output: block, time: Int64(base &+ count))
            CRealtimeShims_call(function, context, call)
            if call.pointee.isSilent { block.silence() }
        } else if let file {
            read(file, missing)
        } else {
            let silent = queue.fill(block)
            if silent > 0 { missingCount.wrappingAdd(silent, ordering: .relaxed) }
        }
        count &+= missing
    }

    /// Reads frames of a streamed asset; behind its end there is silence.
    @_noLocks
    private func read(_ file: File, _ wanted: Int) {
        let position = base &+ count
        let block = AudioBlock(channels: targets, channelCount: channelCount, frameCount: max(0, min(wanted, file.end &- position)))
        guard block.frameCount > 0 else { return }
        let silent = file.ring.pointee.fill(block, from: position, isOffline: file.facts.pointee.isOffline)
        guard silent > 0 else { return }
        missingCount.wrappingAdd(silent, ordering: .relaxed)
        file.facts.pointee.missingCount.wrappingAdd(silent, ordering: .relaxed)
    }
}

/// The arguments of a function that renders a pull stream.
struct PullCall {
    let output: AudioBlock
    /// The frames since the beginning of the stream.
    let time: Int64
    var isSilent = false

    @_noLocks
    init(output: AudioBlock, time: Int64) { (self.output, self.time) = (output, time) }
}
