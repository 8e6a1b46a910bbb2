// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Bundles whose names and manifests hold escape sequences, and marks that turn text round: no output holds them.

import Foundation
import TestSupport
import Testing

extension Commands {
    @Suite struct HostileNameTests {
        private static let hostile = "\u{1B}[2J\u{9B}8m\u{202E}\u{2066}\u{7F}\u{E0041}\u{2028}"
        private static let control = Set(hostile.unicodeScalars.filter { $0.value > 0x7E || $0.value < 0x20 })

        /// A field of a manifest, or the name of the bundle's folder.
        enum Place: String, CaseIterable, Codable {
            case folder, executable, library, component, name, manufacturerName, version, tags
        }

        private func bench(_ place: Place) throws -> (Workbench, manifest: String) {
            let bench = try Workbench(adding: ["BULKHEAD_PATH": "bundles", "BULKHEAD_BRIDGES": "bundles"])
            func text(_ here: Place, _ plain: String) -> String { here == place ? plain + Self.hostile : plain }
            let bundle = bench.path("bundles/\(text(.folder, "Odd")).bulkhead")
            try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            let fields: [String: Any] = [
                "manifest": 1, "component": text(.component, "aufx:oddy:test"), "name": text(.name, "Odd"),
                "manufacturerName": text(.manufacturerName, "Nobody"), "version": text(.version, "1.0.0"),
                "tags": [text(.tags, "Test")], "executable": text(.executable, "run"), "library": text(.library, "lib.so"),
                "consentsToInProcess": true,
            ]
            let manifest = try JSONSerialization.data(withJSONObject: fields)
            try manifest.write(to: URL(fileURLWithPath: "\(bundle)/manifest.json"))
            return (bench, String(decoding: manifest, as: UTF8.self))
        }

        private func isHarmless(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { !Self.control.contains($0) } }

        @Test(arguments: Place.allCases) func noOutputHoldsThem(place: Place) throws {
            let (bench, manifest) = try bench(place)
            try bench.writeTone()
            let commands = [
                ["list"], ["list", "--json"], ["info", "Odd"], ["info", "Odd", "--json"], ["scan"], ["scan", "--json"],
                ["validate", "Odd", "--case", "metadata"], ["render", "in.wav", "out.wav", "-e", "Odd"], ["trust", "Odd"],
                ["complete", "info", "Od"], ["info", "Odd\(Self.hostile)"], ["list\(Self.hostile)"],
            ]
            var all = ""
            for command in commands {
                let outcome = try bench.run(command)
                #expect(isHarmless(outcome.output), "\(command)")
                #expect(isHarmless(outcome.errors), "\(command)")
                all += outcome.output + outcome.errors
            }
            // They are in what was read, and something is said about it.
            #expect(place == .folder || !isHarmless(manifest))
            #expect(all.contains("Odd") && all.contains("\u{FFFD}"))
        }

        /// JSON keeps them, in characters that a terminal shows.
        @Test func jsonLosesNothing() throws {
            struct Row: Decodable { let path: String }
            let bench = try Workbench()
            let folder = bench.path("con\(Self.hostile)fig")
            let shell = "XDG_CONFIG_HOME='\(folder)' XDG_DATA_HOME='\(folder)' exec \"$@\""
            try bench.run(["chain", "save", "one", "-e", "Gain"], shell: shell).expectSuccess()
            let outcome = try bench.run(["chain", "list", "--json"], shell: shell)
            #expect(outcome.output.contains("\\u202e") && isHarmless(outcome.output) && isHarmless(outcome.errors))
            let paths = try JSONDecoder().decode([Row].self, from: Data(outcome.output.utf8)).map(\.path)
            #expect(paths.count == 1 && paths[0].hasPrefix(folder))
            let shown = try bench.run(["chain", "show", "one"], shell: shell).output
            #expect(shown.contains("con\u{FFFD}") && isHarmless(shown))
        }
    }
}
