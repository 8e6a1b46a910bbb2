// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What `bulkhead new` writes, without building it.

import Foundation
import Testing

@Suite struct NewCommandTests {
    @Test func itWritesAPackageInWhichNothingOfTheTemplateIsLeft() throws {
        let outside = try Outside()
        let outcome = try outside.bulkhead("new", "Sweet Echo")
        #expect(outcome.status == 0 && outcome.output.contains("swift build -c release"), "\(outcome.output)")
        let files = outside.files(in: "SweetEcho")
        #expect(
            files == [
                ".gitignore", "Package.swift", "README.md", "Sources/SweetEcho/SweetEcho+Parameters.swift",
                "Sources/SweetEcho/SweetEcho.swift", "Sources/SweetEcho/SweetEchoView.swift",
                "Sources/SweetEchoExtension/SweetEchoExtension.swift",
                "Sources/SweetEchoPlayer/Loop.swift", "Sources/SweetEchoPlayer/LoopPlayer.swift",
                "Sources/SweetEchoPlayer/LoopRenderer.swift",
                "Sources/SweetEchoPlayer/Workshop.swift", "Sources/SweetEchoPlayer/main.swift",
                "Tests/SweetEchoTests/SweetEchoTests.swift",
            ])
        for file in files {
            let text = outside.text(of: "SweetEcho/\(file)")
            for rest in ["Template", "tmpl", "Tmpl", "SPDX", "\"../..\""] { #expect(!text.contains(rest), "\(file): \(rest)") }
        }
        #expect(outside.text(of: "SweetEcho/Package.swift").hasPrefix("// swift-tools-version"))
        let parameters = outside.text(of: "SweetEcho/Sources/SweetEcho/SweetEcho+Parameters.swift")
        #expect(parameters.contains("(.effect, \"swee\", \"Make\"), name: \"Sweet Echo\", manufacturerName: \"maker\""))
    }

    @Test func codesAndAuthorAreTakenAsTheyAreGiven() throws {
        let outside = try Outside()
        let outcome = try outside.bulkhead(
            "new", "Echo 2", "--folder", "deep/down", "--author", "Northern Lights", "--subtype", "ec-2", "--manufacturer", "Nord")
        #expect(outcome.status == 0, "\(outcome.output)")
        let parameters = outside.text(of: "deep/down/Sources/Echo2/Echo2+Parameters.swift")
        #expect(parameters.contains("\"ec-2\", \"Nord\"), name: \"Echo 2\", manufacturerName: \"Northern Lights\""))
    }

    @Test(arguments: [
        ["new"], ["new", ""], ["new", "2 Fast"], ["new", "Écho"], ["new", "A\"B"], ["new", "../up"], ["new", "One", "Two"],
        ["new", "Good", "--subtype", "long one"], ["new", "Good", "--manufacturer", "*"], ["new", "Good", "--author", "\""],
        ["new", "Good", "--colour", "red"],
    ])
    func whatMakesNoSenseIsRefusedAndNothingWritten(words: [String]) throws {
        let outside = try Outside()
        let outcome = try outside.bulkhead(words)
        #expect(outcome.status == 2 && outcome.output.contains("See: bulkhead new --help"), "\(outcome.output)")
        #expect(outside.files(in: ".").allSatisfy { $0.hasSuffix(".log") })
    }

    @Test func aFolderWithSomethingInItStaysAsItIs() throws {
        let outside = try Outside()
        for name in ["SweetEcho/note", "Blunt"] {
            let path = "\(outside.folder)/\(name)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try "mine".write(toFile: path, atomically: false, encoding: .utf8)
        }
        for name in ["Sweet Echo", "Blunt"] {
            let outcome = try outside.bulkhead("new", name)
            #expect(outcome.status == 1 && outcome.output.contains("something is there already"), "\(outcome.output)")
        }
        #expect(outside.files(in: "SweetEcho") == ["note"] && outside.text(of: "Blunt") == "mine")
    }

    @Test(arguments: ["Delay", "Foundation", "Plugin", "Wire"])
    func aNameThatAModuleHasAlreadyIsRefused(name: String) throws {
        let outside = try Outside()
        let outcome = try outside.bulkhead("new", name)
        #expect(outcome.status == 1 && outcome.output.contains("there is a module"), "\(outcome.output)")
    }

    @Test func aFolderWithoutSourcesIsNoSDK() throws {
        let outside = try Outside()
        let outcome = try outside.bulkhead("new", "Sweet Echo", "--sdk", ".")
        #expect(outcome.status == 1 && outcome.output.contains("Couldn't find Bulkhead's sources"), "\(outcome.output)")
    }
}
