// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Formats that a unit refuses, the steps of its life, and states that are not its own. Test thread.

import AudioUnits
import Testing

private func reason(_ body: () throws(UnitError) -> Void) -> String? {
    do throws(UnitError) {
        try body()
        return nil
    } catch {
        return error.description
    }
}

@Suite struct FormatTests {
    private let unit = UnitDescription(
        ComponentDescription(.effect, "test", "blkh"), name: "Test", manufacturerName: "Bulkhead",
        version: UnitVersion(1, 2, 0),
        inputs: [Bus("Input", supportedChannelCounts: [1, 2]), Bus("Side chain", channelCount: 1, isOptional: true)],
        outputs: [Bus("Output")])

    private func refusal(_ inputs: [Int], _ outputs: [Int]) -> String? {
        reason { () throws(UnitError) in
            try unit.checkFormats(inputs: inputs.map(BusFormat.init), outputs: outputs.map(BusFormat.init))
        }
    }

    @Test func formatsThatFitAreTaken() {
        #expect(refusal([2, 1], [2]) == nil)
        #expect(refusal([1, 0], [1]) == nil)
        #expect(refusal([2, 7], [2]) == nil)
    }

    @Test func aRefusalSaysWhichBusAndWhatItTakes() {
        #expect(refusal([3, 0], [3]) == "it refuses 3 channels on its input \"Input\"; it takes 1 or 2")
        #expect(refusal([2, 0], [0]) == "it refuses 0 channels on its output \"Output\"")
        #expect(refusal([2], [2]) == "it refuses 1 input buses; there are 2")
        #expect(refusal([2, 0], []) == "it refuses 0 output buses; there are 1")
        #expect(refusal([1, 0], [2]) == "it refuses 1 channels in and 2 out; both must be equal")
    }

    @Test func onlyAnOptionalBusMayBeLeftUnused() {
        #expect(refusal([0, 1], [0]) == "it refuses 0 channels on its input \"Input\"; it takes 1 or 2")
    }

    @Test func aUnitThatMixesDownMayHaveFewerChannelsOut() throws {
        var mixer = unit
        mixer.channelCountsMatch = false
        try mixer.checkFormats(
            inputs: [BusFormat(channelCount: 2), BusFormat(channelCount: 0)], outputs: [BusFormat(channelCount: 1)])
    }

    @Test func aStateIsTakenFromTheSameComponentOfTheSameVersionOrAnOlderOne() {
        func refusal(_ component: ComponentDescription, _ version: UnitVersion) -> String? {
            reason { () throws(UnitError) in
                try FullState(component: component, version: version, values: [:]).check(against: unit)
            }
        }
        #expect(refusal(unit.component, UnitVersion(1, 2, 0)) == nil)
        #expect(refusal(unit.component, UnitVersion(1, 1, 9)) == nil)
        #expect(refusal(unit.component, UnitVersion(1, 2, 1))?.contains("version 1.2.1") == true)
        #expect(
            refusal(ComponentDescription(.effect, "othr", "blkh"), UnitVersion(1, 0, 0))?.contains("aufx:othr:blkh")
                == true)
    }
}

@Suite struct UnitLifecycleTests {
    private enum Step: CaseIterable {
        case instantiate, allocate, render, deallocate

        func take(_ life: inout UnitLifecycle) throws(UnitError) {
            switch self {
            case .instantiate: try life.instantiate()
            case .allocate: try life.allocateResources(maximumFrameCount: 64)
            case .render: try life.render(frameCount: 64)
            case .deallocate: try life.deallocateResources()
            }
        }
    }

    private static let legal: [UnitState: [Step: UnitState]] = [
        .described: [.instantiate: .instantiated],
        .instantiated: [.allocate: .resourcesAllocated],
        .resourcesAllocated: [.render: .rendering, .deallocate: .instantiated],
        .rendering: [.render: .rendering, .deallocate: .instantiated],
    ]

    private static func life(in state: UnitState) throws -> UnitLifecycle {
        var life = UnitLifecycle()
        let path: [Step] = [.instantiate, .allocate, .render]
        for step in path.prefix(Int(state.rawValue)) { try step.take(&life) }
        #expect(life.state == state)
        return life
    }

    @Test func eachStepIsLegalInItsOwnStatesAndRefusedInAllOthers() throws {
        for state in UnitState.allCases {
            for step in Step.allCases {
                var life = try Self.life(in: state)
                if let next = Self.legal[state]?[step] {
                    try step.take(&life)
                    #expect(life.state == next)
                } else {
                    #expect(throws: UnitError.self) { try step.take(&life) }
                    #expect(life.state == state)
                }
            }
        }
    }

    @Test func moreFramesThanAllocatedAreRefusedWithBothNumbers() throws {
        var life = try Self.life(in: .resourcesAllocated)
        #expect(throws: UnitError.tooManyFrames(asked: 65, maximum: 64)) { try life.render(frameCount: 65) }
        #expect(life.state == .resourcesAllocated)
        try life.render(frameCount: 0)
    }

    @Test func aMaximumOfNoFramesIsRefused() throws {
        var life = try Self.life(in: .instantiated)
        #expect(throws: UnitError.self) { try life.allocateResources(maximumFrameCount: 0) }
        #expect(throws: UnitError.self) { try life.allocateResources(maximumFrameCount: -1) }
        #expect(life.state == .instantiated)
    }

    @Test func aRefusalNamesTheCallAndTheState() throws {
        var life = try Self.life(in: .described)
        #expect(
            reason { () throws(UnitError) in try life.render(frameCount: 1) }
                == "rendering is not allowed while the unit is only described")
    }
}
