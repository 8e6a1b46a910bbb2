// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a run of the benchmarks. Main thread.

/// A part of the standard set.
enum Part: String, CaseIterable {
    /// One unit and a chain of 16, beside the floor.
    case unit
    /// Hundreds of units at the pace of a driver, a minute each, in the first round.
    case many
    /// One unit on another core.
    case spinning
    /// The same chain as PipeWire's own clients.
    case peer
    case startup, memory
    /// A file through four effects, in process and out of process, and by other hosts.
    case offline
}

/// The options on the command line.
struct BenchmarkOptions {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The path from the root of the project, which `.ci/bench` makes the current folder.
    static let file = "Host/BENCHMARKS.md"
    private static let fewestRounds = 5

    var rounds = fewestRounds
    var parts = Part.allCases
    /// How long, altogether, the parts may wait for a quiet machine before they begin.
    var patience = Patience(minutes: 0)
    /// The arguments as they were given.
    let words: String

    /// Whether the results are worth a file.
    var isFull: Bool { rounds >= Self.fewestRounds && parts == Part.allCases }

    init(_ words: ArraySlice<String>) throws(Unreadable) {
        self.words = words.joined(separator: " ")
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--rounds":
                guard let number = words.popFirst().flatMap({ Int($0) }), (1...100).contains(number) else {
                    throw Unreadable(description: "--rounds takes a whole number from 1 to 100.")
                }
                rounds = number
            case "--patience":
                guard let number = words.popFirst().flatMap({ Int($0) }), (1...1000).contains(number) else {
                    throw Unreadable(description: "--patience takes a whole number of minutes from 1 to 1000.")
                }
                patience = Patience(minutes: number)
            case "--only": parts = try Self.parts(words.popFirst() ?? "")
            default: throw Unreadable(description: "\"\(word)\" is none of --rounds N, --patience MINUTES and --only PART[,PART…].")
            }
        }
    }

    private static func parts(_ text: String) throws(Unreadable) -> [Part] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy({ Part(rawValue: $0) != nil }) else {
            let known = Part.allCases.map(\.rawValue).joined(separator: ", ")
            throw Unreadable(description: "--only takes names of parts, with commas between them, not \"\(text)\": \(known).")
        }
        return Part.allCases.filter { names.contains($0.rawValue) }
    }
}
