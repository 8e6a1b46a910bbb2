// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Curves, envelopes and trees, before anything sounds. Test thread.

import Testing

@testable import SoundEvents

@Suite struct DefinitionTests {
    @Test(arguments: FadeCurve.allCases) func eachCurveRisesFrom0To1(curve: FadeCurve) {
        #expect(curve.share(at: 1) == 1 && curve.share(at: 2) == 1)
        #expect(curve.share(at: -1) == curve.share(at: 0) && curve.share(at: .nan) == curve.share(at: 0))
        #expect(curve.share(at: 0) == (curve == .jumpToEndValue ? 1 : 0))
        let values = (0...100).map { curve.share(at: Double($0) / 100) }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } && values.allSatisfy { (0...1).contains($0) })
    }

    @Test func curvesHaveTheirNames() {
        let quarter = Dictionary(uniqueKeysWithValues: FadeCurve.allCases.map { ($0, $0.share(at: 0.25)) })
        let wanted: [FadeCurve: Double] = [
            .linear: 0.25, .squared: 0.0625, .inverseSquared: 0.4375, .cubed: 0.015_625, .inverseCubed: 0.578_125,
            .sine: 0.382_683_432, .inverseSine: 0.076_120_467, .sigmoid: 0.125, .inverseSigmoid: 0.353_553_391, .holdStartValue: 0,
            .jumpToEndValue: 1,
        ]
        for (curve, share) in wanted { #expect(abs((quarter[curve] ?? -1) - share) < 1e-9, "\(curve)") }
        for x in stride(from: 0.05, to: 1, by: 0.05) {
            #expect(abs(FadeCurve.inverseSigmoid.share(at: FadeCurve.sigmoid.share(at: x)) - x) < 1e-12)
        }
    }

    private func envelope(_ start: (Double, Double), _ ends: [(Double, Double, FadeCurve)]) -> Envelope? {
        let segments = ends.map { Envelope.Segment(to: Envelope.Point(x: $0.0, y: $0.1), $0.2) }
        return Envelope(start: Envelope.Point(x: start.0, y: start.1), segments: segments)
    }

    @Test func anEnvelopeSortsItsSegmentsAndIsFlatOutside() throws {
        let envelope = try #require(self.envelope((1, 0), [(3, 1, .squared), (2, 4, .linear), (3, 7, .linear)]))
        let wanted: [(Double, Double)] = [(-5, 0), (1, 0), (1.5, 2), (2, 4), (2.5, 3.25), (3, 7), (9, 7), (.nan, 0)]
        for (x, y) in wanted { #expect(envelope.value(at: x) == y, "at \(x)") }
        #expect(envelope.range == 0...7)
        #expect(try #require(self.envelope((2, 5), [])).value(at: 100) == 5)
    }

    @Test func anEnvelopeThatCannotBeIsNil() {
        #expect(envelope((2, 0), [(1, 1, .linear)]) == nil)
        #expect(envelope((0, .nan), []) == nil && envelope((0, 0), [(.infinity, 1, .linear)]) == nil)
        let node = EventBench.sampler("ramp")
        #expect(Blend.Range(below: 1, fullAt: 2, node) == nil && Blend.Range(above: 2, fullAt: 1, node) == nil)
        #expect(Blend.Range(from: 0, fullFrom: 2, to: 1, 3, node) == nil)
    }

    private func reason(_ root: SoundNode) -> String? {
        do throws(SoundEventError) {
            _ = try TreeProgram(root, id: "t")
            return nil
        } catch {
            if case .tree("t", let reason) = error { return reason }
            return "\(error)"
        }
    }

    @Test func aTreeThatCannotPlayIsRefusedWithItsReason() {
        let node = EventBench.sampler("ramp")
        #expect(reason(node) == nil)
        #expect(reason(.container([])) == "it has no sampler and no stream")
        #expect(reason(.random(RandomChoice([]))) == "a random choice has no nodes")
        #expect(
            reason(.random(RandomChoice([(node, .nan)])))
                == "the weights and the queue of a random choice must be numbers of 0 or more")
        #expect(reason(.random(RandomChoice([(node, 1)], uniqueSelectionQueueLength: -1)))?.contains("queue") == true)
        #expect(reason(EventBench.sampler("ramp") { $0.level = -1 })?.contains("-1.0, and not 0 or more") == true)
        #expect(reason(EventBench.sampler("ramp") { $0.rate = .infinity })?.contains("rate") == true)
        let (one, two) = (NumberParameter("x", value: 1), NumberParameter("x", value: 2))
        let tree = SoundNode.container([
            EventBench.sampler("ramp") { $0.gain = SteeredValue(one) }, EventBench.sampler("ramp") { $0.gain = SteeredValue(two) },
        ])
        #expect(reason(tree) == "two parameters \"x\" have different values or ranges")
        let mixed = SoundNode.choice(
            TextChoice(TextParameter("x", value: ""), [("", EventBench.sampler("ramp") { $0.gain = SteeredValue(one) })]))
        #expect(reason(mixed) == "\"x\" is a text and a number")
    }

    /// 10,000 starts; the bound is that of one error in a thousand for one degree of freedom.
    @Test(arguments: [[2.0, 1], [9, 7], [0.2, 1]]) func chanceFollowsTheWeights(weights: [Double]) throws {
        let nodes = weights.map { (node: EventBench.sampler("ramp"), weight: $0) }
        let program = try TreeProgram(.random(RandomChoice(nodes)), id: "t")
        var choices = TreeChoices(program, seed: 7)
        var counts = Array(repeating: 0.0, count: weights.count)
        for _ in 0..<10_000 { counts[choices.leaves(of: program, texts: [])[0]] += 1 }
        let real = weights.map { max(1, $0) }
        let wanted = real.map { $0 / real.reduce(0, +) * 10_000 }
        let chiSquare = zip(counts, wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) / $1.1 }
        #expect(chiSquare < 10.83, "\(counts)")
    }

    @Test(arguments: 0...5) func aChoiceDoesNotRepeatWithinItsQueue(length: Int) throws {
        let nodes = (0..<4).map { _ in (node: EventBench.sampler("ramp"), weight: 1.0) }
        let program = try TreeProgram(.random(RandomChoice(nodes, uniqueSelectionQueueLength: length)), id: "t")
        var choices = TreeChoices(program, seed: 3)
        let order = (0..<500).map { _ in choices.leaves(of: program, texts: [])[0] }
        let reach = min(length, 3)
        for index in reach..<order.count { #expect(!order[(index - reach)..<index].contains(order[index])) }
        #expect(Set(order).count == 4)
        if length == 0 { #expect(zip(order, order.dropFirst()).contains { $0 == $1 }) }
    }

    @Test func theSameSeedChoosesTheSame() throws {
        let nodes = (0..<8).map { _ in (node: EventBench.sampler("ramp"), weight: 1.0) }
        let program = try TreeProgram(.random(RandomChoice(nodes)), id: "t")
        let orders = ([1, 1, 2] as [UInt64]).map { seed in
            var choices = TreeChoices(program, seed: seed)
            return (0..<100).map { _ in choices.leaves(of: program, texts: [])[0] }
        }
        #expect(orders[0] == orders[1] && orders[0] != orders[2])
    }
}
