// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead chain: saved, shown, played as the arguments that made it, and refused by name where it cannot be.

import Foundation
import Testing

extension Commands {
    @Suite struct ChainTests {
        /// Out of process, in process, with a preset, settings and automation.
        private static let arguments = [
            "-e", "Gain", "--set", "gain=-6.1", "-e", "Reverb", "--preset", "Large Hall", "--set", "mix=33", "--in-process",
            "-e", "Filter", "--automate", "cutoff=0:200,0.1:8000",
        ]

        private func bench() throws -> Workbench {
            let bench = try Workbench()
            try bench.trust("Gain", "Filter", "Reverb")
            try bench.writeTone(frames: 9600)
            return bench
        }

        private func path(_ name: String, _ bench: Workbench) -> String {
            "\(bench.folder)/.local/share/bulkhead/chains/\(name).json"
        }

        /// Changes the text of a saved chain.
        private func change(_ name: String, _ bench: Workbench, _ old: String, _ new: String) throws {
            let url = URL(fileURLWithPath: path(name, bench))
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains(old))
            try text.replacingOccurrences(of: old, with: new).write(to: url, atomically: true, encoding: .utf8)
        }

        @Test func aSavedChainSoundsAsTheWordsThatMadeItBitForBit() throws {
            let bench = try bench()
            let saved = try bench.run(["chain", "save", "Mine"] + Self.arguments)
            saved.expectSuccess()
            #expect(saved.output == path("Mine", bench) + "\n")
            try bench.run(["render", "in.wav", "arguments.wav"] + Self.arguments + ["-e", "Delay"]).expectSuccess()
            let after = ["-e", "Delay", "--report", "report.json"]
            try bench.run(["render", "in.wav", "chain.wav", "--chain", "Mine"] + after).expectSuccess()
            #expect(bench.bytes("chain.wav") == bench.bytes("arguments.wav") && bench.bytes("chain.wav").count > 9600 * 4)
            try bench.run("render", "in.wav", "dry.wav", "-e", "Delay").expectSuccess()
            #expect(bench.bytes("dry.wav") != bench.bytes("arguments.wav"))
            let units = try bench.report().units
            #expect(units.map(\.id) == ["aufx:gain:blkh", "aufx:rvrb:blkh", "aufx:filt:blkh", "aufx:dlay:blkh"])
            #expect(units.map(\.isolation) == ["out-of-process", "in-process", "out-of-process", "out-of-process"])
        }

        @Test func aChainOfAChainIsKeptInAFileOfItsOwn() throws {
            let bench = try bench()
            try bench.run(["chain", "save", "Mine"] + Self.arguments).expectSuccess()
            try bench.run("chain", "save", "copy.json", "--chain", "Mine").expectSuccess()
            let mine = FileManager.default.contents(atPath: path("Mine", bench))
            #expect(bench.bytes("copy.json") == mine && mine != nil)
            try bench.run("chain", "save", "Mine", "--chain", "./copy.json", "-e", "Gain").expectSuccess()
            #expect(try bench.run("chain", "list").output.contains("\nMine   Gain, Reverb, Filter, Gain\n"))
            #expect(try bench.run("chain", "show", "--json", "copy.json").output == String(decoding: mine ?? Data(), as: UTF8.self))
        }

        @Test func aChainIsPlayed() throws {
            let bench = try bench()
            try bench.run("chain", "save", "Mine", "-e", "Gain", "-e", "Filter").expectSuccess()
            let arguments = ["play", "in.wav", "--chain", "Mine", "--driver", "null", "--report", "report.json"]
            #expect(try bench.run(arguments).status == 0)
            #expect(try bench.report().units.map(\.id) == ["aufx:gain:blkh", "aufx:filt:blkh"])
        }

        @Test func aChainIsMeasuredWithEveryEffectOnBothSidesOfTheWall() throws {
            let bench = try bench()
            try bench.run("chain", "save", "Mine", "-e", "Gain", "-e", "Filter", "--in-process").expectSuccess()
            struct Measures: Decodable {
                struct Row: Decodable {
                    let effects: Int
                    let isolation: String
                }
                let unit: String
                let rows: [Row]
            }
            let arguments = ["measure", "--chain", "Mine", "--cycles", "50", "--frames", "32", "--json"]
            let measures = try JSONDecoder().decode(Measures.self, from: Data(try bench.run(arguments).output.utf8))
            #expect(measures.unit == "Mine" && measures.rows.map(\.effects) == [2, 2])
            #expect(measures.rows.map(\.isolation) == ["in-process", "out-of-process"])
        }

        @Test func aChainIsListedAndShownUntilItIsDeleted() throws {
            let bench = try bench()
            #expect(try bench.run("chain", "list").output == "You have saved no chains.\n")
            try bench.run(["chain", "save", "Mine"] + Self.arguments).expectSuccess()
            let page = try bench.run("chain", "show", "Mine").output
            #expect(page.hasPrefix("Mine, 3 effects\nFile  \(path("Mine", bench))\n"))
            for line in [
                "1  Gain 1.0.0, aufx:gain:blkh, in its own process", "   gain  -6.1", "in the host's process",
                "   mix              33",
                "   automation of cutoff: 200 at 0 s, 8000 at 0.1 s",
            ] { #expect(page.contains("\n\(line)\n") || page.contains("\(line)\n"), "\(page)") }
            struct Row: Decodable {
                struct Unit: Decodable { let id: String }
                let name, path: String
                let units: [Unit]
            }
            let list = try JSONDecoder().decode([Row].self, from: Data(try bench.run("chain", "list", "--json").output.utf8))
            #expect(list.map(\.name) == ["Mine"] && list[0].path == path("Mine", bench) && list[0].units.count == 3)
            try bench.run("chain", "delete", "Mine").expectSuccess()
            #expect(try bench.run("chain", "list", "--json").output == "[\n\n]\n")
        }

        @Test func plugInsThatAreMissingAreNamedAndCanBeLeftOut() throws {
            let bench = try bench()
            try bench.run(["chain", "save", "Mine"] + Self.arguments).expectSuccess()
            try change("Mine", bench, "aufx:rvrb:blkh", "lv2:http://example.org/reverb")
            try bench.run("render", "in.wav", "out.wav", "--chain", "Mine").expectComplaint(
                status: 1, "Couldn't use the chain \"Mine\": there is no plug-in \"lv2:http://example.org/reverb\" (\"Reverb\"). ",
                "leave it out with --skip-missing")
            let left = try bench.run("render", "in.wav", "out.wav", "--chain", "Mine", "--skip-missing")
            left.expectComplaint(status: 0, "\"Mine\" plays without \"lv2:http://example.org/reverb\" (\"Reverb\")")
            let rest = Self.arguments.prefix(4) + Self.arguments.suffix(4)
            try bench.run(["render", "in.wav", "rest.wav"] + rest).expectSuccess()
            #expect(bench.bytes("out.wav") == bench.bytes("rest.wav") && !bench.bytes("out.wav").isEmpty)
            try change("Mine", bench, "aufx:gain:blkh", "ladspa:amp_1181:amp_mono")
            try bench.run("render", "in.wav", "no.wav", "--chain", "Mine").expectComplaint(
                status: 1, "\"ladspa:amp_1181:amp_mono\" (\"Gain\") and no \"lv2:http://example.org/reverb\" (\"Reverb\")")
            #expect(!bench.exists("no.wav"))
            #expect(try bench.run("chain", "show", "Mine").output.contains("in its own process; not installed\n"))
        }

        /// As if somebody had sent it.
        @Test func aChainFromElsewhereIsLoadedIntoTheHostByAWordOnly() throws {
            let bench = try bench()
            try bench.run("chain", "save", "Mine", "-e", "Gain", "--set", "gain=-6", "--in-process").expectSuccess()
            let render = ["render", "in.wav", "out.wav", "--chain", "Mine", "--report", "report.json"]
            try bench.run(render).expectSuccess()
            try change("Mine", bench, "\"gain\" : -6", "\"gain\" : -7")
            try bench.run(render).expectComplaint(
                status: 1, "\"Gain\" wants to be loaded into the host's process", "add --allow in-process")
            try bench.run(render + ["--allow", "in-process"]).expectSuccess()
            #expect(try bench.report().units[0].isolation == "in-process")
            let shown = try bench.run("chain", "show", "Mine")
            #expect(shown.output.contains("\nAsks  \"Gain\" wants to be loaded into the host's process\n"))
            // The user's trust is wanted as well.
            try bench.run("untrust", "Gain").expectSuccess()
            try bench.run(render + ["--allow", "in-process"]).expectComplaint(status: 1, "you have not trusted it")
        }

        @Test func aChainThatCannotBeSealedSaysSo() throws {
            let bench = try bench()
            let key = "\(bench.folder)/.local/state/bulkhead/document.key"
            try bench.run("chain", "save", "Mine", "-e", "Gain").expectSuccess()
            #expect(chmod(key, 0o644) == 0)
            try bench.run("chain", "save", "Mine", "-e", "Gain").expectComplaint(status: 0, "Couldn't seal it as yours", key)
        }

        private static let damages: [(old: String, new: String, reason: String)] = [
            ("\"version\" : \"1.0.0\"", "\"version\" : \"9.0.0\"", "because version 9.0.0 saved it and this is 1.0.0"),
            ("\"gain\" : -6.1", "\"gain\" : 99", "gain cannot be 99"),
            ("\"chain\" : 1", "\"chain\" : 2", "a newer Bulkhead wrote it"),
            ("\"chain\" : 1", "\"train\" : 1", "it is not a chain of Bulkhead"),
            ("\"id\" : \"aufx:gain:blkh\"", "\"id\" : 3", "\"units[0].id\" has the wrong type"),
            ("\"seconds\" : 0,", "\"seconds\" : 1e300,", "1e+300 seconds"), ("\"cutoff\"", "\"cutof\"", "did you mean cutoff?"),
        ]

        @Test(arguments: damages) func aDamagedChainIsRefusedWithItsReason(old: String, new: String, reason: String) throws {
            let bench = try bench()
            try bench.run(["chain", "save", "Mine"] + Self.arguments).expectSuccess()
            try change("Mine", bench, old, new)
            try bench.run("render", "in.wav", "out.wav", "--chain", "Mine", "--allow", "in-process").expectComplaint(
                status: 1, reason)
            #expect(!bench.exists("out.wav"))
        }

        @Test func aTornChainIsNamedAndTheOthersAreListed() throws {
            let bench = try bench()
            for name in ["Mine", "Torn"] { try bench.run(["chain", "save", name] + Self.arguments).expectSuccess() }
            let size = try #require(FileManager.default.contents(atPath: path("Torn", bench))).count
            #expect(truncate(path("Torn", bench), size / 2) == 0)
            let sentence = "Couldn't read the chain \"\(path("Torn", bench))\": it is not a chain of Bulkhead, for it is not JSON"
            try bench.run("render", "in.wav", "out.wav", "--chain", "Torn").expectComplaint(status: 1, sentence, "cut short")
            let list = try bench.run("chain", "list")
            list.expectComplaint(status: 0, sentence)
            #expect(list.output.contains("\nMine   Gain, Reverb, Filter\n"))
        }

        private static let mistakes: [(arguments: [String], status: Int32, reason: String)] = [
            (["chain"], 2, "save, list, show or delete"), (["chain", "make"], 2, "not \"make\""),
            (["chain", "save"], 2, "Say the name"), (["chain", "save", "a"], 2, "Say what the chain holds: -e ID."),
            (["chain", "save", "a", "b", "-e", "Gain"], 2, "one argument too many"), (["chain", "list", "a"], 2, "too many"),
            (["chain", "save", ".a", "-e", "Gain"], 1, "no dot at its beginning"),
            (["chain", "save", "no/a.json", "-e", "Gain"], 1, "no such file or directory"),
            (["chain", "save", ".local/", "-e", "Gain"], 1, "that is not a file"),
            (["chain", "save", "a", "-e", "Nope"], 1, "\"Nope\""), (["chain", "show", "Mime"], 1, "Did you mean \"Mine\"?"),
            (["chain", "save", "a", "-e", "Gain", "--automate", "gain=0:99"], 1, "its range is -96 to 24."),
            (["chain", "save", "a", "-e", "Gain", "--json"], 2, "no option --json"),
            (["chain", "show", "nothing.json"], 1, "\"nothing.json\": it is not there."),
            (["chain", "show", "./in.wav"], 1, "not JSON"),
            (["chain", "delete", "Mime"], 1, "Did you mean \"Mine\"?"), (["chain", "delete", "./in.wav"], 1, "no such chain"),
            (["measure", "--chain", "Mine", "--effects", "3"], 2, "leave --effects out"),
            (["measure", "--chain", "Mime"], 1, "Did you mean \"Mine\"?"),
            (["render", "in.wav", "out.wav", "--chain"], 2, "--chain needs a value"),
            (["render", "in.wav", "out.wav", "--chain", "Mime"], 1, "Did you mean \"Mine\"?"),
            (["render", "in.wav", "out.wav", "--chain", "Mine", "--set", "gain=3"], 2, "put it after -e ID"),
            (["render", "in.wav", "out.wav", "--chain", "Mine", "--chain", "Mine"], 2, "one --chain"),
            (["render", "in.wav", "out.wav", "-e", "Gain", "--skip-missing"], 2, "put it after --chain NAME"),
            (["render", "in.wav", "out.wav", "--chain", "mine.json", "--report", "./mine.json"], 2, "would be read and written"),
        ]

        /// None of them changes a chain or leaves a file behind, so all are made in one folder.
        @Test func mistakesAreNamed() throws {
            let bench = try bench()
            try bench.run("chain", "save", "Mine", "-e", "Gain").expectSuccess()
            try bench.run("chain", "save", "./mine.json", "-e", "Gain").expectSuccess()
            let kept = FileManager.default.contents(atPath: path("Mine", bench))
            for (arguments, status, reason) in Self.mistakes {
                try bench.run(arguments).expectComplaint(status: status, reason)
                #expect(bench.names() == [".local", "in.wav", "mine.json"], "\(arguments)")
                #expect(FileManager.default.contents(atPath: path("Mine", bench)) == kept, "\(arguments)")
            }
            #expect(kept != nil)
            #expect(try bench.run("chain", "list").output == "Chain  Effects\nMine   Gain\n")
        }
    }
}
