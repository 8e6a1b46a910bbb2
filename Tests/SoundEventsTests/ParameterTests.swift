// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Parameters that follow others, and parameters that all events share. Test thread.

import Testing

@testable import SoundEvents

@Suite(.timeLimit(.minutes(2))) struct ParameterTests {
    /// A course from (0, `first`) to (`x`, `last`).
    private func course(_ first: Double, _ x: Double, _ last: Double, _ curve: FadeCurve = .linear) throws -> Envelope {
        try #require(Envelope(start: .init(x: 0, y: first), segments: [.init(to: .init(x: x, y: last), curve)]))
    }

    private let height = NumberParameter("height", value: 2, range: 0...10)

    @Test(arguments: [1, 100, 512]) func aMappedParameterFollowsItsSource(block: Int) throws {
        let bench = try EventBench()
        let wind = NumberParameter("wind", following: height, by: try course(0, 10, 100))
        let level = NumberParameter("level", following: wind, by: try course(1, 100, 0, .squared))
        #expect(wind.value == 20 && wind.range == 0...100 && abs(level.value - 0.96) < 1e-12)
        let event = try bench.event(EventBench.sampler("long") { $0.gain = SteeredValue(level, by: nil) })
        try event.start()
        expect(try bench.render(100, block: block)) { _ in 0.96 }
        try event.set("height", to: 7, over: 0.01)
        expect(try bench.render(1000, block: block)) { frame in
            let share = (2 + 5 * min(1, Double(frame) / 480)) / 10
            return 1 - share * share
        }
        do throws(SoundEventError) {
            try event.set("wind", to: 1)
            Issue.record("It has been set.")
        } catch { #expect("\(error)" == "The parameter \"wind\" follows another one: set that one.") }
    }

    @Test func aBlendByAMappedParameter() throws {
        let bench = try EventBench()
        let wind = NumberParameter("wind", following: height, by: try course(0, 10, 1))
        let range = try #require(Blend.Range(above: 0, fullAt: 1, EventBench.sampler("long")))
        try bench.event(.blend(Blend(wind, [range]))).start()
        expect(try bench.render(100)) { _ in 0.2 }
    }

    @Test func mappedParametersThatContradictAreRefused() throws {
        let bench = try EventBench()
        func refuses(_ parameters: NumberParameter...) -> Bool {
            do throws(SoundEventError) {
                let nodes = parameters.map { parameter in EventBench.sampler("ramp") { $0.gain = SteeredValue(parameter) } }
                _ = try TreeProgram(.container(nodes), id: "t")
                return false
            } catch { return true }
        }
        let (one, two) = (try course(0, 1, 1), try course(1, 1, 0))
        #expect(refuses(.init("a", following: height, by: one), .init("a", following: height, by: two)))
        #expect(refuses(.init("a", following: height, by: one), .init("a", value: 1)))
        #expect(refuses(.init("a", value: 1), .init("a", following: height, by: one)))
        #expect(refuses(.init("height", following: height, by: one)))
        #expect(!refuses(.init("a", following: height, by: one), .init("a", following: height, by: one)))
        var deep = height
        for depth in 0..<100 { deep = NumberParameter("\(depth)", following: deep, by: one) }
        #expect(refuses(deep))
        #expect(throws: SoundEventError.self) { try bench.present.addParameter(deep) }
    }

    @Test(arguments: [1, 64, 500]) func eventsShareAParameterOfTheEngine(block: Int) throws {
        let bench = try EventBench()
        let engine = try bench.present
        func node(_ level: Double) -> SoundNode {
            EventBench.sampler("long") {
                ($0.level, $0.gain) = (level, SteeredValue(NumberParameter("storm", value: 1, range: 0...1)))
            }
        }
        // An event that is there already keeps its own.
        let before = try bench.event(node(0.5))
        try engine.addParameter(NumberParameter("storm", value: 0.5, range: 0...0.75))
        try before.start()
        let (first, second) = (try bench.event(node(1)), try bench.event(node(0.125)))
        try first.start()
        expect(try bench.render(300, block: block)) { _ in 0.5 + 0.5 }
        try engine.set("storm", to: 9, over: 0.01)
        _ = try bench.render(0, block: block)
        try second.start(at: 500)
        expect(try bench.render(1000, block: block)) { frame in
            0.5 + (0.5 + 0.25 * min(1, Double(frame) / 480)) * (frame < 200 ? 1 : 1.125)
        }
        #expect(throws: SoundEventError.self) { try first.set("storm", to: 1) }
        #expect(throws: SoundEventError.self) { try engine.set("storm", to: .nan) }
        #expect(throws: SoundEventError.self) { try engine.set("rain", to: 1) }
        #expect(throws: SoundEventError.self) { try engine.addParameter(TextParameter("storm", value: "")) }
        // It can go; events that have it keep its value.
        try engine.set("storm", to: 0)
        #expect(engine.removeParameter("storm") && !engine.removeParameter("storm"))
        expect(try bench.render(512)) { _ in 0.5 }
        try bench.event(node(0.25)).start()
        expect(try bench.render(64)) { _ in 0.75 }
    }

    @Test func eventsChooseByATextOfTheEngine() throws {
        let bench = try EventBench()
        let engine = try bench.present
        try engine.addParameter(TextParameter("floor", value: "snow"))
        let steps = SoundNode.choice(
            TextChoice(
                TextParameter("floor", value: "wood"),
                [("wood", EventBench.sampler("half")), ("gravel", EventBench.sampler("quarter"))]))
        for (text, level) in [("snow", 0), ("wood", 0.5), ("gravel", 0.25)] {
            try engine.set("floor", to: text)
            let event = try bench.event(steps)
            #expect(throws: SoundEventError.self) { try event.set("floor", to: "wood") }
            try event.start()
            expect(try bench.render(1024), { $0 < 1000 ? level : 0 }, text)
        }
        #expect(throws: SoundEventError.self) { try engine.set("floors", to: "wood") }
        #expect(engine.removeParameter("floor"))
    }

    @Test func anEngineThatGoesLeavesItsGroupsAndParametersToTheNode() throws {
        let bench = try EventBench()
        var engine: SoundEngine? = try bench.present
        let group = try engine?.addGroup("g")
        try engine?.addParameter(NumberParameter("storm", value: 1))
        try engine?.set("storm", to: 0.5)
        group?.gain = 0.5
        engine = nil
        bench.forgetEngine()
        #expect(try bench.render(512).allSatisfy { $0 == 0 })
    }
}
