// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The same samples in and out of process, at every block size, alone and in rows.

import AudioUnits
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct EqualityTests {
    private static let frameCount = 12_000

    /// Automation of every parameter that can ramp, and one step of each that cannot.
    private func lanes(of unit: HostedUnit, using random: inout SeededRandom) -> [AutomationLane] {
        unit.parameters.parameters.filter { $0.parameter.flags.isDisjoint(with: [.readOnly, .meter]) }.map { _, parameter in
            let points = ([0, 1500, 4000, 4001, 9000] as [Int64]).map { time in
                let value = Double.random(in: parameter.range, using: &random)
                return AutomationLane.Point(
                    sampleTime: time, value: parameter.flags.contains(.integer) ? value.rounded() : value)
            }
            return AutomationLane(address: parameter.address, points: points, ramps: parameter.flags.contains(.canRamp))
        }
    }

    /// Renders noise through a row of `components`.
    ///
    /// The same seed makes the same noise and automation.
    private func render(
        _ components: [Component], inProcess: (Int) -> Bool, blocks: [Int], seed: UInt64, isAutomated: Bool = true
    ) throws -> [[UInt32]] {
        var random = SeededRandom(seed: seed)
        let input = (0..<2).map { _ in TestSignal.noise(frames: Self.frameCount, using: &random) }
        let links = try components.enumerated().map { index, component in
            let unit = try HostedUnit(component, inProcess: inProcess(index))
            return BenchUnit(unit, automation: isAutomated ? lanes(of: unit, using: &random) : [])
        }
        var bench = try Bench(links, input: input, maximumFrameCount: 4096)
        let output = bench.render(blocks: blocks)
        #expect(bench.row.members.allSatisfy { $0.faults.records.isEmpty })
        return output.map { $0.map(\.bitPattern) }
    }

    private func blocks(of size: Int) -> [Int] {
        [Int](repeating: size, count: Self.frameCount / size) + [Self.frameCount % size].filter { $0 > 0 }
    }

    private func expectEquality(_ component: Component, blocks: [Int], seed: UInt64) throws {
        let apart = try render([component], inProcess: { _ in false }, blocks: blocks, seed: seed)
        let within = try render([component], inProcess: { _ in true }, blocks: blocks, seed: seed)
        #expect(apart == within, "\(component.name), seed \(seed), blocks \(blocks.prefix(5))…")
    }

    /// In blocks of one frame there are 72,000 hand-offs for each; a third of the effects has them, or all in `make deep`.
    @Test(.timeLimit(.minutes(15)), arguments: [1, 31, 32, 64, 127, 512, 4096])
    func everyEffectSoundsTheSameInAndOutOfProcess(blockSize: Int) throws {
        let effects = Build.effects.filter(\.consentsToInProcess)
        for effect in blockSize == 1 ? Sample.of(effects, oneIn: 3) : effects {
            try expectEquality(effect, blocks: blocks(of: blockSize), seed: 1)
        }
    }

    @Test(.timeLimit(.minutes(15))) func everyEffectSoundsTheSameAtRandomBlockSizes() throws {
        let seed = Seed.chosen
        for effect in Build.effects where effect.consentsToInProcess {
            var random = SeededRandom(seed: seed)
            var blocks: [Int] = []
            while blocks.reduce(0, +) < Self.frameCount - 4096 { blocks.append(.random(in: 1...4096, using: &random)) }
            try expectEquality(effect, blocks: blocks, seed: seed)
        }
    }

    /// Sets every parameter to a value drawn from `random`, but for a rate: here each unit is given one frame for each.
    private func scatter(_ unit: HostedUnit, using random: inout SeededRandom) throws {
        for (keyPath, parameter) in unit.parameters.parameters
        where parameter.flags.isDisjoint(with: [.readOnly, .meter]) {
            if keyPath == "rate", unit.description.flags.contains(.stretchesTime) { continue }
            let value = Double.random(in: parameter.range, using: &random)
            try unit.set(keyPath, to: parameter.flags.contains(.integer) ? value.rounded() : value)
        }
    }

    private func bits(_ output: [[Float]]) -> [[UInt32]] { output.map { $0.map(\.bitPattern) } }

    @Test(.timeLimit(.minutes(15))) func everyEffectRestoresItsStateBitForBitAndForgetsAllSoundOnReset() throws {
        let seed = Seed.chosen
        for effect in Build.effects {
            var random = SeededRandom(seed: seed)
            let noise = (0..<2).map { _ in TestSignal.noise(frames: 8192, using: &random) }
            let original = try HostedUnit(effect)
            try scatter(original, using: &random)
            let copy = try HostedUnit(effect)
            try copy.restoreState(try original.saveState())
            var first = try Bench([original], input: noise, isLooping: true)
            var second = try Bench([copy], input: noise, isLooping: true)
            let fresh = bits(first.render(blocks: [Int](repeating: 512, count: 16)))
            #expect(bits(second.render(blocks: [Int](repeating: 512, count: 16))) == fresh, "\(effect.name), seed \(seed)")
            // The noise starts again, and so does a unit that was reset.
            try original.reset()
            #expect(bits(first.render(blocks: [Int](repeating: 512, count: 16))) == fresh, "\(effect.name) reset, seed \(seed)")
        }
    }

    @Test(.timeLimit(.minutes(15))) func gainSoundsTheSameAtEveryBlockSize() throws {
        let gain = try Build.component("Gain")
        let reference = try render([gain], inProcess: { _ in false }, blocks: blocks(of: 4096), seed: 2)
        for size in [1, 31, 64, 127, 512] {
            #expect(try render([gain], inProcess: { _ in false }, blocks: blocks(of: size), seed: 2) == reference, "\(size)")
        }
    }

    @Test(.timeLimit(.minutes(15)), arguments: [1, 3, 16])
    func aChainThatHandsOnSoundsLikeOneInTheHost(count: Int) throws {
        let row = [Component](repeating: try Build.component("Gain"), count: count)
        let sizes = [512, 1, 333, 4096, 64, 64, 2000]
        let within = try render(row, inProcess: { _ in true }, blocks: sizes, seed: 3)
        #expect(try render(row, inProcess: { _ in false }, blocks: sizes, seed: 3) == within)
        #expect(try render(row, inProcess: { $0 % 3 == 1 }, blocks: sizes, seed: 3) == within)
    }
}
