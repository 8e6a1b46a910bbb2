// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a run of the peer. Main thread.

import LinuxSystem

/// The options on the command line.
struct ChainOptions {
    static let usage = """
        --effects N[,N…], --quantum FRAMES, --cycles N, --placement together|default, --ranks rising|equal, --processor N, \
        --sabotage gain|link and --json
        """
    /// The most filters: each has a rank of its own below the host's.
    static let mostEffects = 48

    enum Placement: String, CaseIterable {
        /// All threads that process run on one processor, under SCHED_FIFO.
        case together
        /// The threads run as PipeWire and the kernel place them.
        case `default`
    }

    /// The filters' ranks when they run together: rising or equal.
    ///
    /// When they rise along the chain, each successor runs as soon as it is woken.
    enum Ranks: String, CaseIterable { case rising, equal }

    /// A fault that a run must notice: a filter that does nothing, or two neighbours without a link.
    enum Sabotage: String, CaseIterable { case gain, link }

    var effectCounts = [16]
    var quantum = 128
    var cycles = 2000
    var placement = Placement.together
    var ranks = Ranks.rising
    var sabotage: Sabotage?
    var isJSON = false
    private var wantedProcessor: Int?

    static let sampleRate = 48_000
    var periodMicroseconds: Int { quantum * 1_000_000 / Self.sampleRate }

    /// The processor that all threads are bound to: without `--processor` the last one, as in `bulkhead measure`.
    var processor: Int? {
        placement == .together ? wantedProcessor ?? Scheduling.processors(ofThread: 0).max() : nil
    }

    init(_ words: ArraySlice<String>) throws(ChainError) {
        var words = words
        while let word = words.popFirst() {
            switch word {
            case "--effects": effectCounts = try Self.numbers(word, words.popFirst(), 1...Self.mostEffects)
            case "--quantum": quantum = try Self.number(word, words.popFirst(), 16...8192)
            case "--cycles": cycles = try Self.number(word, words.popFirst(), 1...1_000_000)
            case "--placement": placement = try Self.choice(word, words.popFirst())
            case "--ranks": ranks = try Self.choice(word, words.popFirst())
            case "--sabotage": sabotage = try Self.choice(word, words.popFirst())
            case "--processor": wantedProcessor = try Self.number(word, words.popFirst(), 0...1023)
            case "--json": isJSON = true
            default: throw .usage("\"\(word)\" is none of \(Self.usage).")
            }
        }
    }

    private static func numbers(_ word: String, _ text: String?, _ range: ClosedRange<Int>) throws(ChainError) -> [Int] {
        var numbers: [Int] = []
        for part in (text ?? "").split(separator: ",", omittingEmptySubsequences: false) {
            numbers.append(try number(word, String(part), range))
        }
        return numbers
    }

    private static func number(_ word: String, _ text: String?, _ range: ClosedRange<Int>) throws(ChainError) -> Int {
        guard let number = text.flatMap({ Int($0) }), range.contains(number) else {
            throw .usage("\(word) takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String, _ text: String?
    ) throws(ChainError) -> Choice {
        guard let choice = text.flatMap({ Choice(rawValue: $0) }) else {
            throw .usage("\(word) takes \(Choice.allCases.map(\.rawValue).joined(separator: " or ")).")
        }
        return choice
    }
}
