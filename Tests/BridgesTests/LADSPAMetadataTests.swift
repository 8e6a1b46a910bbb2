// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// RDF files about LADSPA plug-ins, and how their facts reach a unit that reads none. Test thread.

import AudioUnits
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import PluginHosting

@Suite struct LADSPAMetadataTests {
    /// RDF for the plug-in "hints": a class below another, a unit, a default, names for all values of one port and
    /// some of another.
    private static let description = """
        <?xml version='1.0'?>
        <!DOCTYPE rdf:RDF [ <!ENTITY ladspa 'http://ladspa.org/ontology#'> ]>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ladspa="&ladspa;"
                 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
          <rdfs:Class rdf:about="&ladspa;ShaperPlugin" rdfs:label="Shapers"/>
          <ladspa:ShaperPlugin rdf:about="&ladspa;4006">
            <ladspa:hasPort><ladspa:InputControlPort rdf:about="&ladspa;4006.6"><ladspa:hasUnit rdf:resource="&ladspa;dB"/>
            </ladspa:InputControlPort></ladspa:hasPort>
            <ladspa:hasPort><ladspa:InputControlPort rdf:about="&ladspa;4006.13"><ladspa:hasScale><ladspa:Scale>
              <ladspa:hasPoint><ladspa:Point rdf:value="0" ladspa:hasLabel="sine"/></ladspa:hasPoint>
              <ladspa:hasPoint><ladspa:Point rdf:value="1" ladspa:hasLabel="half a square"/></ladspa:hasPoint>
              <ladspa:hasPoint><ladspa:Point rdf:value="2" ladspa:hasLabel="saw"/></ladspa:hasPoint>
            </ladspa:Scale></ladspa:hasScale></ladspa:InputControlPort></ladspa:hasPort>
            <ladspa:hasSetting><ladspa:Default>
              <ladspa:hasPortValue><ladspa:PortValue rdf:value="3.5"><ladspa:forPort rdf:resource="&ladspa;4006.8"/>
              </ladspa:PortValue></ladspa:hasPortValue>
              <ladspa:hasPortValue><ladspa:PortValue rdf:value="7"><ladspa:forPort rdf:resource="&ladspa;4006.3"/>
              </ladspa:PortValue></ladspa:hasPortValue>
            </ladspa:Default></ladspa:hasSetting>
          </ladspa:ShaperPlugin>
        </rdf:RDF>
        """

    /// Runs `run` with LADSPA_RDF_PATH set to a folder that holds `text`.
    private func describing<T>(_ text: String?, _ run: () throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulkhead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        if let text { try Data(text.utf8).write(to: folder.appendingPathComponent("tests.rdf")) }
        let outer = ProcessInfo.processInfo.environment["LADSPA_RDF_PATH"]
        setenv("LADSPA_RDF_PATH", folder.path, 1)
        defer { if let outer { setenv("LADSPA_RDF_PATH", outer, 1) } else { unsetenv("LADSPA_RDF_PATH") } }
        return try run()
    }

    @Test func aUnitKnowsWhatTheListingReadAndLoadsNothingForIt() throws {
        let component = try describing(Self.description) {
            try Bridges.component("ladspa:honest:hints", at: LADSPAUnitTests.honest, .ladspa)
        }
        #expect(component.tags == ["Shapers"])
        // The RDF files are removed by now.
        let unit = try HostedUnit(component)
        func parameter(_ keyPath: String) throws -> Parameter { try #require(unit.parameters[keyPath: keyPath]) }
        #expect(try parameter("low").unit == .decibels)
        #expect(try parameter("shape").valueStrings == ["sine", "half a square", "saw"])
        #expect(try parameter("shape").unit == .indexed)
        #expect(try parameter("default").defaultValue == 3.5)
        #expect(try parameter("frequency-hz-2").defaultValue == 440, "what the plug-in says itself counts more")
        let process = try #require(unit.processIdentifier)
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        #expect(maps.contains("libLADSPA.so") && maps.contains("honest.so") && !maps.contains("rdf"))
    }

    @Test(arguments: [nil, "", "<rdf:RDF", "<!-- &ladspa;4006 -->", "&ladspa;4006 <"])
    func whereNothingCanBeReadThePluginSpeaksForItself(_ text: String?) throws {
        let listing = try describing(text) { try Bridges.list(LADSPAUnitTests.honest, .ladspa) }
        #expect(listing.units.count == 13 && listing.defects.isEmpty)
        #expect(listing.units.allSatisfy { $0.locator.count == 2 && $0.description.tags.isEmpty })
    }

    @Test func aPluginOfWhichTooMuchIsSaidIsThereNevertheless() throws {
        let points = (0..<2000).map {
            #"<ladspa:hasPoint><ladspa:Point rdf:value="\#($0)" ladspa:hasLabel="The value number \#($0)"/></ladspa:hasPoint>"#
        }
        let text = Self.description.replacing("<ladspa:Scale>", with: "<ladspa:Scale>" + points.joined())
        let component = try describing(text) {
            try Bridges.component("ladspa:honest:hints", at: LADSPAUnitTests.honest, .ladspa)
        }
        #expect(component.locator.dropFirst(2).reduce(0) { $0 + $1.utf8.count } <= 8192)
        #expect(try HostedUnit(component).parameters[keyPath: "low"]?.unit == .decibels)
    }

    @Test func wordsThatSayNothingCountForNothing() throws {
        let listing = try Bridges.list(LADSPAUnitTests.honest, .ladspa)
        var hints = try #require(listing.units.first { $0.locator[1] == "hints" })
        let large = "99999999999999999999"
        hints.locator += ["", " ", "class", "unit 6", "unit x dB", "default 8 much", "default \(large) 1", "point 13 0", "/etc"]
        hints.locator += ["default 8 nan", "point 13 nan x", "unit -1 dB", "unit 5000 dB"]
        let component = Component(
            hints, format: .ladspa, bridge: try Bridges.component(of: .ladspa), locationPath: LADSPAUnitTests.honest)
        let unit = try HostedUnit(component)
        let plain = try LADSPAUnitTests.unit("hints")
        #expect(unit.parameters == plain.parameters)
    }
}
