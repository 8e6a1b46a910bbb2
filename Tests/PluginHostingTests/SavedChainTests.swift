// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Saved chains: a loaded chain equals the saved one, and a file that is not a chain is refused by name.

import AudioUnits
import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite(.serialized) struct SavedChainTests {
    private static let registry: ComponentRegistry = {
        var registry = ComponentRegistry(searchPath: [Build.folder, Build.testPluginFolder])
        var settings = PluginSettings()
        if let probe = try? registry.component(named: "Probe"), let code = try? probe.code() {
            _ = settings.trust(probe.id, code)
        }
        registry.add([], settings)
        return registry
    }()
    private static let awkward = [0.1, -1.0 / 3, Double.leastNonzeroMagnitude, 1.7976931348623157e308, -0.0, 4, 123456789.125]

    /// A Probe with parameters, automation, and private bytes, which it ignores.
    private func probe(inProcess: Bool = false) throws -> SavedUnit {
        let unit = try Build.unit("Probe", inProcess: inProcess)
        var state = try unit.saveState()
        state.values["level.gain"] = 1.0 / 3
        state.values["latency"] = 77
        try unit.restoreState(state)
        let points = Self.awkward.enumerated().map { AutomationCurve.Point(seconds: Double($0) / 3, value: $1) }
        var saved = try SavedUnit(unit, automation: [AutomationCurve(parameter: "level.offset", points: points)])
        saved.custom = Data((0...255).map { UInt8($0) })
        return saved
    }

    private func document(_ chain: SavedChain) throws -> String { String(decoding: try chain.encoded(), as: UTF8.self) }

    private func reason(_ text: String) -> String? {
        do throws(FileDefect) {
            _ = try SavedChain(encoded: Data(text.utf8))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func aDocumentHoldsEveryBit() throws {
        var unit = try probe()
        for (index, value) in Self.awkward.enumerated() { unit.parameters["a.\(index)"] = value }
        unit.texts = ["file": "/tmp/hall \"1\".wav", "empty": ""]
        unit.id = "lv2:http://plugin.org.uk/swh-plugins/amp"
        let chain = SavedChain([unit, try probe(inProcess: true)])
        let read = try SavedChain(encoded: try chain.encoded())
        #expect(read == chain)
        #expect(read.units[0].parameters["a.4"]?.sign == .minus)
        #expect(try document(read) == document(chain))
    }

    @Test func aDocumentIsToBeReadByPeople() throws {
        var unit = try probe()
        unit.automation = nil
        unit.custom = Data("wave".utf8)
        unit.parameters = ["level.gain": 0.5, "latency": 64]
        let text = """
            {
              "chain" : 1,
              "units" : [
                {
                  "custom" : "d2F2ZQ==",
                  "id" : "aufx:prob:test",
                  "isolation" : "out-of-process",
                  "name" : "Probe",
                  "parameters" : {
                    "latency" : 64,
                    "level.gain" : 0.5
                  },
                  "version" : "1.2.3"
                }
              ]
            }

            """
        // The seal is another one on each machine.
        let lines = try document(SavedChain([unit])).split(separator: "\n", omittingEmptySubsequences: false)
        let unsealed = lines.filter { !$0.hasPrefix("  \"seal\" : ") }
        #expect(unsealed.count == lines.count - 1)
        #expect(unsealed.joined(separator: "\n") == text)
    }

    @Test(arguments: [false, true])
    func aUnitComesBackWhereItWasAndAsItWas(inProcess: Bool) throws {
        let saved = try probe(inProcess: inProcess)
        let unit = try saved.instantiate(from: Self.registry, chain: "Mine")
        #expect(unit.isolation == (inProcess ? .inProcess : .outOfProcess))
        #expect(unit.values.byKeyPath["level.gain"] == 1.0 / 3)
        #expect(try unit.saveState().values == saved.parameters)
    }

    @Test func whatAUnitKeepsBesideItsParametersComesBackToo() throws {
        let unit = try Build.unit("Tremolo")
        var state = try unit.saveState()
        state.custom = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        state.values["depth"] = 0.1
        try unit.restoreState(state)
        let read = try SavedChain(encoded: try SavedChain([SavedUnit(unit)]).encoded())
        let other = try read.units[0].instantiate(from: Self.registry, chain: "Mine")
        #expect(try other.saveState() == state)
    }

    @Test func aCurveIsALaneAtAnySampleRate() throws {
        let unit = try Build.unit("Probe")
        let curve = AutomationCurve(
            parameter: "level.gain", points: [.init(seconds: 0.5, value: 2), .init(seconds: 1e6, value: -2)])
        for rate in [44_100.0, 192_000] {
            let lane = try curve.lane(of: unit, sampleRate: rate)
            #expect(lane.value(at: Int64(rate / 2)) == 2 && lane.points.last?.sampleTime == Int64(rate) * 1_000_000)
        }
        let loud = AutomationCurve(parameter: "level.gain", points: [.init(seconds: 0, value: 5)])
        #expect(throws: HostingError.self) { try loud.lane(of: unit, sampleRate: 48_000) }
        let unknown = AutomationCurve(parameter: "level.pain", points: loud.points)
        #expect(throws: HostingError.self) { try unknown.check(against: unit) }
    }

    @Test func aStateThatIsRefusedIsASentenceAboutTheChain() throws {
        func complaint(_ change: (inout SavedUnit) -> Void) throws -> String {
            var unit = try probe()
            change(&unit)
            let changed = unit
            let error = #expect(throws: HostingError.self) {
                try changed.instantiate(from: Self.registry, chain: "Mine")
            }
            return "\(try #require(error))"
        }
        let beginning = "Couldn't use the chain \"Mine\" with \"Probe\": "
        #expect(
            try complaint { $0.version = "1.2.4" }
                == beginning + "the state cannot be restored, because version 1.2.4 saved it and this is 1.2.3.")
        let loud = try complaint { $0.parameters["level.gain"] = 99 }
        #expect(loud.hasPrefix(beginning) && loud.contains("level.gain cannot be 99; its range is -4 to 4"))
    }

    @Test func aPlugInThatDoesNotConsentIsNotLoadedIntoTheHost() throws {
        let folder = try TemporaryFolder()
        _ = try folder.bundle("Fake")
        var unit = try probe(inProcess: true)
        (unit.id, unit.name) = ("aufx:fake:test", "Fake")
        let fake = unit
        let error = #expect(throws: HostingError.self) {
            try fake.instantiate(from: ComponentRegistry(searchPath: [folder.path]), chain: "Mine")
        }
        #expect("\(try #require(error))".contains("it does not consent to being loaded into the host."))
    }

    @Test func onlyTheVeryIDIsInstalled() throws {
        let unit = try probe()
        func isMissing(_ id: String) -> Bool {
            var unit = unit
            unit.id = id
            return SavedChain([unit]).missingUnits(from: Self.registry) == [unit]
        }
        #expect(!isMissing("aufx:prob:test"))
        #expect(["Probe", "aufx:prob:*", "*:*:*", "aufx:gone:test", "lv2:http://nowhere/", "ladspa:a:b"].allSatisfy(isMissing))
    }
}
