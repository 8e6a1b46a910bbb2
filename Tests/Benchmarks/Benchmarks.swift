// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The standard set and the peer, in rounds: `make bench`. Main thread.

import BenchmarkSupport
import FoundationEssentials
import Glibc

@main struct Benchmarks {
    static func main() {
        do {
            let options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
            var set = try StandardSet(options)
            run(&set, options)
            let text = document(set, options).text
            print(text)
            guard set.failures.isEmpty else { throw BenchmarkError("Nothing is written: not everything could be run.") }
            guard options.isFull else {
                StandardError.say("Nothing is written: \(BenchmarkOptions.file) takes all parts and at least 5 rounds.")
                return
            }
            try write(text)
            StandardError.say("Written to \(BenchmarkOptions.file).")
        } catch let error as BenchmarkOptions.Unreadable {
            StandardError.say("Benchmarks: \(error)")
            exit(2)
        } catch {
            StandardError.say("Benchmarks: \(error)")
            exit(1)
        }
    }

    /// Measures round after round, so that a drift of the machine affects every part.
    private static func run(_ set: inout StandardSet, _ options: BenchmarkOptions) {
        var patience = options.patience
        for round in 1...options.rounds {
            var figures = RoundFigures()
            for part in options.parts {
                patience.awaitQuiet { set.isMachineQuiet }
                StandardError.say("round \(round) of \(options.rounds): \(part.rawValue)")
                set.measure(part, isFirstRound: round == 1, into: &figures)
            }
            set.rounds.append(figures)
        }
    }

    private static func document(_ set: StandardSet, _ options: BenchmarkOptions) -> BenchmarkDocument {
        let commit = BenchmarkCommand(["git", "describe", "--always", "--dirty"]).run().output ?? ""
        var document = BenchmarkDocument(
            machine: MachineDescription.current.text, date: today,
            commit: commit.split(separator: "\n").first.map(String.init) ?? "unknown", rounds: set.rounds,
            commands: set.commands, isWhole: options.parts == Part.allCases)
        document.flags = options.words
        document.pipeWireVersion = set.pipeWireVersion
        document.scheduling = set.scheduling
        return document
    }

    private static var today: String {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    /// Writes the whole file or nothing of it.
    private static func write(_ text: String) throws(BenchmarkError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: BenchmarkOptions.file), options: .atomic)
        } catch {
            throw BenchmarkError("Couldn't write \"\(BenchmarkOptions.file)\": \(error).")
        }
    }
}
