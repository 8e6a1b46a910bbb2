// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A node that plays buffers and files: one after the other, at a time, in loops. Any thread.

import AudioFiles
import Realtime
import Rendering
import Synchronization

/// How a buffer is scheduled.
public struct AudioPlayerNodeBufferOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The buffer repeats until it is interrupted or the player is stopped.
    public static let loops = AudioPlayerNodeBufferOptions(rawValue: 1)
    /// The buffer ends what plays and what waits.
    public static let interrupts = AudioPlayerNodeBufferOptions(rawValue: 2)
    /// The buffer begins when the loop that plays is at its end.
    public static let interruptsAtLoop = AudioPlayerNodeBufferOptions(rawValue: 4)
}

/// When a completion is called.
public enum AudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The player has read the buffer to its end; the buffer may be used for something else.
    case dataConsumed
    /// The player has rendered the buffer's last frame.
    case dataRendered
    /// The last frame has gone through the nodes behind the player and has been handed to the device for a cycle.
    case dataPlayedBack
}

/// What became of a scheduled buffer or file.
public struct AudioPlayerNodeCompletion: Hashable, Sendable {
    /// Whether the buffer or the file was played to its end, and not stopped, interrupted or damaged.
    public let wasPlayed: Bool
    /// The player's time at the end.
    public let sampleTime: Int64
    /// Why a file ended early.
    public var failure: AudioFileError?
}

/// Plays buffers and files.
///
/// They are played in the order in which they are scheduled, without a gap. The player's time counts the frames that it has
/// played since it was stopped.
public final class AudioPlayerNode: AudioNode, MixingSource, @unchecked Sendable {
    // SAFETY: as for AudioNode; the stored properties are constants that may be shared.
    /// Called once, on a thread of the engine that holds no lock.
    public typealias CompletionHandler = @Sendable (AudioPlayerNodeCompletion) -> Void

    let settings = MixingSettings()
    let source: PlayerSource
    let queue: Mutex<Queue>

    /// What is scheduled, until its completion has been called.
    struct Entry {
        let item: PlayerCore.Item
        let schedule: PlayerSchedule
        let type: AudioPlayerNodeCompletionCallbackType
        var handler: CompletionHandler?
    }

    struct Queue: @unchecked Sendable {
        // SAFETY: the items are freed by the thread that holds the lock, after the render thread has gone past them.
        /// The first one is the item that the render thread is at, or was at.
        var entries: [Entry]
        /// Entries that the render thread has not gone past, though they have ended.
        var calledCount = 1
        /// What the files are read by, at the rate that the player had when the newest one was scheduled.
        var feed: FileFeed?
    }

    /// A player of nothing.
    public init() {
        let first = Self.makeItem(PlayerSchedule(), generation: 0)
        first.pointee.outcome.store(PlayerItem.Outcome.played.rawValue, ordering: .relaxed)
        source = PlayerSource(first: first)
        queue = Mutex(Queue(entries: [Entry(item: first, schedule: PlayerSchedule(), type: .dataRendered, handler: nil)]))
        super.init(name: "Player")
    }

    deinit {
        // No plan holds the player any more: what has not been played never will be.
        let handlers = queue.withLock { queue in
            for entry in queue.entries {
                entry.schedule.piece?.end()
                entry.item.deinitialize(count: 1)
                entry.item.deallocate()
            }
            return queue.entries.compactMap(\.handler)
        }
        let time = source.orders.pointee.time.load(ordering: .relaxed)
        for handler in handlers { handler(AudioPlayerNodeCompletion(wasPlayed: false, sampleTime: time)) }
    }

    override var work: RenderGraph.Work? { .render(source) }

    private static func makeItem(_ schedule: PlayerSchedule, generation: UInt64) -> PlayerCore.Item {
        let item = PlayerCore.Item.allocate(capacity: 1)
        item.initialize(to: PlayerItem(schedule, generation: generation))
        return item
    }

    /// Schedules a buffer after those that wait, or at a time of the player, or at a host time.
    ///
    /// The host time counts where there is no sample time, and never when the engine is rendered by hand without a deadline. The completion is
    /// called once, after those of the buffers before, when its type says so or when the buffer is stopped or interrupted.
    ///
    /// A mono buffer plays in every channel. Where a player was connected without a format, and the device's rate is not known because it was never
    /// started, the first buffer or file says at which rate the player plays. A buffer of another rate, or of other channels than the player's output has, is not
    /// scheduled: the error is returned, and `start` and `edit` of the engine throw it too.
    @discardableResult
    @_disfavoredOverload
    public func scheduleBuffer(
        _ buffer: AudioPCMBuffer, at when: AudioTime? = nil, options: AudioPlayerNodeBufferOptions = [],
        completionCallbackType: AudioPlayerNodeCompletionCallbackType = .dataConsumed, completionHandler: CompletionHandler? = nil
    ) -> Result<Void, AudioEngineError> {
        let format = playedFormat(first: buffer.format)
        guard buffer.format.sampleRate == format.sampleRate,
            buffer.format.channelCount == format.channelCount || buffer.format.channelCount == 1
        else {
            let error = AudioEngineError.bufferFormat(node: name, buffer: buffer.format, player: format)
            engine?.keep(error)
            return .failure(error)
        }
        guard let buffer = buffer.standardized() else {
            let error = AudioEngineError.bufferFormat(node: name, buffer: buffer.format, player: format)
            engine?.keep(error)
            return .failure(error)
        }
        let schedule = PlayerSchedule(buffer: buffer, when: when?.at(format.sampleRate), options: options)
        queue.withLock { append(schedule, to: &$0, completionCallbackType, completionHandler) }
        engine?.wakeThread()
        return .success(())
    }

    /// The format that is played; where the device's rate is not known yet, what is scheduled first says at which rate.
    func playedFormat(first: AudioFormat) -> AudioFormat {
        engine?.setRate(first.sampleRate, of: self)
        return outputFormat(forBus: 0) ?? defaultFormat
    }

    /// Puts something behind what waits; the queue is locked.
    func append(
        _ schedule: PlayerSchedule, to queue: inout Queue, _ type: AudioPlayerNodeCompletionCallbackType,
        _ handler: CompletionHandler?
    ) {
        let item = Self.makeItem(schedule, generation: source.orders.pointee.generation.load(ordering: .relaxed))
        if item.pointee.interrupts || item.pointee.interruptsAtLoop {
            source.orders.pointee.interruptCount.wrappingAdd(1, ordering: .relaxed)
        }
        // Release: the item is complete.
        queue.entries[queue.entries.count - 1].item.pointee.next.store(UInt(bitPattern: item), ordering: .releasing)
        queue.entries.append(Entry(item: item, schedule: schedule, type: type, handler: handler))
    }

    /// Plays what is scheduled, from the next cycle on, from a sample time of the engine on, or from a host time on.
    ///
    /// A time that has passed is now.
    public func play(at when: AudioTime? = nil) { play(at: when, keepsStep: false) }

    /// Starts several players of one engine on the same frame: as soon as it can be, or at a sample time of the engine or a host time.
    ///
    /// A player that learns of its start late is in step with the others all the same: it leaves out what should have been heard by then. So
    /// the start is some cycles ahead unless it is given.
    public static func play(_ players: [AudioPlayerNode], at when: AudioTime? = nil) {
        let when = when ?? players.lazy.compactMap(\.engine).first?.commonStart
        for player in players { player.play(at: when, keepsStep: when != nil) }
    }

    private func play(at when: AudioTime?, keepsStep: Bool) {
        let orders = source.orders
        let when = when?.at(rate)
        orders.pointee.keepsStep.store(keepsStep, ordering: .relaxed)
        orders.pointee.startTime.store(when?.sampleTime ?? .min, ordering: .relaxed)
        orders.pointee.startHostTime.store(when?.sampleTime == nil ? when?.hostTime ?? 0 : 0, ordering: .relaxed)
        orders.pointee.isPlaying.store(true, ordering: .releasing)
        // The end of a file that was held back is made now.
        if queue.withLock({ $0.feed != nil }) { FileReaders.bell.ring() }
    }

    /// Stops for a while; time and schedule stay.
    public func pause() {
        source.orders.pointee.isPlaying.store(false, ordering: .releasing)
    }

    /// Stops, forgets the schedule and sets the time to 0.
    ///
    /// The buffers' completions are called soon, on another thread.
    public func stop() {
        queue.withLock { queue in
            // What is scheduled from now on is read at once.
            for entry in queue.entries { entry.schedule.piece?.end() }
            source.orders.pointee.isPlaying.store(false, ordering: .releasing)
            source.orders.pointee.generation.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
        // Without an engine no other thread would call the completions.
        if let engine { engine.wakeThread() } else { attend() }
    }

    /// As `stop`.
    public override func reset() { stop() }

    /// Whether `play` was called since the last `pause` or `stop`.
    public var isPlaying: Bool { source.orders.pointee.isPlaying.load(ordering: .relaxed) }

    /// The player's time: the frames that it has played since it was stopped.
    public var playerTime: AudioTime {
        let isStopped =
            source.orders.pointee.generation.load(ordering: .acquiring)
            != source.orders.pointee.seenGeneration.load(ordering: .acquiring)
        let time = isStopped ? 0 : source.orders.pointee.time.load(ordering: .relaxed)
        return AudioTime(sampleTime: time, atRate: rate)
    }

    /// The player's rate.
    private var rate: Double { (outputFormat(forBus: 0) ?? defaultFormat).sampleRate }

    /// The player's time at a time of the engine; nil while it does not play.
    public func playerTime(forNodeTime nodeTime: AudioTime) -> AudioTime? {
        guard let origin, let time = nodeTime.at(rate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &- origin, atRate: rate)
    }

    /// The engine's time at a time of the player; nil while it does not play.
    public func nodeTime(forPlayerTime playerTime: AudioTime) -> AudioTime? {
        guard let origin, let time = playerTime.at(rate).sampleTime else { return nil }
        return AudioTime(sampleTime: time &+ origin, atRate: rate)
    }

    /// The engine's sample time at the player's time 0.
    private var origin: Int64? {
        let origin = source.orders.pointee.origin.load(ordering: .relaxed)
        return isPlaying && origin != .min ? origin : nil
    }

    // MARK: Completions

    override var wantsAttention: Bool { queue.withLock { $0.entries.count > $0.calledCount } }

    override func attend() {
        for (handler, completion) in takeCompletions() { handler(completion) }
    }

    /// Takes the completions that are due, and frees the items that the render thread has gone past.
    private func takeCompletions() -> [(CompletionHandler, AudioPlayerNodeCompletion)] {
        // Asked before the queue is locked: the engine asks for the queue with its own lock held.
        let engine = engine
        let isCut = engine?.isRendering != true
        let heardTime = isCut ? nil : engine?.sampleTimeHeard(of: self)
        let played = source.orders.pointee.time.load(ordering: .relaxed)
        return queue.withLock { queue in
            var due: [(CompletionHandler, AudioPlayerNodeCompletion)] = []
            let newest = source.orders.pointee.generation.load(ordering: .relaxed)
            while queue.calledCount < queue.entries.count {
                let entry = queue.entries[queue.calledCount]
                var outcome = entry.item.pointee.outcome.load(ordering: .acquiring)
                var time = entry.item.pointee.endTime.load(ordering: .relaxed)
                // Where nothing renders, nothing will tell that a stopped item has ended.
                if outcome == 0, isCut, entry.item.pointee.generation < newest {
                    (outcome, time) = (PlayerItem.Outcome.cancelled.rawValue, played)
                }
                guard outcome != 0 else { break }
                if entry.type == .dataPlayedBack, outcome == PlayerItem.Outcome.played.rawValue, let heardTime,
                    heardTime < entry.item.pointee.endSampleTime.load(ordering: .relaxed)
                {
                    break
                }
                queue.calledCount += 1
                // A handler may hold the player, or the engine.
                queue.entries[queue.calledCount - 1].handler = nil
                if let handler = entry.handler {
                    let failure = entry.schedule.piece?.failure
                    let wasPlayed = outcome == PlayerItem.Outcome.played.rawValue && failure == nil
                    due.append((handler, AudioPlayerNodeCompletion(wasPlayed: wasPlayed, sampleTime: time, failure: failure)))
                }
            }
            // The render thread may still be at the last one that has ended.
            while queue.calledCount > 1, queue.entries[1].item.pointee.outcome.load(ordering: .acquiring) != 0 {
                let past = queue.entries.removeFirst()
                past.item.deinitialize(count: 1)
                past.item.deallocate()
                queue.calledCount -= 1
            }
            return due
        }
    }
}

/// The render side of a player.
final class PlayerSource: RenderNode {
    // SAFETY: the render thread alone uses the core; the orders consist of atomics.
    nonisolated(unsafe) let core: UnsafeMutablePointer<PlayerCore>
    nonisolated(unsafe) let orders: UnsafeMutablePointer<PlayerOrders>

    init(first: PlayerCore.Item) {
        orders = .allocate(capacity: 1)
        orders.initialize(to: PlayerOrders())
        core = .allocate(capacity: 1)
        core.initialize(to: PlayerCore(orders: orders, first: first))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        orders.deinitialize(count: 1)
        orders.deallocate()
    }

    var renderContext: UnsafeMutableRawPointer { UnsafeMutableRawPointer(core) }

    var renderFunction: Function {
        { context, call in
            guard let context, let call else { return }
            PlayerSource.render(context, call)
        }
    }

    @_noLocks
    private static func render(_ context: UnsafeMutableRawPointer, _ call: UnsafeRawPointer) {
        let call = call.assumingMemoryBound(to: NodeCall.self).pointee
        context.assumingMemoryBound(to: PlayerCore.self).pointee.render(
            &call.outputs.pointee, call.cycle)
    }
}
