// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a measurement is asked for. Main thread.

import LinuxSystem
import PluginHosting

/// The arguments of `measure`.
struct MeasureSettings: Sendable {
    static let batchSize = 50
    static let mostEffects = 1024

    /// As they were given.
    var effectCounts = [1]
    /// Chains side by side.
    var branchCount = 1
    var frameCounts = [32, 64, 128, 256, 1024]
    /// Times measured of each kind.
    var cycleCount = 20_000
    /// From the start of one cycle to that of the next; 0 for cycles back to back.
    var periodMicroseconds = 0
    var id = "aufx:gain:blkh"
    /// The saved chain that is measured instead of copies of one effect.
    var chain = ChainArguments()
    /// The words that are about copies of one effect.
    private(set) var wordsAboutCopies: [String] = []
    /// Each is measured with each of the others.
    var isolations = [MeasureVariant().isolation]
    var placements = [MeasureVariant().placement]
    var waitings = [MeasureVariant().waiting]
    var processor: ProcessorChoice = .last
    var startupCount: Int?
    /// Units that are started at once.
    var startedAtOnce = 1

    enum ProcessorChoice: Equatable {
        /// The last one that this process may use: interrupts and other people's work gather on the first.
        case last
        case number(Int)
        /// Wherever the kernel puts them.
        case any
    }

    /// Beside a chain of one length there is one effect, to hold it against; beside branches there is not.
    var measuredEffectCounts: [Int] {
        effectCounts.count == 1 && effectCounts != [1] && branchCount == 1 ? [1] + effectCounts : effectCounts
    }

    var batchCount: Int { (cycleCount + Self.batchSize - 1) / Self.batchSize }
    /// Times in a batch; what is measured is `cycleCount`, rounded up to whole batches.
    var batchSize: Int { (cycleCount + batchCount - 1) / batchCount }

    /// Every combination, in the order given.
    var variants: [MeasureVariant] {
        isolations.flatMap { isolation in
            placements.flatMap { placement in
                waitings.map { MeasureVariant(isolation: isolation, placement: placement, waiting: $0) }
            }
        }
    }

    /// Throws when effects or branches are to be spread and there is no second processor to spread them over.
    func checkPlacements() throws(CommandError) {
        guard let placement = placements.first(where: { $0 != .together }) else { return }
        let spread = placement == .branches ? "branches" : "effects"
        guard let number = try processorNumber() else {
            throw .failed("Couldn't measure \(spread) that are spread with --processor any: the kernel places them.")
        }
        guard Scheduling.processors(otherThan: number).isEmpty else { return }
        throw .failed("Couldn't measure \(spread) that are spread: this process may use processor \(number) alone.")
    }

    /// The processor to bind everything to; nil leaves it to the kernel.
    func processorNumber() throws(CommandError) -> Int? {
        let allowed = Scheduling.processors(ofThread: 0)
        switch processor {
        case .any: return nil
        case .last: return allowed.max()
        case .number(let number):
            guard allowed.contains(number) else {
                let list = allowed.sorted().map(String.init).joined(separator: ", ")
                throw .failed("Couldn't measure on processor \(number): this process may use \(list).")
            }
            return number
        }
    }
}

extension MeasureSettings {
    /// Takes a word and what follows it; false for a word of somebody else's.
    mutating func take(_ word: String, _ arguments: inout Arguments) throws(CommandError) -> Bool {
        if ["-e", "--effect", "--effects", "--startup", "--at-once"].contains(word) { wordsAboutCopies.append(word) }
        switch word {
        case "--chain", "--skip-missing": return try chain.take(word, &arguments)
        case "-e", "--effect": id = try arguments.value(of: word)
        case "--effects":
            effectCounts = try arguments.integers(of: word, in: 1...Self.mostEffects)
        case "--branches": branchCount = try arguments.integer(of: word, in: 1...Self.mostEffects)
        case "--frames": frameCounts = try arguments.integers(of: word, in: 1...8192)
        case "--cycles": cycleCount = try arguments.integer(of: word, in: 1...1_000_000)
        case "--period": periodMicroseconds = try arguments.integer(of: word, in: 0...1_000_000)
        case "--isolation":
            isolations = try arguments.choices(of: word, among: IsolationPolicy.choices)
            guard !isolations.contains(.inProcess) else {
                throw arguments.usage("In process is measured anyway; --isolation says who shares a process outside of the host.")
            }
        case "--placement": placements = try arguments.choices(of: word, among: UnitPlacement.allCases)
        case "--waiting": waitings = try arguments.choices(of: word, among: WaitStrategy.allCases)
        case "--at-once": startedAtOnce = try arguments.integer(of: word, in: 1...Self.mostEffects)
        case "--startup": startupCount = try arguments.integer(of: word, in: 1...10_000)
        case "--processor":
            let text = try arguments.value(of: word)
            processor = text == "any" ? .any : .number(try Self.processor(text, arguments))
        default: return false
        }
        return true
    }

    private static func processor(_ text: String, _ arguments: Arguments) throws(CommandError) -> Int {
        guard let number = Int(text), (0..<1024).contains(number) else {
            throw arguments.usage("--processor takes the number of a processor, or \"any\", not \"\(text)\".")
        }
        return number
    }
}
