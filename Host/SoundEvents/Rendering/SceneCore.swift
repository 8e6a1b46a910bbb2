// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The node of all sound events: commands, events, their sum. Render thread.

import AudioFormats
import Realtime
import Rendering
import Spatial
import Synchronization

/// Renders the events of one engine.
struct SceneCore: ~Copyable {
    /// The most events that play or wait.
    let mostEvents: Int
    private let commands: UnsafeMutablePointer<SceneCommands.Core>
    /// The events in the order of their starts: the order of the sum is the same for blocks of all lengths.
    private let events: UnsafeMutablePointer<UnsafeMutablePointer<EventCore>>
    private var eventCount = 0
    private let reader: UnsafeMutablePointer<AssetReader>
    private let scratch: SceneScratch
    private let space: UnsafeMutablePointer<SpaceCore>
    /// Buses for a part of a long block.
    private let part: BusPart
    private let roomPart: BusPart
    /// The most frames of a move in manual mode.
    private let longestMove: Int64
    /// The frame of the last update in manual mode.
    private var lastUpdate: Int64?
    /// Counts the events that have left the render thread.
    let endCount = Atomic<UInt64>(0)
    /// The frame after the last block.
    let now = Atomic<Int64>(0)

    /// `[control]` Allocates the memory of events and blocks.
    init(
        _ commands: UnsafeMutablePointer<SceneCommands.Core>, mostEvents: Int, _ space: UnsafeMutablePointer<SpaceCore>,
        _ format: AudioFormat
    ) {
        (self.commands, self.mostEvents, self.space) = (commands, mostEvents, space)
        longestMove = Int64(Int(nearestFrame: 0.1 * format.sampleRate))
        events = .allocate(capacity: mostEvents)
        reader = .allocate(capacity: 1)
        reader.initialize(to: AssetReader())
        scratch = SceneScratch(
            gains: .allocate(capacity: SceneScratch.frameCount), weights: .allocate(capacity: AssetReader.mostWeights), space: space
        )
        scratch.gains.initialize(repeating: 0, count: SceneScratch.frameCount)
        scratch.weights.initialize(repeating: 0, count: AssetReader.mostWeights)
        part = BusPart(channelCount: format.channels)
        roomPart = BusPart(channelCount: SpaceCore.roomChannelCount)
    }

    deinit {
        events.deallocate()
        reader.deinitialize(count: 1)
        reader.deallocate()
        scratch.gains.deallocate()
        scratch.weights.deallocate()
        part.deallocate()
        roomPart.deallocate()
    }

    /// `[render]` Renders a block of the output, and of what the room hears if somebody listens to that.
    @_noLocks
    mutating func render(_ output: UnsafeMutablePointer<BusAudio>, room: UnsafeMutablePointer<BusAudio>?, _ cycle: RenderCycle) {
        output.pointee.isSilent = true
        room?.pointee.isSilent = true
        let (time, frameCount) = (cycle.sampleTime, output.pointee.block.frameCount)
        while let command = commands.pointee.next() { obey(command, at: time) }
        if frameCount <= SceneScratch.frameCount {
            renderPart(output, room, cycle, at: time)
        } else {
            renderParts(output, room, cycle)
        }
        leaveEnded()
        now.store(time &+ Int64(frameCount), ordering: .relaxed)
    }

    /// Renders a block that is longer than the memory of a sound.
    @_noLocks
    private mutating func renderParts(
        _ output: UnsafeMutablePointer<BusAudio>, _ room: UnsafeMutablePointer<BusAudio>?, _ cycle: RenderCycle
    ) {
        let frameCount = output.pointee.block.frameCount
        var start = 0
        while start < frameCount {
            let count = min(SceneScratch.frameCount, frameCount &- start)
            var ofRoom: UnsafeMutablePointer<BusAudio>?
            if let room { ofRoom = roomPart.take(room, from: start, count) }
            renderPart(part.take(output, from: start, count), ofRoom, cycle, at: cycle.sampleTime &+ Int64(start))
            start &+= count
        }
    }

    @_noLocks
    private mutating func renderPart(
        _ output: UnsafeMutablePointer<BusAudio>, _ room: UnsafeMutablePointer<BusAudio>?, _ cycle: RenderCycle, at time: Int64
    ) {
        let frameCount = output.pointee.block.frameCount
        space.pointee.begin(cycle, at: time, room)
        for index in 0..<eventCount { events[index].pointee.render(output, at: time, frameCount, scratch, reader) }
        space.pointee.finish(output)
    }

    /// Takes events that are over out of the list; the others keep their order.
    @_noLocks
    private mutating func leaveEnded() {
        var kept = 0
        for index in 0..<eventCount {
            let event = events[index]
            if event.pointee.isOver {
                event.pointee.leave()
                continue
            }
            events[kept] = event
            kept &+= 1
        }
        guard kept != eventCount else { return }
        let count = eventCount &- kept
        eventCount = kept
        // Release: none of them is used any more.
        endCount.wrappingAdd(UInt64(count), ordering: .releasing)
    }

    @_noLocks
    private mutating func obey(_ command: SceneCommand, at time: Int64) {
        let frame = max(time, command.time)
        if let event = command.event {
            switch command.action {
            case .start: start(event, command.time)
            case .stop: event.pointee.stop(at: frame, over: command.frameCount)
            case .pause: event.pointee.pause(at: frame, over: command.frameCount)
            case .resume: event.pointee.resume(at: frame, over: command.frameCount)
            case .seek: event.pointee.seek(toFrame: command.value)
            default: event.pointee.numbers[command.index].go(to: command.value, at: frame, over: command.frameCount, command.curve)
            }
        }
        switch command.action {
        case .moves: move(command, at: time)
        default: break
        }
        guard let group = command.group else { return }
        switch command.action {
        case .groupGain: group.pointee.gain.go(to: command.value, at: frame, over: command.frameCount, command.curve)
        case .groupFade: group.pointee.fadeGain.go(to: command.value, at: frame, over: command.frameCount, command.curve)
        case .groupAudible: group.pointee.audible.go(to: command.value, at: frame, over: command.frameCount, command.curve)
        case .groupRate: group.pointee.rate.go(to: command.value, at: frame, over: command.frameCount, command.curve)
        case .groupFadeRate: group.pointee.fadeRate.go(to: command.value, at: frame, over: command.frameCount, command.curve)
        default: break
        }
    }

    /// Lets sources and listeners leave for their next places; without a time they take as long as the last two updates were apart.
    @_noLocks
    private mutating func move(_ command: SceneCommand, at time: Int64) {
        var frameCount = command.frameCount
        if frameCount == 0 {
            frameCount = max(Int64(SpatialCell.frameCount), min(longestMove, time &- (lastUpdate ?? time)))
            lastUpdate = time
        }
        guard let moves = command.moves else { return }
        for index in 0..<command.moveCount { moves[index].begin(at: time, over: frameCount) }
    }

    /// Takes an event in; the control side never starts more than there is room for.
    @_noLocks
    private mutating func start(_ event: UnsafeMutablePointer<EventCore>, _ time: Int64) {
        guard eventCount < mostEvents else { return }
        event.pointee.arrive(time)
        events[eventCount] = event
        eventCount &+= 1
    }
}
