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
    /// The shared parameters that take the places of the event's own.
    private let globals: [GlobalNumber?]
    private var envelopes: [EnvelopeTable] = []
    private var courses: [UnsafeMutablePointer<EnvelopeTable.Core>] = []
    private var stages: [UnsafeMutablePointer<StageCore>] = []
    private var routes: [UnsafeMutablePointer<LeafRoute>] = []
    private var leaves: UnsafeMutablePointer<LeafCore>
    /// The assets that the started event holds.
    private var claims: [AssetUse] = []

    /// Makes an event's memory, without sounds before its start.
    init(_ tree: RegisteredTree, _ assets: [SoundAsset], _ groups: [SoundGroup?], _ globals: [GlobalNumber?]) {
        (self.tree, self.assets, self.groups, self.globals) = (tree, assets, groups, globals)
        let numbers = UnsafeMutablePointer<Ramp>.allocate(capacity: max(1, tree.program.numbers.count))
        for (index, parameter) in tree.program.numbers.enumerated() { (numbers + index).initialize(to: Ramp(parameter.value)) }
        leaves = .allocate(capacity: 1)
        self.numbers = numbers
        core = .allocate(capacity: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: 0))
    }

    deinit {
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
    /// Throws `unknownAsset` if one has been taken away; then `takeClaims` returns the others.
    func choose(_ chosen: [Int], seed: UInt64, _ output: AudioFormat) throws(SoundEventError) {
        for use in [tree.use] + chosen.map({ assets[$0].use }) {
            guard use.claim() else { throw .unknownAsset(use.id) }
            claims.append(use)
        }
        leaves.deallocate()
        leaves = .allocate(capacity: max(1, chosen.count))
        var seeds = SeededRandom(seed: seed)
        for (index, leaf) in chosen.enumerated() { (leaves + index).initialize(to: makeLeaf(leaf, seeds.next(), output)) }
        core.deinitialize(count: 1)
        core.initialize(to: EventCore(leaves: leaves, leafCount: chosen.count))
    }

    /// The assets to release, once.
    func takeClaims() -> [AssetUse] {
        defer { claims = [] }
        return claims
    }

    private func makeLeaf(_ number: Int, _ seed: UInt64, _ output: AudioFormat) -> LeafCore {
        let (leaf, asset) = (tree.program.leaves[number], assets[number])
        let source = LeafSource(
            channels: asset.audio.channels, frameCount: asset.audio.frameCount, isLooping: leaf.sampler.playback == .looping)
        let gains = makeStages(leaf.gains, 0...1)
        let rate = leaf.rate.map { makeStages([$0], 0.25...4) }
        let ways = makeRoutes(asset, leaf.sampler.mixer, output)
        return LeafCore(
            source, LeafLife(leaf.sampler.culling, SeededRandom(seed: seed)), level: leaf.sampler.level * leaf.sampler.mixer.gain,
            rate: leaf.sampler.rate, priority: leaf.sampler.priority, gains: gains, gainCount: leaf.gains.count,
            rateStage: rate.map { UnsafePointer($0) },
            group: groups[number].map { UnsafePointer($0.core) }, routes: ways.routes, routeCount: ways.count)
    }

    private func makeStages(_ stages: [TreeProgram.Stage], _ range: ClosedRange<Double>) -> UnsafeMutablePointer<StageCore> {
        let cores = UnsafeMutablePointer<StageCore>.allocate(capacity: max(1, stages.count))
        for (index, stage) in stages.enumerated() {
            (cores + index).initialize(
                to: StageCore(
                    parameter: globals[stage.parameter]?.ramp ?? numbers + stage.parameter,
                    envelopes: makeCourses(stage.envelopes), envelopeCount: stage.envelopes.count,
                    lowest: range.lowerBound, highest: range.upperBound))
        }
        self.stages.append(cores)
        return cores
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

    private func makeRoutes(
        _ asset: SoundAsset, _ mixer: SoundMixer, _ output: AudioFormat
    ) -> (routes: UnsafeMutablePointer<LeafRoute>, count: Int) {
        let found = ChannelMap.routes(
            from: asset.audio.channelCount, mixer.layout ?? asset.layout, to: output.channels, output.layout)
        let routes = UnsafeMutablePointer<LeafRoute>.allocate(capacity: max(1, found.count))
        for (index, route) in found.enumerated() {
            (routes + index).initialize(to: LeafRoute(source: route.source, destination: route.destination, gain: route.gain))
        }
        self.routes.append(routes)
        return (routes, found.count)
    }
}

extension SoundMixer {
    var gain: Double {
        switch self {
        case .channel(let mixer): mixer.gain
        }
    }

    var layout: ChannelLayout? {
        switch self {
        case .channel(let mixer): mixer.layout
        }
    }
}
