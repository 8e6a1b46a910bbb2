// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The commands of the standard set, and the figures that they give. Main thread.

import BenchmarkSupport
import Glibc

/// Runs the parts, one at a time, and keeps their results.
struct StandardSet {
    /// The period of 128 frames at 48 kHz, as the peer's driver has it.
    private static let periodMicroseconds = 2667
    /// Runs of Bulkhead and the peer on one processor within a round.
    ///
    /// There are several, because a busy machine is fast for some seconds and slow for the next ones.
    private static let turnsInOnePlace = 3
    let folder: String
    /// The help of this build's `measure`.
    private let help: String
    var rounds: [RoundFigures] = []
    private(set) var commands: [BenchmarkCommand] = []
    /// Commands that did not run to their end, or whose output cannot be read.
    private(set) var failures: [BenchmarkError] = []
    private(set) var pipeWireVersion, scheduling: String?
    /// The files for offline rendering, once they have been written.
    var files: OfflineFiles?

    init(_ options: BenchmarkOptions) throws(BenchmarkError) {
        var path = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count)
        let executable = path.prefix(max(0, count))
        folder = String(decoding: executable.prefix(upTo: executable.lastIndex(of: UInt8(ascii: "/")) ?? 0), as: UTF8.self)
        try Self.trustEffects(folder)
        help = try BenchmarkCommand(["\(folder)/bulkhead", "measure", "--help"]).output()
    }

    /// Lets the effects run in the host's process, by decisions that are kept beside this build.
    private static func trustEffects(_ folder: String) throws(BenchmarkError) {
        setenv("XDG_CONFIG_HOME", "\(folder)/Benchmarks.config", 1)
        for effect in ["Gain", "Distortion", "Reverb"] {
            _ = try BenchmarkCommand(["\(folder)/bulkhead", "trust", effect]).output()
        }
    }

    /// Whether a short run of `measure`, which keeps two processors busy, finds the machine quiet enough to be trusted.
    var isMachineQuiet: Bool {
        let command = measure("--effects", "1", "--frames", "32", "--cycles", "3000", "--placement", "together,spread")
        guard let text = try? command.output() else { return false }
        let facts: MeasureFacts? = try? Figures.decode(from: text, printedBy: command.text)
        return facts?.noise?.isTrustworthy ?? false
    }

    /// Measures a part; a figure that fails is noted with the reason, and the other figures go on.
    mutating func measure(_ part: Part, isFirstRound: Bool, into figures: inout RoundFigures) {
        switch part {
        case .unit: measureUnits(into: &figures)
        case .many: if isFirstRound { measureMany(into: &figures) }
        case .spinning:
            attempt([.spinning], &figures) { (set, figures) throws(BenchmarkError) in try set.measureSpinning(into: &figures) }
        case .peer:
            attempt([.peerOverBulkhead, .peerDefaultOverBulkhead], &figures) { (set, figures) throws(BenchmarkError) in
                try set.measurePeer(into: &figures)
            }
        case .startup:
            attempt([.start, .written], &figures) { (set, figures) throws(BenchmarkError) in
                figures.note(startup: try set.facts(set.measure("--startup", "30")))
            }
            attempt([.startOf64], &figures) { (set, figures) throws(BenchmarkError) in
                figures.note(startupOf64: try set.facts(set.measure(["--startup", "5", "--at-once", "64"])))
            }
        case .offline: measureOffline(into: &figures)
        case .memory:
            measureMemory(.proportionalOf16, of: 16, into: &figures) { $0.megabytesEach }
            if isFirstRound { measureMemory(.proportionalOf512, of: 512, into: &figures) { $0.megabytes / 1000 } }
        }
    }

    mutating func attempt(
        _ wanted: [Figure], _ figures: inout RoundFigures,
        _ find: (inout StandardSet, inout RoundFigures) throws(BenchmarkError) -> Void
    ) {
        do {
            try find(&self, &figures)
        } catch {
            StandardError.say("    \(error)")
            for figure in wanted where figures[figure] == nil { figures.miss(figure, error) }
        }
    }

    private mutating func measureUnits(into figures: inout RoundFigures) {
        let (ofOne, ofChain): ([Figure], [Figure]) = ([.unitOverFloor, .unitTailOverFloor], [.furtherOverFloor, .inProcess])
        attempt(ofOne + ofChain, &figures) { (set, figures) throws(BenchmarkError) in
            let words = ["--effects", "1,16", "--frames", "32,128", "--cycles", "20000"]
            let facts: MeasureFacts = try set.facts(set.measure(words))
            set.scheduling = facts.scheduling
            set.attempt(ofOne, &figures) { (_, figures) throws(BenchmarkError) in try figures.note(one: facts) }
            set.attempt(ofChain, &figures) { (_, figures) throws(BenchmarkError) in try figures.note(chain: facts) }
        }
        attempt([.furtherSharedOverFloor], &figures) { (set, figures) throws(BenchmarkError) in
            let words = ["--effects", "1,16", "--frames", "32", "--cycles", "20000", "--isolation", "together"]
            try figures.note(shared: set.facts(set.measure(words)))
        }
        attempt([.unitAtPaceOverFloor, .furtherAtPaceOverFloor], &figures) { (set, figures) throws(BenchmarkError) in
            let words = ["--effects", "1,16", "--frames", "32", "--period", "667", "--cycles", "3000"]
            try figures.note(paced: set.facts(set.measure(words)))
        }
    }

    /// Measures each size for a minute, beside the same in process.
    private mutating func measureMany(into figures: inout RoundFigures) {
        let sizes: [(missed: Figure, tail: Figure, effects: Int, branches: Int, frames: Int)] = [
            (.missedOf300, .tailOf300, 3, 100, 256), (.missedOf512, .tailOf512, 256, 2, 1024),
            (.missedOf1000, .tailOf1000, 250, 4, 2048),
        ]
        for size in sizes {
            attempt([size.missed, size.tail], &figures) { (set, figures) throws(BenchmarkError) in
                let microseconds = size.frames * 1_000_000 / 48_000
                let words = [
                    "--effects", "\(size.effects)", "--branches", "\(size.branches)", "--frames", "\(size.frames)",
                    "--period", "\(microseconds)", "--cycles", "\(60_000_000 / microseconds)", "--placement", "branches",
                ]
                let facts: MeasureFacts = try set.facts(set.measure(words))
                try figures.note(
                    missed: size.missed, tail: size.tail, of: facts, effects: size.effects, frames: size.frames)
                if size.missed == .missedOf300 { try figures.note(ofRings300: facts) }
            }
        }
    }

    private mutating func measureSpinning(into figures: inout RoundFigures) throws(BenchmarkError) {
        guard help.contains("--waiting"), help.contains("--placement") else {
            throw BenchmarkError("`bulkhead measure` does not know --waiting yet")
        }
        guard sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else { throw BenchmarkError("there is one processor only") }
        let words = measure(
            "--effects", "1", "--frames", "32", "--cycles", "20000", "--placement", "spread", "--waiting", "spin")
        try figures.note(spinning: facts(words))
    }

    private mutating func measurePeer(into figures: inout RoundFigures) throws(BenchmarkError) {
        let own = ["--effects", "16", "--frames", "128", "--period", "\(Self.periodMicroseconds)", "--cycles", "400"]
        var turns: [RoundFigures] = []
        for _ in 0..<Self.turnsInOnePlace {
            var turn = RoundFigures()
            let together: MeasureFacts = try facts(measure(own))
            let peerTogether: PeerReport = try facts(peer("together"))
            (pipeWireVersion, scheduling) = (peerTogether.pipeWireVersion, together.scheduling)
            try turn.note(together: together, peerTogether)
            turns.append(turn)
        }
        figures.note(mediansOf: turns)
        let anywhere: MeasureFacts = try facts(measure(own + ["--processor", "any"]))
        let peerDefault: PeerReport = try facts(peer("default"))
        try figures.note(anywhere: anywhere, peerDefault)
    }

    /// Measures the memory of a chain of so many; the chain runs for this alone.
    private mutating func measureMemory(
        _ figure: Figure, of count: Int, into figures: inout RoundFigures, _ value: (ExtensionMemory) -> Double
    ) {
        // Beside the chain there is a single unit, which counts as well.
        let period = "\(Self.periodMicroseconds)"
        let command = measure(
            "--effects", "\(count)", "--frames", "32", "--period", period, "--cycles", count > 100 ? "100" : "200")
        var memory: ExtensionMemory?
        note(command)
        let result = command.run { memory = ExtensionMemory.of(extensions: count + 1) }
        if let memory, result.status == 0 {
            figures[figure] = value(memory)
        } else {
            let reason = result.status == 0 ? "did not start so many in time" : "failed with status \(result.status)"
            figures.miss(figure, BenchmarkError("`\(command.text)` \(reason)"))
        }
    }

    private func measure(_ words: String...) -> BenchmarkCommand { measure(words) }

    private func measure(_ words: [String]) -> BenchmarkCommand {
        BenchmarkCommand(["\(folder)/bulkhead", "measure"] + words + ["--json"])
    }

    private func peer(_ placement: String) -> BenchmarkCommand {
        BenchmarkCommand([
            "\(folder)/PipeWireChain", "--effects", "16", "--quantum", "128", "--cycles", "800", "--placement", placement,
            "--json",
        ])
    }

    private mutating func facts<Facts: Decodable>(_ command: BenchmarkCommand) throws(BenchmarkError) -> Facts {
        note(command)
        do {
            return try Figures.decode(from: try command.output(), printedBy: command.text)
        } catch {
            failures.append(error)
            throw error
        }
    }

    mutating func note(_ failure: BenchmarkError) { failures.append(failure) }

    mutating func note(_ command: BenchmarkCommand) { if !commands.contains(command) { commands.append(command) } }
}
