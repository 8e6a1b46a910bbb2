// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The events that play, and their ends: shared by an engine and its node. Any thread but the render thread.

import Synchronization

/// Holds what the render thread reads, as long as the node can be rendered; the engine may go before.
final class RunningEvents: Sendable {
    /// The most events that play or wait.
    static let most = 4096

    private struct Running {
        let event: SoundEvent
        let ended: @Sendable (SoundEvent.Ending) -> Void

        /// Calls the closures of the event and of its assets, outside of all locks.
        func tell(_ ending: SoundEvent.Ending) {
            event.memory.giveVoicesBack()
            ended(ending)
            for claim in event.memory.takeClaims() { claim.release() }
        }
    }

    private struct State {
        var running: [Running] = []
        /// Objects beside events whose memory the render thread may use.
        var kept: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        /// Buffers of started events that have no end yet.
        var items: [(item: StreamItem, event: EventMemory)] = []
        /// Duckers that the program has let go of.
        var dropped: [DuckerMemory] = []
        /// Events, tables of moves and objects that have left, and the number of commands that may still name them.
        var departed: [(object: any AnyObject & Sendable, commandCount: UInt64)] = []
        var endCount: UInt64 = 0
        /// The number of departed at which those are looked for that nothing names any more.
        static let crowd = 256
        var crowd = State.crowd
        /// True if the engine publishes commands and calls closures at its updates alone.
        var isManual: Bool

        /// Takes the objects out that no command names any more; they go outside of the lock, because programs' closures go with them.
        mutating func takeRead(
            _ readCount: UInt64, where isChosen: (any AnyObject & Sendable) -> Bool = { _ in true }
        ) -> [any AnyObject & Sendable] {
            let gone = departed.filter { $0.commandCount <= readCount && isChosen($0.object) }.map(\.object)
            if !gone.isEmpty { departed.removeAll { $0.commandCount <= readCount && isChosen($0.object) } }
            return gone
        }
    }

    private let commands = SceneCommands()
    let space: SceneSpace
    // SAFETY: only the render thread uses what is not atomic.
    nonisolated(unsafe) let core: UnsafeMutablePointer<SceneCore>
    // SAFETY: the render thread alone uses what is not atomic.
    nonisolated(unsafe) let facts: UnsafeMutablePointer<SceneFacts>
    private let state: Mutex<State>

    init(isManual: Bool, fadeFrameCount: Int64, _ space: SceneSpace) {
        self.space = space
        state = Mutex(State(isManual: isManual))
        facts = .allocate(capacity: 1)
        facts.initialize(to: SceneFacts())
        core = .allocate(capacity: 1)
        core.initialize(
            to: SceneCore(commands.core, facts, mostEvents: Self.most, fadeFrameCount: fadeFrameCount, space.core, space.format))
    }

    /// Ends all events, because nothing renders them any more: they lead back here by the scene of their places.
    func abandon() {
        let (running, items) = state.withLock { state in
            defer { (state.running, state.items) = ([], []) }
            return (state.running, state.items)
        }
        for running in running {
            running.event.memory.core.pointee.abandon()
            running.tell(.stopped)
        }
        for (item, _) in items { item.tell() }
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        facts.deinitialize(count: 1)
        facts.deallocate()
    }

    /// The events that play, pause or wait, in the order of their starts.
    var events: [SoundEvent] { state.withLock { $0.running.map(\.event) } }

    /// Keeps an object that commands may name, such as a group, until `letGo`, or as long as the node can be rendered.
    func keep(_ object: any AnyObject & Sendable) { state.withLock { $0.kept[ObjectIdentifier(object)] = object } }

    /// Lets go of an object once all commands so far have been read.
    func letGo(_ object: any AnyObject & Sendable) {
        state.withLock { state in
            guard let object = state.kept.removeValue(forKey: ObjectIdentifier(object)) else { return }
            state.departed.append((object, commands.sentCount))
        }
    }

    /// Lets go of a ducker when its targets are back.
    func drop(_ ducker: DuckerMemory) {
        state.withLock { state in
            state.kept[ObjectIdentifier(ducker)] = nil
            state.dropped.append(ducker)
            var command = SceneCommand(.dropDucker)
            command.ducker = ducker.core
            commands.send([command], publishes: !state.isManual)
        }
    }

    /// Sends commands that take effect together.
    func send(_ sent: [SceneCommand]) { state.withLock { commands.send(sent, publishes: !$0.isManual) } }

    /// Sends a command to an event, unless it has left.
    func send(_ command: SceneCommand, to memory: EventMemory) {
        var command = command
        command.event = memory.core
        state.withLock { state in
            guard state.running.contains(where: { $0.event.memory === memory }) else { return }
            commands.send([command], publishes: !state.isManual)
        }
    }

    /// Sends moves, which live until they have been read.
    ///
    /// In manual mode they come before all other calls since the last update: an event begins where its source is by then.
    func send(_ moves: SceneMoves, _ command: SceneCommand) {
        var command = command
        (command.moves, command.count) = (moves.core, moves.count)
        state.withLock { state in
            let publishedCount = commands.publishedCount
            commands.send([command], publishes: !state.isManual, comesFirst: state.isManual)
            // The commands that waited have moved back by one.
            for index in state.departed.indices where state.isManual && state.departed[index].commandCount > publishedCount {
                state.departed[index].commandCount += 1
            }
            state.departed.append((moves, commands.sentCount))
            // Between two looks of the audio graph there are many moves. The caller holds a lock, so no other object goes here.
            if state.departed.count >= state.crowd {
                _ = state.takeRead(commands.readCount) { $0 is SceneMoves }
                state.crowd = max(State.crowd, 2 * state.departed.count)
            }
        }
    }

    /// Stops the events of sources and listeners that have left the scene.
    func stop(_ emitters: [SceneEmitter]) {
        let gone = Set(emitters.map { ObjectIdentifier($0) })
        state.withLock { state in
            let stops = state.running.filter { $0.event.memory.isHeard(at: gone) }.map { running in
                var command = SceneCommand(.stop)
                command.event = running.event.memory.core
                command.frameCount = Int64(Int(nearestFrame: SoundEvent.fadeSeconds * space.format.sampleRate))
                return command
            }
            commands.send(stops, publishes: !state.isManual)
        }
    }

    /// Sends a command to an event, or sets its value before the start; an event that has ended takes no notice.
    func change(_ command: SceneCommand, of memory: EventMemory) {
        guard !state.withLock({ _ in memory.set(command) }) else { return }
        send(command, to: memory)
    }

    /// Schedules a buffer; false if the event has ended.
    func schedule(_ item: StreamItem, _ stream: StreamMemory, of memory: EventMemory) -> Bool {
        state.withLock { state in
            if memory.schedule(item, stream) { return true }
            // The buffers of an event that has left are about to go.
            guard !memory.core.pointee.hasLeft, state.running.contains(where: { $0.event.memory === memory }) else { return false }
            var command = SceneCommand(.schedule)
            (command.stream, command.item) = (stream.core, item.core)
            state.items.append((item, memory))
            commands.send([command], publishes: !state.isManual)
            return true
        }
    }

    /// Sets what renders a pull stream; false if the event has been started.
    func set(_ box: StreamBox, _ stream: StreamMemory, of memory: EventMemory) -> Bool {
        state.withLock { _ in memory.set(box, stream) }
    }

    /// Starts an event, once it is made ready.
    ///
    /// Throws `tooManyEvents`, and the errors of `ready`.
    func start(
        _ event: SoundEvent, _ command: SceneCommand, ready: () throws(SoundEventError) -> Void,
        ended: @escaping @Sendable (SoundEvent.Ending) -> Void
    ) throws(SoundEventError) {
        let result = state.withLock { state -> Result<Void, SoundEventError> in
            guard state.running.count < Self.most else { return .failure(.tooManyEvents(limit: Self.most)) }
            do throws(SoundEventError) { try ready() } catch { return .failure(error) }
            var command = command
            command.event = event.memory.core
            state.running.append(Running(event: event, ended: ended))
            state.items += event.memory.takeWaiting().map { ($0, event.memory) }
            commands.send([command], publishes: !state.isManual)
            return .success(())
        }
        try result.get()
    }

    /// Publishes all commands, and calls the closures of events that have ended.
    func update() {
        commands.send([], publishes: true)
        for item in takeItems() { item.tell() }
        let (ended, gone) = takeEnded()
        for (running, ending) in ended { running.tell(ending) }
        withExtendedLifetime(gone) {}
    }

    private static func hasEnded(_ pair: (item: StreamItem, event: EventMemory)) -> Bool {
        pair.event.core.pointee.hasLeft || pair.item.ending != nil
    }

    /// The buffers that have an end now: those of events that have left were stopped.
    private func takeItems() -> [StreamItem] {
        state.withLock { state in
            guard state.items.contains(where: Self.hasEnded) else { return [] }
            let ended = state.items.filter(Self.hasEnded).map(\.item)
            state.items.removeAll(where: Self.hasEnded)
            let sentCount = commands.sentCount
            state.departed += ended.map { ($0, sentCount) }
            return ended
        }
    }

    /// Stops all events, whose engine has gone; closures are called without it from now on.
    func stopAll(fadeFrameCount: Int64) {
        state.withLock { state in
            state.isManual = false
            let stops = state.running.map { running in
                var command = SceneCommand(.stop)
                (command.event, command.frameCount) = (running.event.memory.core, fadeFrameCount)
                return command
            }
            commands.send(stops, publishes: true)
        }
    }

    // MARK: The audio graph's side

    /// True if events have ended since the last look, or commands wait for room.
    var wantsAttention: Bool {
        let count = core.pointee.endCount.load(ordering: .relaxed)
        return state.withLock {
            !$0.isManual
                && ($0.endCount != count || !$0.departed.isEmpty || !$0.dropped.isEmpty || $0.items.contains(where: Self.hasEnded)
                    || commands.isCrowded)
        }
    }

    /// Does the work of an update in automatic mode.
    func attend() { if !state.withLock({ $0.isManual }) { update() } }

    /// The events that have ended, and the objects that nothing names any more.
    private func takeEnded() -> (ended: [(Running, SoundEvent.Ending)], gone: [any AnyObject & Sendable]) {
        state.withLock { state in
            // Acquire: the render thread has let go of the events.
            let count = core.pointee.endCount.load(ordering: .acquiring)
            var gone = state.takeRead(commands.readCount)
            // Acquire: the render thread has let go of the memory.
            gone += state.dropped.filter { $0.core.pointee.hasLeft.load(ordering: .acquiring) }
            state.dropped.removeAll { $0.core.pointee.hasLeft.load(ordering: .acquiring) }
            guard count != state.endCount else { return ([], gone) }
            state.endCount = count
            var (ended, kept) = ([(Running, SoundEvent.Ending)](), [Running]())
            for running in state.running {
                if let ending = running.event.memory.core.pointee.ending {
                    ended.append((running, ending))
                } else {
                    kept.append(running)
                }
            }
            state.running = kept
            let sentCount = commands.sentCount
            state.departed += ended.map { (object: $0.0.event, commandCount: sentCount) }
            return (ended, gone)
        }
    }
}
