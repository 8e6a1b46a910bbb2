// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An engine for sound events: assets, groups, and a node in an audio graph. Any thread but the render thread.

import AudioFormats
import AudioGraph
import Rendering
import Synchronization

/// Plays sound events in an audio graph.
///
/// `[any]` but the render thread. It adds one node to an `AudioEngine`, connected to the main mixer; reconnect `node` as you like. All events
/// are voices of that node: starting one is no edit of the graph.
///
/// The same calls at the same frames make the same bits, whatever the blocks are: choices by chance come from `seed`.
public final class SoundEngine: Sendable {
    /// The time at which calls take effect.
    public enum UpdateMode: Hashable, Sendable {
        /// With the next block after each call.
        case automatic
        /// All calls since the last `update()` together, with the next block after it.
        case manual
    }

    /// The most events that play or wait.
    public static let mostEvents = RunningEvents.most

    /// The time at which calls take effect.
    public let updateMode: UpdateMode
    /// The sounds and the trees.
    public let assets: AssetRegistry
    /// The node in the audio graph.
    public let node: AudioNode
    /// The rate and the channels of the node.
    public let format: AudioFormat

    /// The objects among which sounds with a place are heard.
    public let scene: SoundScene

    let running: RunningEvents
    let room = SceneRoom()
    let globals = Mutex(GlobalParameters())
    let preset = Mutex<GroupPreset?>(nil)
    private let limit = Mutex<Int?>(nil)
    private let groups = Mutex<[String: SoundGroup]>([:])

    /// Adds a node for sound events to an audio graph, in the format of its output.
    ///
    /// Throws `graph` if the audio graph refuses it.
    public init(in engine: AudioEngine, updateMode: UpdateMode = .automatic, seed: UInt64 = 1) throws(SoundEventError) {
        self.updateMode = updateMode
        let output = engine.mainMixerNode.outputFormat(forBus: 0) ?? AudioFormat(sampleRate: 48_000, channelCount: 2)
        format = output
        assets = AssetRegistry(sampleRate: output.sampleRate, seed: seed)
        running = RunningEvents(
            isManual: updateMode == .manual, fadeFrameCount: Self.frames(SoundEvent.fadeSeconds, output.sampleRate),
            SceneSpace(output))
        scene = SoundScene(running, isManual: updateMode == .manual, sampleRate: output.sampleRate)
        node = AudioNode(name: "Sound events", body: SceneBody(running, room, format: output))
        do throws(AudioEngineError) {
            try engine.edit("add sound events") { () throws(AudioEngineError) in
                _ = try engine.attach(node).get()
                try engine.connect(node, to: engine.mainMixerNode, format: output)
            }
        } catch { throw .graph(error) }
    }

    deinit {
        scene.graph.forgetMoves()
        running.stopAll(fadeFrameCount: frames(SoundEvent.fadeSeconds))
    }

    /// The engine's frame at which the next block begins.
    public var nextFrame: Int64 { running.core.pointee.now.load(ordering: .relaxed) }

    /// The events that play, pause or wait, in the order of their starts.
    public var events: [SoundEvent] { running.events }

    /// Lets all calls since the last update take effect together, and calls the closures of events that have ended.
    ///
    /// In automatic mode both happen by themselves.
    public func update() {
        scene.graph.update()
        running.update()
    }

    /// The most sounds at a time; nil for no limit, which is the default.
    ///
    /// A negative one counts as 0. When there are more, sounds of the lowest priority go first, then those farthest away, then the oldest.
    /// Each fades within 5 ms, and does not count meanwhile. A sound that begins and would go at once does not begin. An event whose sounds
    /// have all been taken ends as `dropped`; any other one goes on without them. Sounds that pause or sleep do not count.
    public var voiceLimit: Int? {
        get { limit.withLock { $0 } }
        set {
            limit.withLock { limit in
                limit = newValue.map { max(0, $0) }
                var command = SceneCommand(.limit)
                command.count = limit ?? .max
                running.send([command])
            }
        }
    }

    /// The bytes that each sampler of a streamed asset reads ahead, at most.
    public static let readAheadByteCount = 1 << 18

    /// The silent frames that streamed assets have played so far because their files had not been read in time.
    public var missingFrameCount: Int { running.facts.pointee.missingCount.load(ordering: .relaxed) }

    /// The number of sounds that the limit on voices has taken so far.
    public var droppedVoiceCount: Int { running.core.pointee.droppedCount.load(ordering: .relaxed) }

    /// Makes a group.
    ///
    /// Throws `alreadyRegistered`.
    public func addGroup(_ id: String) throws(SoundEventError) -> SoundGroup {
        let group = SoundGroup(id, in: self)
        let isNew = groups.withLock { groups in
            guard groups[id] == nil else { return false }
            groups[id] = group
            return true
        }
        guard isNew else { throw .alreadyRegistered(id) }
        running.keep(group)
        return group
    }

    func existingGroup(_ id: String) -> SoundGroup? { groups.withLock { $0[id] } }

    func group(_ id: String) throws(SoundEventError) -> SoundGroup {
        guard let group = existingGroup(id) else { throw .unknownGroup(id) }
        return group
    }

    /// The groups of these identifiers, in their order.
    func groups(_ ids: Set<String>) throws(SoundEventError) -> [SoundGroup] {
        var found: [SoundGroup] = []
        for id in ids.sorted() { found.append(try group(id)) }
        return found
    }

    func updateAudibleGroups() {
        let groups = groups.withLock { Array($0.values) }
        let anySolo = groups.contains(where: \.isSolo)
        running.send(groups.map { $0.audibility(anySolo: anySolo, frameCount: frames(SoundEvent.fadeSeconds)) })
    }

    /// The frames of a time in seconds, from 0 on.
    func frames(_ seconds: Double) -> Int64 { Self.frames(seconds, format.sampleRate) }

    private static func frames(_ seconds: Double, _ sampleRate: Double) -> Int64 {
        Int64(Int(nearestFrame: max(0, seconds) * sampleRate))
    }
}
