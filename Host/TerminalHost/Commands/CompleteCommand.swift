// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead complete: the candidates for the next word of a command line. A hidden command that the shells' scripts call. Main thread.

import Console
import Printing

struct CompleteCommand: Command {
    static let name = "complete"
    static let summary = "lists what can come next on a command line"
    static let synopsis = "ARGUMENT…"
    static let operands = [Operand("ARGUMENT", .text, .many)]
    static let details = """
        The arguments are those of a command line after `bulkhead`. The last one is completed; it may be empty. The first line
        of the output is `words`, `files` or `folders`. The other lines are candidates, each with a tab and a few words on it.
        """
    static let examples = ["render in.wav out.wav -e Re"]

    private var arguments: [String] = []

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) {
        self.arguments = arguments.original
        while arguments.next() != nil {}
    }

    func run() throws {
        let completion = Completion(of: arguments, .installed)
        let lines = completion.candidates.map { candidate in
            // A shell cannot take a name with a line feed or a tab, and must not take one that steers the terminal.
            PrintableText.isPrintable(candidate.text) ? "\(candidate.text)\t\(PrintableText.cleaned(candidate.help))" : nil
        }
        Terminal.print(([completion.files?.rawValue ?? "words"] + lines.compactMap(\.self)).joined(separator: "\n"))
    }
}
