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
    /// The frames of a fade of a sound that the limit on voices takes.
    let fadeFrameCount: Int64
    /// The most sounds at a time, beside those that fade out.
    var voiceLimit = Int.max
    /// The sounds that the limit has taken.
    let droppedCount = Atomic<Int>(0)
    private let commands: UnsafeMutablePointer<SceneCommands.Core>
    /// The events in the order of their starts: the order of the sum is the same for blocks of all lengths.
    let events: UnsafeMutablePointer<UnsafeMutablePointer<EventCore>>
    private(set) var eventCount = 0
    /// The duckers that have been switched on.
    var firstDucker: UnsafeMutablePointer<DuckerCore>?
    private let reader: UnsafeMutablePointer<AssetReader>
    private let scratch: SceneScratch
    private let space: UnsafeMutablePointer<SpaceCore>
    private let facts: UnsafeMutablePointer<SceneFacts>
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
        _ commands: UnsafeMutablePointer<SceneCommands.Core>, _ facts: UnsafeMutablePointer<SceneFacts>, mostEvents: Int,
        fadeFrameCount: Int64, _ space: UnsafeMutablePointer<SpaceCore>, _ format: AudioFormat
    ) {
        (self.space, self.facts) = (space, facts)
        longestMove = Int64(Int(nearestFrame: 0.1 * format.sampleRate))
        part = BusPart(channelCount: format.channels)
        roomPart = BusPart(channelCount: SpaceCore.roomChannelCount)
        (self.commands, self.mostEvents, self.fadeFrameCount) = (commands, mostEvents, fadeFrameCount)
        events = .allocate(capacity: mostEvents)
        reader = .allocate(capacity: 1)
        reader.initialize(to: AssetReader())
        scratch = SceneScratch(
            gains: .allocate(capacity: SceneScratch.frameCount), weights: .allocate(capacity: AssetReader.mostWeights),
            space: space)
        scratch.gains.initialize(repeating: 0, count: SceneScratch.frameCount)
        scratch.weights.initialize(repeating: 0, count: AssetReader.mostWeights)
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
        facts.pointee.isOffline = cycle.isOffline
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
        dropDuckers(at: time &+ Int64(frameCount))
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
        let end = time &+ Int64(frameCount)
        var frame = time
        repeat {
            // A sound that begins or ends moves others at that very frame.
            let nextStart = limit(at: frame, before: end)
            let next = min(nextStart, duck(at: frame, before: end))
            let (first, last) = (Int(frame &- time), Int(next &- time))
            for index in 0..<eventCount { events[index].pointee.render(output, at: time, from: first, to: last, scratch, reader) }
            frame = next
        } while frame < end
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
        command.ramp?.pointee.go(to: command.value, at: time, over: command.frameCount, command.curve)
        if let ducker = command.ducker {
            switch command.action {
            case .duck: turn(ducker, command.value != 0)
            default: drop(ducker)
            }
        }
        switch command.action {
        case .limit: voiceLimit = command.count
        case .schedule: if let item = command.item { command.stream?.pointee.queue.add(item) }
        case .moves: move(command, at: time)
        default: break
        }
        guard let event = command.event else { return }
        switch command.action {
        case .start: start(event, command.time)
        case .stop: event.pointee.stop(at: time, over: command.frameCount)
        case .pause: event.pointee.pause(at: time, over: command.frameCount)
        case .resume: event.pointee.resume(at: time, over: command.frameCount)
        case .seek: event.pointee.seek(toFrame: command.value)
        case .priority: event.pointee.priority = command.count
        case .glide, .duck, .dropDucker, .limit, .schedule, .moves: break
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
        for index in 0..<command.count { moves[index].begin(at: time, over: frameCount) }
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
