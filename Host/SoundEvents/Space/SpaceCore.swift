// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sums of all sounds at places, and the memory of their calls. Render thread; made by the control thread.

import AudioFormats
import Realtime
import Rendering
import Spatial
import Synchronization

/// The part of a scene's node for sounds at places.
///
/// Sounds for two ears lag by 64 frames behind those of channel mixers, and a sound field by fewer. So the others are delayed until all
/// are in step; the node declares that latency.
struct SpaceCore: ~Copyable {
    /// The first frame of the block.
    private(set) var time: Int64 = 0
    /// The bus of the room in this block; nil without a room.
    private(set) var room: UnsafeMutablePointer<BusAudio>?
    /// The gain of a way at each frame of a call.
    private let gains: UnsafeMutablePointer<Float>
    private let cycle: UnsafeMutablePointer<RenderCycle>
    private let call: UnsafeMutablePointer<ConnectionCall>
    private let isRinging: UnsafeMutablePointer<Bool>
    /// Samples of a voice for a block, channel by channel, and for the start of a call.
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let shifted: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The bus that a sound renders into.
    let bus: UnsafeMutablePointer<BusAudio>
    private let scratch: UnsafeMutablePointer<Float>
    private let field: SpaceBus
    private let sum: UnsafeMutableRawPointer
    private let finisher: SceneSum.Finisher
    private let routes: ChannelRoutes.Table
    private let sampleRate: Double
    private let glideFrameCount: Int
    private var directDelay: BusDelay
    private var fieldDelay: BusDelay
    private let latency = Atomic<Int>(0)
    private let fieldLatency = Atomic<Int>(0)

    /// The channels of the room's bus.
    static var roomChannelCount: Int { 2 }
    /// The blocks of scratch memory of a processor.
    private static let scratchBlockCount = 8
    private static var mostChannels: Int { @_noLocks get { 64 } }

    /// `[control]` Allocates for an output.
    init(_ format: AudioFormat, _ sum: UnsafeMutableRawPointer, _ finisher: SceneSum.Finisher, _ routes: ChannelRoutes.Table) {
        (self.sum, self.finisher, self.routes, sampleRate) = (sum, finisher, routes, format.sampleRate)
        glideFrameCount = Int(nearestFrame: 0.02 * format.sampleRate)
        (cycle, call, isRinging, bus) = (
            .allocate(capacity: 1), .allocate(capacity: 1), .allocate(capacity: 1), .allocate(capacity: 1)
        )
        isRinging.initialize(to: false)
        let length = SceneScratch.frameCount
        samples = .allocate(capacity: Self.mostChannels * length)
        samples.initialize(repeating: 0, count: Self.mostChannels * length)
        channels = .allocate(capacity: Self.mostChannels)
        shifted = .allocate(capacity: Self.mostChannels)
        for channel in 0..<Self.mostChannels { (channels + channel).initialize(to: samples + channel * length) }
        shifted.initialize(repeating: samples, count: Self.mostChannels)
        bus.initialize(to: BusAudio(block: AudioBlock(channels: channels, channelCount: 0, frameCount: 0), isSilent: true))
        scratch = .allocate(capacity: Self.scratchBlockCount * length)
        scratch.initialize(repeating: 0, count: Self.scratchBlockCount * length)
        gains = .allocate(capacity: length)
        gains.initialize(repeating: 0, count: length)
        field = SpaceBus(channelCount: format.channels)
        directDelay = BusDelay(channelCount: format.channels)
        fieldDelay = BusDelay(channelCount: format.channels)
    }

    deinit {
        cycle.deallocate()
        call.deallocate()
        isRinging.deallocate()
        bus.deallocate()
        for memory in [samples, scratch, gains] { memory.deallocate() }
        for memory in [channels, shifted] { memory.deallocate() }
        field.deallocate()
        directDelay.deallocate()
        fieldDelay.deallocate()
    }

    /// `[any]` Sets the frames by which heads lag, and those of the decoder of the sound field.
    func setLatency(_ frameCount: Int, field: Int) {
        // Relaxed: nothing else depends on them.
        latency.store(frameCount, ordering: .relaxed)
        fieldLatency.store(field, ordering: .relaxed)
    }

    /// `[render]` Begins a block.
    @_noLocks
    mutating func begin(_ cycle: RenderCycle, at time: Int64, _ room: UnsafeMutablePointer<BusAudio>?) {
        (self.time, self.room) = (time, room)
        self.cycle.initialize(to: cycle)
        self.cycle.pointee.sampleTime = time
    }

    /// `[render]` The empty bus of a voice.
    @_noLocks
    func open(channelCount: Int, frameCount: Int) -> UnsafeMutablePointer<BusAudio> {
        let count = min(channelCount, Self.mostChannels)
        bus.pointee = BusAudio(block: AudioBlock(channels: channels, channelCount: count, frameCount: frameCount), isSilent: true)
        return bus
    }

    /// `[render]` Calls the processor of a voice's way for frames of its bus.
    @_noLocks
    func process(
        _ way: VoiceSend, _ channelCount: Int, _ frames: Range<Int>, isSilent: Bool, isUnheard: Bool,
        into output: UnsafeMutablePointer<BusAudio>
    ) {
        let count = min(channelCount, Self.mostChannels)
        for channel in 0..<count { shifted[channel] = channels[channel] + frames.lowerBound }
        let block = AudioBlock(channels: shifted, channelCount: count, frameCount: frames.count)
        if isSilent { block.silence() }
        let first = time &+ Int64(frames.lowerBound)
        let isMoving = way.isMoving(from: first)
        if isMoving { for frame in 0..<frames.count { gains[frame] = way.gain(at: first &+ Int64(frame)) } }
        call.initialize(
            to: ConnectionCall(
                cycle: cycle, sampleRate: sampleRate, glideFrameCount: glideFrameCount, firstFrame: frames.lowerBound,
                input: BusAudio(block: block, isSilent: isSilent), gain: way.gain(at: first),
                gains: isMoving ? UnsafePointer(gains) : nil, isUnheard: isUnheard, output: output, sum: sum,
                isRinging: isRinging, routes: routes, scratch: scratch, scratchFrameCount: SceneScratch.frameCount))
        way.function.process(call)
    }

    /// `[render]` Adds the sums of the block to the output, all in step.
    @_noLocks
    mutating func finish(_ output: UnsafeMutablePointer<BusAudio>) {
        let (wanted, ofField) = (latency.load(ordering: .relaxed), fieldLatency.load(ordering: .relaxed))
        directDelay.process(output, by: wanted, over: glideFrameCount)
        let bus = field.open(output.pointee.block.frameCount)
        finisher.finishField(FinishCall(cycle: cycle, output: bus))
        fieldDelay.process(bus, by: max(0, wanted &- ofField), over: glideFrameCount)
        if !bus.pointee.isSilent { output.pointee.open().add(bus.pointee.block) }
        finisher.finishHeads(FinishCall(cycle: cycle, output: output))
    }
}

/// A bus with memory of its own.
private struct SpaceBus {
    private let samples: UnsafeMutablePointer<Float>
    private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private let bus: UnsafeMutablePointer<BusAudio>

    init(channelCount: Int) {
        self.channelCount = channelCount
        let length = SceneScratch.frameCount
        samples = .allocate(capacity: max(1, channelCount * length))
        samples.initialize(repeating: 0, count: max(1, channelCount * length))
        channels = .allocate(capacity: max(1, channelCount))
        channels.initialize(repeating: samples, count: max(1, channelCount))
        for channel in 0..<channelCount { channels[channel] = samples + channel * length }
        bus = .allocate(capacity: 1)
        bus.initialize(to: BusAudio(block: AudioBlock(channels: channels, channelCount: channelCount, frameCount: 0)))
    }

    func deallocate() {
        samples.deallocate()
        channels.deallocate()
        bus.deallocate()
    }

    /// The bus, silent, for so many frames.
    @_noLocks
    func open(_ frameCount: Int) -> UnsafeMutablePointer<BusAudio> {
        bus.pointee = BusAudio(
            block: AudioBlock(channels: channels, channelCount: channelCount, frameCount: frameCount), isSilent: true)
        return bus
    }
}
