// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead list and bulkhead info.

import Foundation
import Testing

extension Commands {
    @Suite struct ListAndInfoTests {
        private struct Row: Decodable {
            let id, name, version, format, type, subtype, manufacturer: String
            let tags: [String]
        }

        private func rows(_ arguments: String...) throws -> [Row] {
            let outcome = try Workbench().run(["list", "--json"] + arguments)
            outcome.expectSuccess()
            return try JSONDecoder().decode([Row].self, from: Data(outcome.output.utf8))
        }

        @Test func theListNamesEveryEffectOfTheBuild() throws {
            let outcome = try Workbench().run("list")
            outcome.expectSuccess()
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first?.hasPrefix("Name ") == true)
            for name in [
                "Delay", "Distortion", "Drums", "Equalizer", "Filter", "Gain", "Reverb", "Sampler", "Synth", "Voice Processor",
            ] {
                #expect(lines.contains { $0.hasPrefix("\(name) ") && $0.contains(" native ") }, "\(name)")
            }
        }

        @Test func theListAsJSONHasEveryFieldOfEveryEffect() throws {
            let gain = try #require(try rows().first { $0.name == "Gain" })
            #expect(gain.id == "aufx:gain:blkh" && gain.format == "native")
            #expect([gain.type, gain.subtype, gain.manufacturer] == ["aufx", "gain", "blkh"])
            #expect(gain.version.split(separator: ".").count == 3)
            #expect(!gain.tags.isEmpty)
        }

        @Test func theListCanBeNarrowedByTypeSubtypeManufacturerAndTag() throws {
            #expect(try rows("--type", "aufx").count >= 6)
            #expect(try rows("--type", "aumu", "--manufacturer", "blkh").map(\.name) == ["Drums", "Sampler", "Synth"])
            #expect(try rows("--subtype", "dlay").map(\.name) == ["Delay"])
            #expect(try rows("--manufacturer", "none").isEmpty)
            #expect(try rows("--tag", "reverb", "--type=aufx").map(\.name) == ["Reverb"])
        }

        @Test func anEmptyListSaysWhereItSearched() throws {
            let outcome = try Workbench().run("list", "--tag", "Nothing")
            outcome.expectSuccess()
            #expect(outcome.output.hasPrefix("No plug-in matches. Searched: /"))
        }

        @Test(arguments: ["Reverb", "rev", "aufx:rvrb:blkh"])
        func infoShowsParametersAndPresets(name: String) throws {
            let outcome = try Workbench().run("info", name)
            outcome.expectSuccess()
            for part in ["aufx:rvrb:blkh", "Large Hall", "decay", "0.1 s to 20 s (1.5 s)", "1 or 2 channels"] {
                #expect(outcome.output.contains(part), "\(part)")
            }
        }

        @Test func infoAsJSONIsReadByScripts() throws {
            let outcome = try Workbench().run("info", "Gain", "--json")
            outcome.expectSuccess()
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            let parameter = (object?["parameters"] as? [[String: Any]])?.first
            #expect(parameter?["keyPath"] as? String == "gain")
            #expect(parameter?["minimum"] as? Double == -96)
            #expect(object?["id"] as? String == "aufx:gain:blkh")
        }

        @Test(arguments: [
            "list", "info", "render", "play", "live", "validate", "preset", "bundle", "demo", "scan", "block", "unblock", "trust",
            "untrust",
        ])
        func everyCommandTeachesWithAnExample(command: String) throws {
            let outcome = try Workbench().run(command, "--help")
            outcome.expectSuccess()
            let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].hasSuffix("."))
            let example = try #require(lines.firstIndex(of: "Examples:"))
            #expect(lines[example + 1].hasPrefix("    bulkhead \(command)"))
            #expect(try Workbench().run("help", command).output == outcome.output)
        }
    }
}
