// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finding plug-ins by ID, wildcard, name and tag. Broken bundles are listed with their reason.

import AudioUnits
import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite struct ComponentRegistryTests {
    private func registry(_ bundles: [(name: String, id: String, tags: String)]) throws -> (ComponentRegistry, TemporaryFolder) {
        let folder = try TemporaryFolder()
        for bundle in bundles {
            _ = try folder.bundle(bundle.name, fields: ["component": "\"\(bundle.id)\"", "tags": bundle.tags])
        }
        return (ComponentRegistry(searchPath: [folder.path]), folder)
    }

    private func three() throws -> (ComponentRegistry, TemporaryFolder) {
        try registry([
            ("Chorus", "aufx:chor:acme", "[\"Modulation\", \"Wide\"]"), ("Choir", "aumu:choi:acme", "[\"Voices\"]"),
            ("Delay", "aufx:dely:else", "[\"Time\", \"wide\"]"),
        ])
    }

    @Test func wildcardsMatchAnyCode() throws {
        let (registry, _) = try three()
        #expect(registry.components(matching: ComponentDescription("aufx:*:*")!).map(\.name) == ["Chorus", "Delay"])
        #expect(registry.components(matching: ComponentDescription("*:*:acme")!).map(\.name) == ["Choir", "Chorus"])
        #expect(registry.components(matching: ComponentDescription()).count == 3)
        #expect(registry.components(matching: ComponentDescription("aufx:choi:acme")!).isEmpty)
    }

    @Test func tagsAreFoundInAnyCase() throws {
        let (registry, _) = try three()
        #expect(registry.components(taggedWith: "WIDE").map(\.name) == ["Chorus", "Delay"])
        #expect(registry.components(taggedWith: "narrow").isEmpty)
    }

    @Test func namesAreFoundInAnyCaseAndByTheirBeginning() throws {
        let (registry, _) = try three()
        #expect(try registry.component(named: "delay").id == "aufx:dely:else")
        #expect(try registry.component(named: "Chor").name == "Chorus")
        #expect(try registry.component(named: "aumu:choi:acme").name == "Choir")
        #expect(try registry.component(named: "*:dely:*").name == "Delay")
    }

    @Test func anAmbiguousNameListsWhatItCouldMean() throws {
        let (registry, _) = try three()
        #expect(throws: HostingError.ambiguousComponent("cho", matches: ["aumu:choi:acme", "aufx:chor:acme"])) {
            try registry.component(named: "cho")
        }
        #expect(throws: HostingError.ambiguousComponent("aufx:*:*", matches: ["aufx:chor:acme", "aufx:dely:else"])) {
            try registry.component(named: "aufx:*:*")
        }
    }

    @Test func anUnknownNameIsAnsweredWithTheNearest() throws {
        let (registry, _) = try three()
        #expect(throws: HostingError.unknownComponent("Chrous", nearest: ["Chorus"])) {
            try registry.component(named: "Chrous")
        }
        #expect(throws: HostingError.unknownComponent("aufx:dely:esle", nearest: ["aufx:dely:else"])) {
            try registry.component(named: "aufx:dely:esle")
        }
        #expect(throws: HostingError.unknownComponent("", nearest: [])) { try registry.component(named: "") }
    }

    @Test func anEarlierFolderHidesTheSameComponentInALaterOne() throws {
        let folder = try TemporaryFolder()
        let first = try folder.bundle("first/Same")
        _ = try folder.bundle("second/Same")
        let registry = ComponentRegistry(searchPath: [folder.path + "/first", folder.path + "/second"])
        #expect(registry.components.map(\.bundlePath) == [first])
        #expect(registry.defects.isEmpty)
    }

    @Test func aBundleWithoutItsExecutableIsADefect() throws {
        let folder = try TemporaryFolder()
        let bundle = try folder.bundle("Hollow", script: nil)
        let registry = ComponentRegistry(searchPath: [folder.path])
        #expect(registry.components.isEmpty)
        #expect(registry.defects == [.missingExecutable(bundle: bundle, executable: "run")])
    }

    @Test func foldersThatAreNotThereAreEmpty() {
        let registry = ComponentRegistry(searchPath: ["/nowhere", ""])
        #expect(registry.components.isEmpty && registry.defects.isEmpty)
    }

    @Test(arguments: [
        (["manifest": "2"], "it has format 2, and this host reads 1"),
        (["manifest": ""], "\"manifest\" is missing"),
        (["manifest": "\"one\""], "\"manifest\" has the wrong type"),
        (["name": ""], "\"name\" is missing"),
        (["name": "null"], "\"name\" has the wrong type"),
        (["name": "\"\""], "\"name\" is not a name"),
        (["name": "\"Two\\nlines\""], "\"name\" is not a name"),
        (["name": "\"\\u001b[31mRed\""], "\"name\" is not a name"),
        (["component": "\"aufx:fake\""], "\"component\" is \"aufx:fake\", not type:subtype:manufacturer"),
        (["component": "\"aufx:*:test\""], "\"component\" is \"aufx:*:test\", not type:subtype:manufacturer"),
        (["version": "\"1.0\""], "\"version\" is \"1.0\", not three numbers"),
        (["version": "\"1.0.99999999999\""], "\"version\" is \"1.0.99999999999\", not three numbers"),
        (["version": "\"-1.0.0\""], "\"version\" is \"-1.0.0\", not three numbers"),
        (["executable": "\"../run\""], "\"executable\" is \"../run\", not the name of a file in the bundle"),
        (["executable": "\"/bin/sh\""], "\"executable\" is \"/bin/sh\", not the name of a file in the bundle"),
        (["executable": "\"..\""], "\"executable\" is \"..\", not the name of a file in the bundle"),
        (["library": "\"a/b.so\""], "\"library\" is \"a/b.so\", not the name of a file in the bundle"),
        (["tags": "\"Fake\""], "\"tags\" has the wrong type"),
        (["manufacturerName": "\"\\u009b2J\""], "\"manufacturerName\" is not a name"),
        (["tags": "[\"\\u0007\"]"], "\"tags\" holds something that is not a name"),
        (["tags": "[1]"], "\"tags[0]\" has the wrong type"),
        (["consentsToInProcess": "1"], "\"consentsToInProcess\" has the wrong type"),
    ])
    func aMalformedManifestIsADefectThatNamesTheField(_ fields: [String: String], _ reason: String) throws {
        let folder = try TemporaryFolder()
        let bundle = try folder.bundle("Malformed", fields: fields)
        let registry = ComponentRegistry(searchPath: [folder.path])
        #expect(registry.components.isEmpty)
        #expect(registry.defects == [.malformedManifest(path: bundle + "/manifest.json", reason: reason)])
    }

    @Test(arguments: ["", "{", "[]", "null", "12", "\u{0}\u{1}", String(repeating: "[", count: 100_000), "{\"manifest\": 1e999}"])
    func aManifestThatIsNotAnObjectIsADefect(_ text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "Broken.bulkhead/manifest.json")
        #expect(ComponentRegistry(searchPath: [folder.path]).defects.count == 1)
    }

    @Test func aManifestThatIsAFolderOrAPipeOrNotThereKeepsNobodyWaiting() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "Folder.bulkhead/manifest.json/file")
        try folder.write("", to: "Missing.bulkhead/other")
        try folder.write("", to: "Pipe.bulkhead/other")
        #expect(mkfifo("\(folder.path)/Pipe.bulkhead/manifest.json", 0o600) == 0)
        let reasons = ComponentRegistry(searchPath: [folder.path]).defects.map { defect in
            if case .malformedManifest(_, let reason) = defect { reason } else { "\(defect)" }
        }
        #expect(reasons == ["it is not a file", "it is not there", "it is not a file"])
    }
}
