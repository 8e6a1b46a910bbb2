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
    private let assets: [SoundAsset]
    private let groups: [SoundGroup?]
    /// The ends between which each sound is heard; nil for a channel mixer.
    private let places: [LeafPlace?]
    private let space: SceneSpace
    /// The voices of the started event.
    private var voices: [SpaceVoice] = []
    private var envelopes: [EnvelopeTable] = []
    private var stages: [UnsafeMutablePointer<StageCore>] = []
    private var routes: [UnsafeMutableBufferPointer<LeafRoute>] = []
    private var leaves: UnsafeMutablePointer<LeafCore>
    /// The assets that the started event holds.
    private var claims: [AssetUse] = []

    /// Makes an event's memory, without sounds before its start.
    init(_ tree: RegisteredTree, _ assets: [SoundAsset], _ groups: [SoundGroup?], _ places: [LeafPlace?], _ space: SceneSpace) {
        (self.tree, self.assets, self.groups, self.places, self.space) = (tree, assets, groups, places, space)
        let numbers = UnsafeMutablePointer<Ramp>.allocate(capacity: max(1, tree.program.numbers.count))
        for (index, parameter) in tree.program.numbers.enumerated() { (numbers + index).initialize(to: Ramp(parameter.value)) }
        leaves = .allocate(capacity: 1)
        self.numbers = numbers
        core = .allocate(capacity: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: 0, numbers: numbers))
    }

    deinit {
        core.deinitialize(count: 1)
        core.deallocate()
        numbers.deallocate()
        leaves.deallocate()
        for stage in stages { stage.deallocate() }
        for route in routes { route.deallocate() }
    }

    /// Makes the chosen sounds ready, for an output of these channels.
    ///
    /// Throws `unknownAsset` if one has been taken away; then `takeClaims` returns the others. Throws `tooManySpatialSounds`.
    func choose(_ chosen: [Int], _ output: AudioFormat) throws(SoundEventError) {
        for use in [tree.use] + chosen.map({ assets[$0].use }) {
            guard use.claim() else { throw .unknownAsset(use.id) }
            claims.append(use)
        }
        let taken = try chosen.map { leaf throws(SoundEventError) in try takeVoice(leaf) }
        leaves.deallocate()
        leaves = .allocate(capacity: max(1, chosen.count))
        for (index, leaf) in chosen.enumerated() { (leaves + index).initialize(to: makeLeaf(leaf, taken[index], output)) }
        core.deinitialize(count: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: chosen.count, numbers: numbers))
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
            direct: leaf.direct.map { makeStages([$0], 0...1) }, room: leaf.room.map { makeStages([$0], 0...1) })
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

    private func makeLeaf(_ number: Int, _ voice: SpaceVoice?, _ output: AudioFormat) -> LeafCore {
        let (leaf, asset) = (tree.program.leaves[number], assets[number])
        let gains = makeStages(leaf.gains, 0...1)
        let rate = leaf.rate.map { makeStages([$0], 0.25...4) }
        let routes = makeRoutes(places[number]?.routes ?? Self.routes(asset, leaf.sampler.mixer, output))
        var core = LeafCore(
            channels: asset.audio.channels, frameCount: asset.audio.frameCount,
            isLooping: leaf.sampler.playback == .looping, level: leaf.sampler.level * leaf.sampler.mixer.gain,
            rate: leaf.sampler.rate,
            gains: gains, gainCount: leaf.gains.count, rateStage: rate.map { UnsafePointer($0) },
            group: groups[number].map { UnsafePointer($0.core) },
            way: LeafWay(routes: routes, voice: voice?.core))
        core.isPlaying = true
        return core
    }

    private func makeStages(_ stages: [TreeProgram.Stage], _ range: ClosedRange<Double>) -> UnsafeMutablePointer<StageCore> {
        let cores = UnsafeMutablePointer<StageCore>.allocate(capacity: max(1, stages.count))
        for (index, stage) in stages.enumerated() {
            let table = stage.envelope.map { EnvelopeTable($0) }
            if let table { envelopes.append(table) }
            (cores + index).initialize(
                to: StageCore(
                    parameter: numbers + stage.parameter, envelope: table.map { UnsafePointer($0.core) }, lowest: range.lowerBound,
                    highest: range.upperBound))
        }
        self.stages.append(cores)
        return cores
    }

    private func makeRoutes(_ routes: [LeafRoute]) -> UnsafeBufferPointer<LeafRoute> {
        let memory = UnsafeMutableBufferPointer<LeafRoute>.allocate(capacity: routes.count)
        _ = memory.initialize(from: routes)
        self.routes.append(memory)
        return UnsafeBufferPointer(memory)
    }

    /// The routes to the output by the meanings of channels.
    private static func routes(_ asset: SoundAsset, _ mixer: SoundMixer, _ output: AudioFormat) -> [LeafRoute] {
        ChannelMap.routes(from: asset.audio.channelCount, mixer.layout ?? asset.layout, to: output.channels, output.layout)
            .map { LeafRoute(source: $0.source, destination: $0.destination, gain: $0.gain) }
    }
}
