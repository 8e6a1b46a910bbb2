// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// One act of sabotage, and its expected result. Test thread.

import AudioUnits
import Testing

@testable import PluginHosting

/// What the listener hears of it.
enum Heard: String {
    /// Nothing: every sample is the same as without it.
    case nothing
    /// The culprit's fallback for one block, without a step.
    case standInOnce
    /// The culprit's fallback until it has been restarted, without a step.
    case standInUntilBack
    /// The contents of the culprit's own block, below the ceiling.
    case itsOwnNoise
}

/// An order, and its expected effects on listener and user.
struct Sabotage: CustomTestStringConvertible {
    let culprit: Culprit
    /// The controller number of the order, and its value.
    let number: UInt8
    let argument: UInt8
    let place: SabotageScene.Place
    let heard: Heard
    /// The kinds of the reported faults, in order.
    let reported: [String]
    /// The processor of the calling thread, if it spins for the units' replies; nil for a host that sleeps.
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

    /// Plays the scene and checks all expectations, and that nothing is left behind.
    func play() throws {
        _ = Self.warmUp
        let (descriptors, children) = (Census.descriptorCount, Census.children.count)
        try playScene()
        #expect(waitUntil(milliseconds: 1000) { Census.descriptorCount <= descriptors && Census.children.count <= children })
    }

    /// Opens what a process opens once and keeps, before anything is counted.
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

    /// A busy machine may make any unit late, so lateness counts only where it is part of the sabotage.
    private func kinds(_ faults: FaultLog) -> [String] {
        faults.records.map(\.fault.kind).filter { $0 != "late" || reported.contains("late") }
    }

    /// Expects that no other unit was harmed.
    private func expectPeace(_ scene: SabotageScene) {
        for neighbour in scene.neighbours {
            #expect(neighbour.faults.records.allSatisfy { $0.fault == .late } && neighbour.faults.restarts == 0)
        }
        let isUntouched = scene.heardBeside == scene.expectedBeside
        #expect(isUntouched, "the row beside sounds otherwise")
    }

    private func expectSound(_ scene: SabotageScene) {
        let (heard, expected, dry) = (scene.heard, scene.expected, scene.dry)
        let start = Self.orderedBlock * SabotageScene.blockLength
        let isPeaceful = heard[..<start] == expected[..<start]
        let endsWell = heard.suffix(5 * SabotageScene.blockLength) == expected.suffix(5 * SabotageScene.blockLength)
        // A fade may add to the sound, but stays below full scale.
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
            // A block completed before the fault is heard as it is. On a busy machine a signal takes time.
            expectStandIn(heard, dry, start, inBlocks: [1, 2, 3, 4])
            // Its sound started again and is not dry any more.
            let isDry = zip(heard, dry).suffix(SabotageScene.blockLength).allSatisfy { abs($0 - $1) < 1e-3 }
            #expect(!isDry, "the culprit is not heard in the end")
        case .itsOwnNoise: #expect(endsWell)
        }
    }

    /// Expects the fallback after the fade, at the end of one of these blocks, and no step larger than a transition may make it.
    private func expectStandIn(_ heard: [Float], _ dry: [Float], _ start: Int, inBlocks blocks: [Int]) {
        let isThere = blocks.map { start + $0 * SabotageScene.blockLength - 1 }.contains { abs(heard[$0] - dry[$0]) < 1e-6 }
        #expect(isThere, "the stand-in is not heard")
        let modulation: Float = 0.0001
        #expect(largestStep(heard) <= DeathTests.ownStep + modulation + DeathTests.transitionStep)
    }
}
