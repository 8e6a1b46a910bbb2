// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of one event: its sounds, its parameters, and what they point to. Control thread; the render thread uses the memory.

import AudioFormats
import Rendering

/// Owns all that the render thread reads for one event.
///
/// Memory is allocated when the event is made and when it starts, by the caller. Its owner frees it when the render thread is done with it.
final class EventMemory: @unchecked Sendable {
    // SAFETY: before the start one thread at a time uses it, under the lock of its event. From then on the render thread uses the core,
    // and other threads its atomics.
    let tree: RegisteredTree
    let core: UnsafeMutablePointer<EventCore>
    private(set) var numbers: UnsafeMutablePointer<Ramp>
    /// The frames of each sound.
    private let sources: [EventSource]
    /// True once the event has been started.
    private var isStarted = false
    /// The buffers that were scheduled before the start.
    private var waiting: [StreamItem] = []
    private let groups: [SoundGroup?]
    /// The ends between which each sound is heard; nil for a channel mixer.
    private let places: [LeafPlace?]
    private let space: SceneSpace
    /// The voices of the started event.
    private var voices: [SpaceVoice] = []
    /// The shared parameters that take the places of the event's own.
    private let globals: [GlobalNumber?]
    private var envelopes: [EnvelopeTable] = []
    private var courses: [UnsafeMutablePointer<EnvelopeTable.Core>] = []
    private var stages: [UnsafeMutablePointer<StageCore>] = []
    private var routes: [UnsafeMutableBufferPointer<LeafRoute>] = []
    private var leaves: UnsafeMutablePointer<LeafCore>
    /// The assets that the started event holds.
    private var claims: [AssetUse] = []

    /// Makes an event's memory, without sounds before its start.
    init(
        _ tree: RegisteredTree, _ sources: [EventSource], _ groups: [SoundGroup?], _ globals: [GlobalNumber?],
        _ places: [LeafPlace?],
        _ space: SceneSpace
    ) {
        (self.places, self.space) = (places, space)
        (self.tree, self.sources, self.groups, self.globals) = (tree, sources, groups, globals)
        let numbers = UnsafeMutablePointer<Ramp>.allocate(capacity: max(1, tree.program.numbers.count))
        for (index, parameter) in tree.program.numbers.enumerated() { (numbers + index).initialize(to: Ramp(parameter.value)) }
        leaves = .allocate(capacity: 1)
        self.numbers = numbers
        core = .allocate(capacity: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: 0))
    }

    deinit {
        for item in waiting { item.tell() }
        core.deinitialize(count: 1)
        core.deallocate()
        numbers.deallocate()
        leaves.deallocate()
        for course in courses { course.deallocate() }
        for stage in stages { stage.deallocate() }
        for route in routes { route.deallocate() }
    }

    /// Makes the chosen sounds ready, for an output of these channels.
    ///
    /// Throws `noRenderer`, and `unknownAsset` if one has been taken away; then `takeClaims` returns the others. Throws
    /// `tooManySpatialSounds`.
    func choose(_ chosen: [Int], seed: UInt64, _ output: AudioFormat) throws(SoundEventError) {
        for stream in chosen.compactMap({ sources[$0].stream }) {
            if let renderer = stream.renderer, renderer.box == nil { throw .noRenderer(stream.id) }
        }
        for use in [tree.use] + chosen.compactMap({ sources[$0].use }) {
            guard use.claim() else { throw .unknownAsset(use.id) }
            claims.append(use)
        }
        let taken = try chosen.map { leaf throws(SoundEventError) in try takeVoice(leaf) }
        leaves.deallocate()
        leaves = .allocate(capacity: max(1, chosen.count))
        var seeds = SeededRandom(seed: seed)
        for (index, leaf) in chosen.enumerated() {
            (leaves + index).initialize(to: makeLeaf(leaf, taken[index], seeds.next(), output))
        }
        core.deinitialize(count: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: chosen.count))
    }

    /// The silent frames of streamed assets.
    var missingFrameCount: Int { sources.reduce(0) { $0 + $1.missingFrameCount } }

    // MARK: Under the lock of the running events

    /// Notes the start; returns the buffers that were scheduled before.
    func takeWaiting() -> [StreamItem] {
        defer { (isStarted, waiting) = (true, []) }
        return waiting
    }

    /// Schedules a buffer before the start; false after it.
    func schedule(_ item: StreamItem, _ stream: StreamMemory) -> Bool {
        guard !isStarted else { return false }
        stream.core.pointee.queue.add(item.core)
        waiting.append(item)
        return true
    }

    /// Sets what renders a pull stream; false after the start.
    func set(_ box: StreamBox, _ stream: StreamMemory) -> Bool {
        guard !isStarted else { return false }
        stream.renderer?.set(box)
        return true
    }

    /// Sets a value before the start; false after it.
    func set(_ command: SceneCommand) -> Bool {
        guard !isStarted else { return false }
        command.ramp?.pointee = Ramp(command.value)
        return true
    }

    /// The assets to release, once.
    func takeClaims() -> [AssetUse] {
        defer { claims = [] }
        return claims
    }

    /// The voice for a sound at a place; nil for a channel mixer.
    private func takeVoice(_ number: Int) throws(SoundEventError) -> SpaceVoice? {
        guard let place = places[number] else { return nil }
        let leaf = tree.program.leaves[number]
        let stages = VoiceStages(
            direct: leaf.direct.map { makeStages([$0], 0...1, nil).stages },
            room: leaf.room.map { makeStages([$0], 0...1, nil).stages })
        let voice = try space.take(place.voicePlace, stages)
        voices.append(voice)
        return voice
    }

    /// Gives the voices back, once: the render thread has let go of the event, or has never had it.
    func giveVoicesBack() {
        space.giveBack(voices)
        voices = []
    }

    /// True if one of the sounds is heard at these sources or by these listeners.
    func isHeard(at emitters: Set<ObjectIdentifier>) -> Bool {
        places.contains { $0?.emitters.contains { emitters.contains(ObjectIdentifier($0)) } ?? false }
    }

    /// Checks that all sources and listeners are in the scene.
    ///
    /// Throws `notInScene`.
    func checkPlaces() throws(SoundEventError) { for place in places { try place?.check() } }

    private func makeLeaf(_ number: Int, _ voice: SpaceVoice?, _ seed: UInt64, _ output: AudioFormat) -> LeafCore {
        let (leaf, source) = (tree.program.leaves[number], sources[number])
        let (settings, stream) = (leaf.settings, source.stream)
        let gains = makeStages(leaf.gains, 0...1, stream?.ramps)
        let rates = makeStages(leaf.rate.map { [$0] } ?? [], 0.25...4, stream.map { $0.ramps + 1 })
        let routes = makeRoutes(places[number]?.routes ?? Self.routes(source, settings.mixer, output))
        return LeafCore(
            source.core, LeafLife(settings.culling, SeededRandom(seed: seed)),
            level: settings.level * settings.mixer.gain * source.gain,
            rate: settings.rate, priority: settings.priority, gains: gains.stages, gainCount: gains.count, rates: rates.stages,
            rateCount: rates.count,
            group: groups[number].map { UnsafePointer($0.core) }, way: LeafWay(routes: routes, voice: voice?.core))
    }

    /// Makes the factors of a gain or a rate; `own` is one beside those of the tree.
    private func makeStages(
        _ stages: [TreeProgram.Stage], _ range: ClosedRange<Double>, _ own: UnsafeMutablePointer<Ramp>?
    ) -> (stages: UnsafeMutablePointer<StageCore>, count: Int) {
        let cores = UnsafeMutablePointer<StageCore>.allocate(capacity: stages.count + 1)
        for (index, stage) in stages.enumerated() {
            (cores + index).initialize(
                to: StageCore(
                    parameter: globals[stage.parameter]?.ramp ?? numbers + stage.parameter,
                    envelopes: makeCourses(stage.envelopes), envelopeCount: stage.envelopes.count,
                    lowest: range.lowerBound, highest: range.upperBound))
        }
        if let own {
            (cores + stages.count).initialize(
                to: StageCore(
                    parameter: UnsafePointer(own), envelopes: makeCourses([]), envelopeCount: 0, lowest: range.lowerBound,
                    highest: range.upperBound))
        }
        self.stages.append(cores)
        return (cores, stages.count + (own == nil ? 0 : 1))
    }

    private func makeCourses(_ envelopes: [Envelope]) -> UnsafePointer<EnvelopeTable.Core> {
        let courses = UnsafeMutablePointer<EnvelopeTable.Core>.allocate(capacity: max(1, envelopes.count))
        for (index, envelope) in envelopes.enumerated() {
            let table = EnvelopeTable(envelope)
            self.envelopes.append(table)
            (courses + index).initialize(to: table.core.pointee)
        }
        self.courses.append(courses)
        return UnsafePointer(courses)
    }

    private func makeRoutes(_ routes: [LeafRoute]) -> UnsafeBufferPointer<LeafRoute> {
        let memory = UnsafeMutableBufferPointer<LeafRoute>.allocate(capacity: routes.count)
        _ = memory.initialize(from: routes)
        self.routes.append(memory)
        return UnsafeBufferPointer(memory)
    }

    /// The routes to the output by the meanings of channels.
    private static func routes(_ source: EventSource, _ mixer: SoundMixer, _ output: AudioFormat) -> [LeafRoute] {
        ChannelMap.routes(from: source.channelCount, mixer.layout ?? source.layout, to: output.channels, output.layout)
            .map { LeafRoute(source: $0.source, destination: $0.destination, gain: $0.gain) }
    }
}
