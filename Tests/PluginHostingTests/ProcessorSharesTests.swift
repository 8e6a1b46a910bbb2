// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Which unit renders on which processor when the host does not wait for them.

import LinuxSystem
import Testing

@testable import PluginHosting

@Suite struct ProcessorSharesTests {
    @Test func whoIsAskedGoesWhereTheFewestAreAtWork() {
        let shares = ProcessorShares([3, 5], unitCount: 3)
        let processors = (0..<shares.count).map { shares.processor(of: $0) }
        #expect(processors == [3, 5])
        shares.add(0, isAwaited: false)
        let best = [ProcessorShares.none, 0, 1].map { shares.best(for: $0) }
        #expect(best == [1, 1, 1])
        shares.add(1, isAwaited: true)
        let same = [ProcessorShares.none, 0, 1].map { shares.best(for: $0) }
        #expect(same == [0, 0, 1])
        let unheard = [ProcessorShares.none, 0, 1].map { shares.isUnheard($0) }
        #expect(unheard == [false, true, false])
    }

    /// The remedy for units that work on the processors `places`, on a machine with `processorCount` processors.
    private func imbalance(_ places: [ProcessorShares.Share], processorCount: Int) -> (places: [Int]?, hasQueue: Bool) {
        let shares = ProcessorShares(Set(0..<processorCount), unitCount: 9)
        places.forEach { shares.add($0, isAwaited: true) }
        return (shares.imbalance.map { [$0.crowded, $0.idle] }, shares.hasQueue)
    }

    @Test func onlyWhoWaitsIsMovedAndOnlyToWhereNobodyIs() {
        #expect(imbalance([], processorCount: 3) == (nil, false))
        #expect(imbalance([0, 1], processorCount: 3) == (nil, false))
        #expect(imbalance([0, 1, 1], processorCount: 3) == ([1, 2], true))
        #expect(imbalance([0, 1, 1, 2], processorCount: 3) == (nil, true))
        #expect(imbalance([ProcessorShares.none, ProcessorShares.none], processorCount: 3) == (nil, false))
        #expect(imbalance([], processorCount: 1) == (nil, false))
    }

    @Test func whereEachUnitHasAProcessorOfItsOwnTheKernelChooses() {
        let counts = [[0, 1, 2, 3], [0, 1, 2], [0], []].map { ProcessorShares($0, unitCount: 3).count }
        #expect(counts == [0, 0, 0, 0])
        let count = ProcessorShares([0, 1], unitCount: 3).count
        #expect(count == 2)
    }

    private func bench(unitCount: Int, _ order: RenderOrder) throws -> Bench {
        let links = try (0..<unitCount).map { _ in BenchUnit(try Build.unit("Distortion")) }
        return try Bench(
            links, input: [TestSignal.sine(frames: 48_000)], maximumFrameCount: 1024, isLooping: true,
            policy: order.policy(frameCount: 1024))
    }

    private func processors(of row: UnitRow) -> [Set<Int>] {
        row.members.map { member in member.unit.renderThread.map { Scheduling.processors(ofThread: $0) } ?? [] }
    }

    /// With one more unit than there are processors every unit moves in turn.
    ///
    /// Otherwise one processor would have two units for good, and the others would wait for it.
    @Test(.enabled(if: Scheduling.ownProcessors.count > 1, "there is one processor here"))
    func oneUnitMoreThanThereAreProcessorsIsEverybodysTurn() throws {
        var bench = try bench(unitCount: Scheduling.ownProcessors.count + 1, .ahead)
        bench.row.place(processor: nil, below: .ordinary)
        var seen = bench.row.members.map { _ in Set<Int>() }
        // The last unit gets its request when its first block has come through all others, and is bound some blocks later.
        for _ in 0..<8 + seen.count { _ = bench.render(1024) }
        // The observing thread needs a processor too, and then there is one for each unit. On a slow machine that takes many
        // blocks.
        for _ in 0..<300 where !seen.contains(where: { $0.count > 1 }) {
            for _ in 0..<10 { _ = bench.render(1024) }
            let places = processors(of: bench.row)
            #expect(places.allSatisfy { $0.count == 1 })
            for (index, place) in places.enumerated() { seen[index].formUnion(place) }
        }
        #expect(seen.reduce(Set()) { $0.union($1) } == Scheduling.ownProcessors)
        #expect(seen.contains { $0.count > 1 })
    }

    @Test(.enabled(if: Scheduling.ownProcessors.count > 1, "there is one processor here")) func aChainThatHasAPlaceKeepsIt() throws
    {
        let processor = try #require(Scheduling.ownProcessors.min())
        var bench = try bench(unitCount: 3, .ahead)
        bench.row.place(processor: processor, below: .ordinary)
        for _ in 0..<20 { _ = bench.render(1024) }
        #expect(processors(of: bench.row).allSatisfy { $0 == [processor] })
    }

    @Test func nobodyIsBoundToWhatIsNoProcessor() {
        #expect(!Scheduling.bind(0, to: -1))
        #expect(!Scheduling.bind(0, to: 1024))
        #expect(!Scheduling.bind(0, to: 1023))
    }
}
