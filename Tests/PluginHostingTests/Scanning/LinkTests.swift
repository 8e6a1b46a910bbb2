// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A link in a folder that is searched does not choose what a plug-in's process may read.

import Confinement
import FoundationEssentials
import Glibc
import Testing

@testable import PluginHosting

@Suite struct LinkTests {
    /// Whether a process of the plug-in may read what lies beside the folders that are searched.
    private func reaches(_ secret: String, _ component: Component) -> Bool {
        component.confinement()?.permitsReading(secret) ?? true
    }

    /// The home folder as a bundle: a manifest in it, and a link to it among the bundles.
    @Test func aBundleThatIsALinkOutOfItsFolderIsRefused() throws {
        let bench = try ScanBench()
        try bench.bundle("honest", "unit honest\n")
        try bench.write(Array("unit evil\n".utf8), to: "manifest.ttl")
        try bench.write([0], to: "secret")
        #expect(symlink("..", bench.path("lv2/evil.lv2")) == 0)
        #expect(symlink("honest.lv2", bench.path("lv2/alias.lv2")) == 0)
        let registry = try bench.scan()
        #expect(!registry.components.contains { $0.name == "evil" })
        let failure = try #require(registry.report.failures.first { $0.path == bench.path("lv2/evil.lv2") })
        #expect(failure.reason == "it is a link to \"\(bench.folder.path)\", which is outside of its folder")
        #expect(registry.report.failures.count == 1, "\(registry.report.failures)")
        // The control: with the place that the link names, its process would read the secret.
        let honest = try #require(registry.components.first { $0.name == "honest" })
        let following = Confinement(.standard, paths: [Confinement.NamedPath(bench.path("lv2/evil.lv2"), .read)])
        #expect(!reaches(bench.path("secret"), honest) && following?.permitsReading(bench.path("secret")) == true)
    }

    /// What the path led to when the plug-in was found counts, not where it leads now.
    @Test func aBundleThatBecomesALinkIsNotShownToItsProcess() throws {
        let bench = try ScanBench()
        try bench.bundle("honest", "unit honest\n")
        try bench.write([0], to: "secret")
        let component = try #require(try bench.scan().components.first { $0.name == "honest" })
        #expect(rename(bench.path("lv2/honest.lv2"), bench.path("moved.lv2")) == 0)
        #expect(symlink(bench.folder.path, bench.path("lv2/honest.lv2")) == 0)
        #expect(!reaches(bench.path("secret"), component))
    }

    @Test func aLibraryThatIsALinkOutOfItsFolderIsRefused() throws {
        let bench = try ScanBench()
        try bench.library("amp", "unit mono Amplifier")
        #expect(rename(bench.path("ladspa/amp.so"), bench.path("secret.so")) == 0)
        #expect(symlink("../secret.so", bench.path("ladspa/amp.so")) == 0)
        let registry = try bench.scan()
        #expect(registry.components.isEmpty)
        #expect(registry.report.failures.map(\.path) == [bench.path("ladspa/amp.so")])
    }

    @Test(arguments: [true, false]) func aNativeBundleWhoseProgramLeadsOutIsRefused(leadsOut: Bool) throws {
        let folder = try TemporaryFolder()
        let bundle = try folder.bundle("bundles/Fake", script: nil)
        try folder.write("#!/bin/sh\n", to: leadsOut ? "home/program" : "bundles/Fake.bulkhead/inner/program", isExecutable: true)
        #expect(symlink(leadsOut ? "../../home/program" : "inner/program", "\(bundle)/run") == 0)
        let registry = ComponentRegistry(searchPath: ["\(folder.path)/bundles"])
        guard leadsOut else {
            #expect(registry.components.map(\.name) == ["bundles/Fake"])
            return
        }
        let reason = "it is a link to \"\(folder.path)/home/program\", which is outside of its folder"
        #expect(registry.defects == [.unusableLocation(path: "\(bundle)/run", reason: reason)])
        // The control: the folder of the program is what the process of a bundle may read.
        let paths = Component.paths(ofExecutable: "\(bundle)/run").map(\.path)
        #expect(paths.contains("\(folder.path)/home"))
    }

    @Test func aNativeBundleThatIsALinkOutOfItsFolderIsRefused() throws {
        let folder = try TemporaryFolder()
        let bundle = try folder.bundle("elsewhere/Fake")
        try folder.write("", to: "bundles/empty")
        #expect(symlink(bundle, "\(folder.path)/bundles/Fake.bulkhead") == 0)
        let registry = ComponentRegistry(searchPath: ["\(folder.path)/bundles"])
        #expect(registry.components.isEmpty && registry.defects.count == 1)
        // A bundle that the program itself names may lie anywhere.
        #expect(try Component(bundlePath: "\(folder.path)/bundles/Fake.bulkhead").home == bundle)
    }

    @Test func aScriptNamesNoFileOfTheUsersAsItsInterpreter() throws {
        let folder = try TemporaryFolder()
        let bundle = try folder.bundle("Fake", script: nil)
        try folder.write("secret", to: "secret", isExecutable: true)
        func interpreters(_ line: String) throws -> [String] {
            try folder.write("#!\(line)\n", to: "Fake.bulkhead/run", isExecutable: true)
            return Component.paths(ofExecutable: "\(bundle)/run").dropFirst().map(\.path)
        }
        #expect(try interpreters("\(folder.path)/secret") == [])
        #expect(symlink("\(folder.path)/secret", "\(bundle)/link") == 0)
        #expect(try interpreters("\(bundle)/link") == [])
        #expect(try interpreters("/bin/sh") == ["/bin/sh"])
        try folder.write("own", to: "Fake.bulkhead/own", isExecutable: true)
        #expect(try interpreters("\(bundle)/own") == ["\(bundle)/own"])
    }

    /// It would get the rights of every classic plug-in.
    @Test func aBundleThatCallsItselfABridgeComesAfterTheHostsOwn() throws {
        let folder = try TemporaryFolder()
        let real = try #require(
            ComponentRegistry(searchPath: [Build.folder]).bridges.first { $0.description == PluginFormat.lv2.bridge })
        let fields = ["component": "\"\(real.description)\"", "consentsToInProcess": "true"]
        let impostor = try folder.bundle("AAA", fields: fields)
        let registry = ComponentRegistry(searchPath: [folder.path, Build.folder])
        #expect(registry.bridgesByFormat[.lv2]?.home == real.home)
        #expect(registry.bridges.contains { $0.home == impostor })
    }

    @Test func aGrantThatHasBecomeALinkGrantsNothing() throws {
        let bench = try ScanBench()
        try bench.bundle("sampler", "unit sampler\n")
        for folder in ["samples", "private"] { try bench.makeFolder(folder) }
        let component = try #require(try bench.scan().components.first { $0.name == "sampler" })
        let code = try component.code()
        let (samples, secret) = (bench.path("samples"), bench.path("private"))
        #expect(try bench.installation.changeSettings { $0.grant(component.id, code, reading: samples) })
        func granted() throws -> Component { try #require(try bench.scan().components.first { $0.name == "sampler" }) }
        let before = try granted()
        #expect(before.granted == [samples] && reaches(samples, before))
        #expect(rmdir(samples) == 0 && symlink("private", samples) == 0)
        #expect(try granted().granted == [])
        // Not even in a process of a component that was found before.
        #expect(!reaches(secret, before))
        // The control: a path that is followed leads there.
        let following = Confinement(.standard, paths: [Confinement.NamedPath(samples, .read)])
        #expect(following?.permitsReading(secret) == true)
    }
}
