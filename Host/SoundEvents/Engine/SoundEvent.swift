// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound event: one playing of a tree. Any thread but the render thread.

import Rendering
import Synchronization

/// One playing of a registered tree.
///
/// `[any]` but the render thread. An event starts once; make another one to play the tree again. It plays on when the program lets go of it.
/// In manual mode everything takes effect at the engine's next `update()`.
public final class SoundEvent: Sendable {
    /// The reason for the end of an event.
    public enum Ending: Hashable, Sendable {
        /// All its sounds have ended.
        case finished
        /// `stop` has ended it, or its engine has.
        case stopped
        /// The limit on voices has taken all its sounds; see `SoundEngine.voiceLimit`.
        case dropped
    }

    /// The state of an event.
    public enum Phase: Hashable, Sendable {
        /// It has not been started.
        case prepared
        /// It plays, waits for its time, or pauses.
        case started
        /// It has ended.
        case ended
    }

    private struct State {
        var texts: [String]
        var isStarted = false
        var priority = 0
    }

    /// The seconds over which a sound fades at a stop, a pause and a return.
    public static let fadeSeconds = 0.005

    /// The streams that play the program's buffers, by their identifiers.
    public let pushStreams: [String: PushStreamNode]
    /// The streams that the program renders, by their identifiers.
    public let pullStreams: [String: PullStreamNode]

    let memory: EventMemory
    /// The shared parameters that take the places of its own.
    private let globals: GlobalParameters
    private let engine: SoundEngineBox
    private let state: Mutex<State>

    /// Makes an event of a tree that is registered with an engine; its spatial and ambient mixers need parameters.
    ///
    /// Throws `unknownAsset` and `wrongKind` for the tree and its sounds, and `tree` for a sound that does not fit its mixer or the engine.
    /// Also throws `unknownGroup`, `unplacedMixer`, `notInScene` for another engine's objects, `head` and `surround`.
    public init(
        _ tree: String, in engine: SoundEngine, mixers: MixerParameters = MixerParameters()
    ) throws(SoundEventError) {
        let tree = try engine.assets.tree(tree)
        var (sources, groups, places) = ([EventSource](), [SoundGroup?](), [LeafPlace?]())
        for leaf in tree.program.leaves {
            let source = try EventSource(leaf, in: engine)
            if let layout = leaf.settings.mixer.layout, layout.channelCount != source.channelCount {
                throw .tree(
                    id: leaf.name, reason: "the sound has \(source.channelCount) channels, and its mixer \(layout.channelCount)")
            }
            sources.append(source)
            places.append(
                try LeafPlace(
                    leaf.settings.mixer, leaf.name, channelCount: source.channelCount, source.layout, mixers, in: engine.scene))
            groups.append(try leaf.settings.group.map { id throws(SoundEventError) in try engine.group(id) })
        }
        let space = engine.running.space
        if places.contains(where: { $0 != nil }) { try space.prepare(hasField: places.contains { $0?.isBed ?? false }) }
        globals = engine.globals.withLock { $0 }
        let (memory, box) = (
            EventMemory(tree, sources, groups, tree.program.numbers.map { [globals] in globals.numbers[$0.id] }, places, space),
            SoundEngineBox(engine)
        )
        (self.memory, self.engine) = (memory, box)
        let present = sources.compactMap(\.stream)
        pushStreams = Dictionary(
            uniqueKeysWithValues: present.filter { $0.renderer == nil }.map {
                ($0.id, PushStreamNode($0, of: memory, in: box))
            })
        pullStreams = Dictionary(
            uniqueKeysWithValues: present.filter { $0.renderer != nil }.map {
                ($0.id, PullStreamNode($0, of: memory, in: box))
            })
        state = Mutex(State(texts: tree.program.texts.map(\.value)))
    }

    /// The state.
    public var phase: Phase {
        guard state.withLock({ $0.isStarted }) else { return .prepared }
        return memory.core.pointee.hasLeft ? .ended : .started
    }

    /// The engine's frame at which the event was first heard; nil before.
    public var startFrame: Int64? {
        // The start makes the core anew.
        guard state.withLock({ $0.isStarted }) else { return nil }
        let frame = memory.core.pointee.beginning.load(ordering: .relaxed)
        return frame == .min ? nil : frame
    }

    /// The silent frames that its streamed assets have played so far because their files had not been read in time.
    public var missingFrameCount: Int { memory.missingFrameCount }

    /// Sets a number, within its range, at once or over a time in seconds.
    ///
    /// Throws `unknownParameter`, `sharedParameter`, `mappedParameter`, `notANumber` and `engineGone`. An event that has ended takes no
    /// notice.
    public func set(_ parameter: String, to value: Double, over seconds: Double = 0) throws(SoundEventError) {
        let program = memory.tree.program
        guard let index = program.numbers.firstIndex(where: { $0.id == parameter }) else {
            throw program.mapped[parameter] == nil ? .unknownParameter(parameter) : .mappedParameter(parameter)
        }
        guard globals.numbers[parameter] == nil else { throw .sharedParameter(parameter) }
        guard !value.isNaN, !seconds.isNaN else { throw .notANumber(parameter) }
        let engine = try engine.present()
        let range = program.numbers[index].range
        var command = SceneCommand(.glide)
        (command.ramp, command.value) = (memory.numbers + index, min(range.upperBound, max(range.lowerBound, value)))
        command.frameCount = engine.frames(seconds)
        state.withLock { state in
            if state.isStarted {
                engine.running.send(command, to: memory)
            } else {
                memory.numbers[index] = Ramp(command.value)
            }
        }
    }

    /// Sets a text; a switch chooses by it at the start.
    ///
    /// Throws `unknownParameter` and `sharedParameter`.
    public func set(_ parameter: String, to text: String) throws(SoundEventError) {
        guard let index = memory.tree.program.texts.firstIndex(where: { $0.id == parameter }) else {
            throw .unknownParameter(parameter)
        }
        guard globals.texts[parameter] == nil else { throw .sharedParameter(parameter) }
        state.withLock { $0.texts[index] = text }
    }

    /// The rank under `SoundEngine.voiceLimit`, beside those of its samplers; events of a lower one are dropped first.
    public var priority: Int {
        get { state.withLock { $0.priority } }
        set {
            // The engine may go with this reference, outside of the lock.
            let engine = engine.engine
            state.withLock { state in
                state.priority = newValue
                guard state.isStarted, let engine else { return }
                var command = SceneCommand(.priority)
                command.count = newValue
                engine.running.send(command, to: memory)
            }
        }
    }

    /// Starts the event, at a frame of the engine or at the next block; a frame that has passed is the next block.
    ///
    /// The closure is called once when the event has ended: by a thread of the engine, or by `update()` in manual mode. Throws
    /// `alreadyStarted`, `tooManyEvents`, `tooManySpatialSounds`, `engineGone`, `noRenderer`, `notInScene` for a source or listener that has
    /// left, and `unknownAsset` for an asset that has been taken away. The closure is not called then.
    public func start(at frame: Int64? = nil, completion: (@Sendable (Ending) -> Void)? = nil) throws(SoundEventError) {
        let engine = try engine.present()
        try memory.checkPlaces()
        var claims: [AssetUse] = []
        let result = state.withLock { state -> Result<Void, SoundEventError> in
            guard !state.isStarted else { return .failure(.alreadyStarted) }
            var command = SceneCommand(.start)
            command.time = frame ?? .min
            do throws(SoundEventError) {
                try engine.running.start(self, command) { () throws(SoundEventError) in
                    let choice = memory.tree.choose(texts: texts(state.texts))
                    try memory.choose(choice.leaves, seed: choice.seed, engine.format)
                    memory.core.pointee.priority = state.priority
                } ended: {
                    completion?($0)
                }
            } catch {
                claims = memory.takeClaims()
                memory.giveVoicesBack()
                return .failure(error)
            }
            state.isStarted = true
            return .success(())
        }
        // Outside of the locks: the last release of an asset calls a closure of the program.
        for claim in claims { claim.release() }
        try result.get()
        // An end that has left the scene meanwhile has not found the event.
        do throws(SoundEventError) { try memory.checkPlaces() } catch { stop() }
    }

    /// The present texts: shared ones in the places of the event's own.
    private func texts(_ own: [String]) -> [String] {
        zip(memory.tree.program.texts, own).map { globals.texts[$0.id]?.value ?? $1 }
    }

    /// Starts the event, and returns when it has ended.
    ///
    /// Throws the errors of `start`.
    public func play(at frame: Int64? = nil) async throws(SoundEventError) -> Ending {
        let result: Result<Ending, SoundEventError> = await withCheckedContinuation { continuation in
            do throws(SoundEventError) {
                try start(at: frame) { continuation.resume(returning: .success($0)) }
            } catch { continuation.resume(returning: .failure(error)) }
        }
        return try result.get()
    }

    /// Fades out and waits; the sounds keep their places.
    public func pause() { send(.pause) }

    /// Goes on after a pause.
    public func resume() { send(.resume) }

    /// Goes to a time in seconds of every sound of the event; a sound that is shorter ends.
    ///
    /// Throws `notANumber` for a time that is not finite or below 0.
    public func seek(to seconds: Double) throws(SoundEventError) {
        guard seconds.isFinite, seconds >= 0 else { throw .notANumber("seek") }
        guard let engine = engine.engine else { return }
        var command = SceneCommand(.seek)
        command.value = seconds * engine.format.sampleRate
        send(command)
    }

    /// Fades out, and ends the event; it cannot be started again.
    public func stop() { send(.stop) }

    private func send(_ action: SceneCommand.Action) { send(SceneCommand(action)) }

    private func send(_ command: SceneCommand) {
        guard let engine = engine.engine else { return }
        var command = command
        command.frameCount = engine.frames(Self.fadeSeconds)
        state.withLock { state in if state.isStarted { engine.running.send(command, to: memory) } }
    }
}

/// An engine that may go.
struct SoundEngineBox: Sendable {
    private final class Weak: Sendable {
        private let box: Mutex<WeakEngine>
        init(_ engine: SoundEngine) { box = Mutex(WeakEngine(engine: engine)) }
        var engine: SoundEngine? { box.withLock { $0.engine } }
    }

    private struct WeakEngine { weak var engine: SoundEngine? }

    private let weak: Weak

    init(_ engine: SoundEngine) { weak = Weak(engine) }

    var engine: SoundEngine? { weak.engine }

    func present() throws(SoundEventError) -> SoundEngine {
        guard let engine else { throw .engineGone }
        return engine
    }
}
