// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Host/BENCHMARKS.md: the tables, the machine and the commands. Any thread.

/// The results of a run of the standard set, as Markdown.
package struct BenchmarkDocument {
    /// The machine, in words.
    package var machine: String
    /// The date of the run.
    package var date: String
    /// The commit that was measured.
    package var commit: String
    /// The flags of `make bench`, if any.
    package var flags: String = ""
    /// The version of PipeWire, if it was measured.
    package var pipeWireVersion: String?
    /// The scheduling class of the measured threads.
    package var scheduling: String?
    /// The figures of each round.
    package var rounds: [RoundFigures]
    /// The commands, each once, in the order of their first runs.
    package var commands: [BenchmarkCommand]
    /// Whether every part of the standard set was requested.
    package var isWhole: Bool

    /// Makes a document without flags.
    package init(
        machine: String, date: String, commit: String, rounds: [RoundFigures], commands: [BenchmarkCommand], isWhole: Bool
    ) {
        (self.machine, self.date, self.commit) = (machine, date, commit)
        (self.rounds, self.commands, self.isWhole) = (rounds, commands, isWhole)
    }

    /// A figure over all rounds, or the reason why it is missing; nil if its part was not requested.
    package func found(_ figure: Figure) -> Result<Rounds, BenchmarkError>? {
        if let rounds = Rounds(rounds.compactMap { $0[figure] }) { return .success(rounds) }
        if let reason = rounds.lazy.compactMap({ $0.missing[figure] }).first { return .failure(reason) }
        return isWhole ? .failure(BenchmarkError("nobody has asked for it")) : nil
    }

    /// The rows of the table of targets.
    package var targets: [Target] {
        Figure.allCases.compactMap { figure in
            guard let limit = figure.limit, let found = found(figure) else { return nil }
            return Target(figure.name, figure.unit, limit, found, ofRounds: rounds.count)
        }
    }

    /// The document.
    package var text: String {
        [head, conditions, targetSection, figureSection, peerSection, commandSection].filter { !$0.isEmpty }
            .joined(separator: "\n\n") + "\n"
    }

    private var head: String {
        """
        # What isolation costs, measured

        `make bench\(flags.isEmpty ? "" : " FLAGS=\"\(flags)\"")` has measured and written this; nothing in it is typed by hand.
        Each figure is the median over \(rounds.count == 1 ? "1 round" : "\(rounds.count) rounds"), beside the lowest and the \
        highest round. In every round everything is measured in turn, and ratios are taken within a round.
        """
    }

    private var conditions: String {
        let all = rounds.flatMap(\.quiet)
        let quiet = all.count { $0 }
        let noise =
            all.isEmpty
            ? "" : "\nQuiet: \(quiet) of \(all.count) runs of `bulkhead measure` found the machine quiet enough to be trusted."
        let versions = [pipeWireVersion.map { "PipeWire \($0)" }, scheduling].compactMap { $0 }
        let words = ([machine] + versions).joined(separator: ", ")
        return "Machine: \(words).\nMeasured on \(date), at commit \(commit).\(noise)"
    }

    private var targetSection: String {
        guard !targets.isEmpty else { return "" }
        let met = targets.count { $0.isMet == true }
        let missed = targets.count { $0.isMet == false }
        let quiet = rounds.flatMap(\.quiet)
        let isNoisy = quiet.count { $0 } * 2 < quiet.count
        let caution =
            isNoisy
            ? "\n\n**Most of the time the machine was busy with something else: measure again before believing any of it.**" : ""
        let table = MarkdownTable(["what", "wanted", "median", "lowest … highest", "verdict"]).text(targets.map(\.cells))
        return
            "## Targets\n\n\(met) met, \(missed) missed, \(targets.count - met - missed) not measured; judged by the median.\(caution)\n\n\(table)"
    }

    private var figureSection: String {
        let rows = Figure.allCases.filter { $0.limit == nil }.compactMap { figure -> [String]? in
            guard let rounds = try? found(figure)?.get() else { return nil }
            func number(_ value: Double) -> String { "\(value.digits(2)) \(figure.unit)" }
            return [figure.name, number(rounds.median), "\(number(rounds.lowest)) … \(number(rounds.highest))"]
        }
        guard !rows.isEmpty else { return "" }
        return "## Figures behind them\n\n" + MarkdownTable(["what", "median", "lowest … highest"]).text(rows)
    }

    private var peerSection: String {
        guard rounds.contains(where: { $0[.peerTogether] != nil }) else { return "" }
        return """
            ## The peer

            PipeWire's own way to have an effect in a process of its own is a client with a `pw_filter`. The peer is a chain of
            16 of them, one process each, linked in a row in a PipeWire of its own: stereo DSP ports, a gain each, written in
            C. It runs at the quantum of 128 frames; Bulkhead's chain of 16 is called once in the length of that quantum. Both
            are timed by their host, from its handing a block over to its having the chain's, and of both the same chain in
            process is subtracted before the rest is divided by 16. *Together*: every thread that processes on one processor,
            under SCHED_FIFO, with ranks that rise along the chain, below the host's. *As it comes*: PipeWire's threads with
            the rank that `client-rt.conf` gives them, where the kernel puts them. Together both are measured three times in
            turn, and the round's figures are the medians. In each cycle the sound that arrives is looked at: a chain that it
            has not passed through whole makes the run fail.
            """
    }

    private var commandSection: String {
        let lines = commands.map { "    \($0.text)" }.joined(separator: "\n")
        return commands.isEmpty ? "" : "## Commands of a round\n\n\(lines)"
    }
}
