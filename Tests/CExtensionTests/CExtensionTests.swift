// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An extension in plain C, written from Protocol/README.md alone, does all that one in Swift does. Test thread.

import AudioUnits
import Confinement
import ControlMessages
import Glibc
import HostingTestSupport
import LinuxSystem
import Testing

@testable import PluginHosting

@Suite(.serialized) struct CExtensionTests {
    private let unit: HostedUnit

    init() throws { unit = try CExtension.unit() }

    /// The unit's output for an input.
    private func rendered(_ input: [[Float]], blockSize: Int? = nil) throws -> [[Float]] {
        var bench = try CExtension.bench([unit], input: input)
        return try bench.renderInput(blockSize: blockSize)
    }

    @Test func itSaysWhatItIs() {
        #expect(unit.description.component.description == "aufx:trml:test")
        #expect(unit.description.version == UnitVersion(1, 2, 3))
        #expect(unit.name == "Tremolo" && unit.description.tags == ["Modulation"])
        #expect(unit.parameters.parameters.map(\.keyPath) == ["rate", "depth"])
        #expect(unit.parameters[keyPath: "rate"]?.range == 0.1...20)
        #expect(unit.parameters[keyPath: "rate"]?.unit == .hertz && unit.parameters[keyPath: "depth"]?.unit == .percent)
        #expect(unit.factoryPresets == [FactoryPreset("Slow", ["rate": 1, "depth": 60])])
        #expect(unit.isolation == .outOfProcess)
    }

    @Test func itRendersToTheLastBitWhatItShould() throws {
        try unit.set("depth", to: 75)
        let input = CExtension.noise(20_000)
        var bench = try CExtension.bench([unit], input: input)
        var model = TremoloModel(depth: 75)
        #expect(try bench.renderInput() == model.process(input))
        #expect(bench.row.latencyFrameCount == 0)
        #expect(bench.row.missedDeadlineCount == 0)
    }

    @Test(arguments: [1, 2, 7, 63, 64])
    func theBlockSizeIsNotHeard(blockSize: Int) throws {
        try unit.set("depth", to: 100)
        let input = CExtension.noise(1500)
        var model = TremoloModel(depth: 100)
        #expect(try rendered(input, blockSize: blockSize) == model.process(input))
    }

    @Test func aMonoChainWorksToo() throws {
        try unit.set("depth", to: 100)
        let input = CExtension.noise(1000, channels: 1)
        var model = TremoloModel(depth: 100)
        #expect(try rendered(input) == model.process(input))
    }

    @Test func eventsTakeEffectAtTheirOwnFrame() throws {
        let input = CExtension.noise(2000)
        var bench = try CExtension.bench([unit], input: input)
        var model = TremoloModel(depth: 0)
        let expected = model.process(input) { model, frame in
            if frame == 101 { model.setDepth(80) }
            if frame == 700 { model.setDepth(20, over: 333) }
            if frame == 1500 { model.setRate(9) }
        }
        let output = try bench.renderInput { frames in
            guard frames.lowerBound == 0 else { return }
            // Out of order, and far ahead of their blocks.
            try unit.schedule("rate", to: 9, at: 1500)
            try unit.schedule("depth", to: 20, at: 700, rampFrameCount: 333)
            try unit.schedule("depth", to: 80, at: 101)
        }
        #expect(output == expected)
    }

    @Test func aParameterSetWhileRenderingTakesEffectAtTheNextBlock() throws {
        let input = CExtension.noise(640)
        var bench = try CExtension.bench([unit], input: input)
        var model = TremoloModel(depth: 0)
        let expected = model.process(input) { model, frame in if frame == 320 { model.setDepth(50) } }
        let output = try bench.renderInput { frames in if frames.lowerBound == 320 { try unit.set("depth", to: 50) } }
        #expect(output == expected)
    }

    @Test func bypassPassesTheInputThrough() throws {
        try unit.set("depth", to: 100)
        let input = CExtension.noise(640)
        var bench = try CExtension.bench([unit], input: input)
        bench.row.members[0].isBypassed = true
        #expect(try bench.renderInput() == input)
    }

    @Test func threeOfThemHandOnToEachOther() throws {
        let units = try [40.0, 60, 80].map { depth in
            let unit = try CExtension.unit()
            try unit.set("depth", to: depth)
            return unit
        }
        let input = CExtension.noise(6400)
        var bench = try CExtension.bench(units, input: input)
        var expected = input
        for depth in [40.0, 60, 80] {
            var model = TremoloModel(depth: depth)
            expected = model.process(expected)
        }
        #expect(try bench.renderInput() == expected)
    }

    @Test func itsPresetSetsBothParameters() throws {
        try unit.selectFactoryPreset("slow")
        #expect(unit.values.byKeyPath == ["rate": 1, "depth": 60])
        let input = CExtension.noise(3000)
        var model = TremoloModel(rate: 1, depth: 60)
        #expect(try rendered(input) == model.process(input))
    }

    @Test func aStateMovesFromOneInstanceToAnother() throws {
        try unit.set("depth", to: 33)
        try unit.set("rate", to: 12.5)
        var state = try unit.saveState()
        #expect(state.values == ["depth": 33, "rate": 12.5])
        // Long enough to travel in a sealed memfd, both ways.
        state.custom = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let other = try CExtension.unit()
        try other.restoreState(state)
        #expect(try other.saveState() == state)
        #expect(other.values.byKeyPath == ["rate": 12.5, "depth": 33])
    }

    @Test func aStateMayBeSavedAndRestoredWhileItRenders() throws {
        let input = CExtension.noise(640)
        var bench = try CExtension.bench([unit], input: input)
        var model = TremoloModel(depth: 0)
        let expected = model.process(input) { model, frame in if frame == 128 { model.setDepth(90) } }
        let output = try bench.renderInput { frames in
            guard frames.lowerBound == 128 else { return }
            var state = try unit.saveState()
            state.values["depth"] = 90
            try unit.restoreState(state)
        }
        #expect(output == expected)
    }

    @Test func whatItCannotTakeIsRefusedWithAReason() throws {
        #expect(throws: HostingError.self) { try unit.set("depth", to: 101) }
        let format = BlockFormat(sampleRate: 48_000, maximumFrameCount: 64, channelCount: 3)
        #expect(throws: HostingError.self) { try UnitResources(unit, format: format) }
        var state = try unit.saveState()
        state.values["depth"] = 1000
        #expect(throws: HostingError.self) { try unit.restoreState(state) }
        state.values["depth"] = 10
        state.version = UnitVersion(9, 0, 0)
        #expect(throws: HostingError.self) { try unit.restoreState(state) }
        #expect(try unit.saveState().values["depth"] == 0)
    }

    @Test(arguments: [
        HostMessage.hello(.own, hostName: "Bulkhead", locator: ["another"]), .setText(identifier: "title", value: "none"),
        .listUnits(location: "/"),
    ])
    func itRefusesToBeWhatItIsNot(question: HostMessage) throws {
        let connection = try ExtensionConnection(executable: CExtension.component().executablePath, confinement: nil)
        guard case .refused(let reason) = try connection.ask(question) else {
            Issue.record("it answers \(question)")
            return
        }
        #expect(!reason.contains("malformed"))
    }

    @Test func resourcesCanBeGivenAndTakenBackManyTimes() throws {
        try unit.set("depth", to: 50)
        let input = CExtension.noise(640)
        for _ in 0..<5 {
            var model = TremoloModel(depth: 50)
            #expect(try rendered(input) == model.process(input))
        }
    }

    @Test func itExitsWhenTheHostHangsUp() throws {
        let (near, far) = try ControlSocket.pair()
        let process = try ChildProcess(
            path: CExtension.component().executablePath, arguments: [], environment: [:], control: far)
        shutdown(near.descriptor, Int32(SHUT_RDWR))
        #expect(process.wait(milliseconds: 2000) == .exited(code: 0))
    }

    @Test func aDatagramThatIsNoMessageEndsIt() throws {
        let (near, far) = try ControlSocket.pair()
        let process = try ChildProcess(
            path: CExtension.component().executablePath, arguments: [], environment: [:], control: far)
        try near.send(head: [1, 2, 3], body: [], descriptors: [])
        #expect(process.wait(milliseconds: 2000) == .exited(code: 1))
    }
}
