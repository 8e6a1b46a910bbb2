// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One act of sabotage, and what is to become of it. Test thread.

import AudioUnits
import Testing

@testable import PluginHosting

/// What the listener hears of it.
enum Heard: String {
    /// Nothing: every sample is as it would have been.
    case nothing
    /// What stands in for the culprit, for a block, without a step.
    case standInOnce
    /// What stands in for it, from then on until it has been started anew, without a step.
    case standInUntilBack
    /// Whatever the culprit had in its own block, below the ceiling.
    case itsOwnNoise
}

/// An order, and what listener and user learn of it.
struct Sabotage: CustomTestStringConvertible {
    let culprit: Culprit
    /// The controller that gives the order, and its value.
    let number: UInt8
    let argument: UInt8
    let place: SabotageScene.Place
    let heard: Heard
    /// The kinds of the faults that are reported, in their order.
    let reported: [String]
    /// Where the calling thread is bound to, to look for the units' answers instead of sleeping; nil for a host that sleeps.
    var renderCore: Int?

    init(
        order: Order, argument: UInt8 = 0, place: SabotageScene.Place = .middle, heard: Heard, reported: [String] = []
    ) {
        self.init(.saboteur, order.rawValue, argument, place, heard, reported)
    }

    init(
        _ culprit: Culprit, _ number: UInt8, _ argument: UInt8 = 0, _ place: SabotageScene.Place = .middle, _ heard: Heard,
        _ reported: [String] = []
    ) {
        (self.culprit, self.number, self.argument, self.place) = (culprit, number, argument, place)
        (self.heard, self.reported) = (heard, reported)
    }

    private static let orderedBlock = 10

    var restarts: Int { heard == .standInUntilBack ? 1 : 0 }
    var testDescription: String { "\(culprit) \(number) \(argument), \(place): \(heard), \(reported)" }

    /// Plays it, and expects what is to be expected; that nothing is left behind among it.
    func play() throws {
        _ = Self.warmUp
        let (descriptors, children) = (Census.descriptorCount, Census.children.count)
        try playScene()
        #expect(waitUntil(milliseconds: 1000) { Census.descriptorCount <= descriptors && Census.children.count <= children })
    }

    /// What a process has open once and for all is there before anything is counted.
    private static let warmUp: Void = { _ = try? SabotageScene() }()

    private func playScene() throws {
        let scene = try SabotageScene(place, culprit, lookingOn: renderCore)
        scene.render(Self.orderedBlock)
        try scene.culprit.unit.send(MIDIMessage(0xB0, number, argument))
        scene.render()
        let faults = scene.culprit.faults
        if restarts > 0 {
            #expect(scene.play(milliseconds: 5000) { faults.restarts == restarts && scene.culprit.isPresent })
        }
        scene.render(15)
        #expect(waitUntil(milliseconds: 1000) { kinds(faults) == reported }, "reported \(kinds(faults))")
        #expect(faults.restarts == restarts)
        #expect(waitUntil(milliseconds: 1000) { faults.records.allSatisfy { $0.recoveredAfterCycles != nil } })
        #expect(try scene.isSetAsBefore)
        expectPeace(scene)
        expectSound(scene)
    }

    /// A busy machine may make anybody late; where it is part of the sabotage it counts.
    private func kinds(_ faults: FaultLog) -> [String] {
        faults.records.map(\.fault.kind).filter { $0 != "late" || reported.contains("late") }
    }

    /// Nobody else has been harmed.
    private func expectPeace(_ scene: SabotageScene) {
        for neighbour in scene.neighbours {
            #expect(neighbour.faults.records.allSatisfy { $0.fault == .late } && neighbour.faults.restarts == 0)
        }
        let isUntouched = scene.heardBeside == scene.expectedBeside
        #expect(isUntouched, "the chain beside sounds otherwise")
    }

    private func expectSound(_ scene: SabotageScene) {
        let (heard, expected, dry) = (scene.heard, scene.expected, scene.dry)
        let start = Self.orderedBlock * SabotageScene.blockLength
        let isPeaceful = heard[..<start] == expected[..<start]
        let endsWell = heard.suffix(5 * SabotageScene.blockLength) == expected.suffix(5 * SabotageScene.blockLength)
        // What a fade adds to the sound ends below full scale.
        let isBounded = heard.allSatisfy { abs($0) <= 1 }
        #expect(isPeaceful && isBounded)
        switch self.heard {
        case .nothing:
            let isTheSame = heard == expected
            #expect(isTheSame && scene.culprit.replacedBlockCount == 0)
        case .standInOnce:
            #expect(endsWell)
            expectStandIn(heard, dry, start, inBlocks: [1])
        case .standInUntilBack:
            // What was complete before the fault is heard as it is; where others work too, a signal takes its time.
            expectStandIn(heard, dry, start, inBlocks: [1, 2, 3, 4])
            // Its sound began anew; it is not dry any more.
            let isDry = zip(heard, dry).suffix(SabotageScene.blockLength).allSatisfy { abs($0 - $1) < 1e-3 }
            #expect(!isDry, "the culprit is not heard in the end")
        case .itsOwnNoise: #expect(endsWell)
        }
    }

    /// Once the fade is over, at the end of one of these blocks, the stand-in is there; and no step was larger than a
    /// transition may make it.
    private func expectStandIn(_ heard: [Float], _ dry: [Float], _ start: Int, inBlocks blocks: [Int]) {
        let isThere = blocks.map { start + $0 * SabotageScene.blockLength - 1 }.contains { abs(heard[$0] - dry[$0]) < 1e-6 }
        #expect(isThere, "the stand-in is not heard")
        let modulation: Float = 0.0001
        #expect(largestStep(heard) <= DeathTests.ownStep + modulation + DeathTests.transitionStep)
    }
}
