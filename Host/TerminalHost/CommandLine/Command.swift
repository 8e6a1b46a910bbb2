// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A command, and the one parser for all of them. Main thread.

/// A command of `bulkhead`.
///
/// It holds its arguments, and `run` does its work.
protocol Command {
    static var name: String { get }
    /// Its effect, without a capital letter or a full stop.
    static var summary: String { get }
    /// The arguments after the name, for the help.
    static var synopsis: String { get }
    /// The one table of its options.
    static var table: [OptionReader<Self>] { get }
    static var operands: [Operand] { get }
    /// Further text for help and manual, in the markup of `Markup`.
    static var details: String { get }
    /// Command lines as examples, without `bulkhead` and the name.
    static var examples: [String] { get }

    /// Makes the command before its arguments are read.
    init()
    /// Takes the action before all options.
    mutating func begin(_ arguments: inout Arguments) throws(CommandError)
    /// Takes an operand; false for one too many.
    mutating func take(_ operand: String) -> Bool
    /// Checks the arguments together.
    mutating func finish(_ arguments: Arguments) throws(CommandError)
    func run() throws
}

extension Command {
    static var table: [OptionReader<Self>] { [] }
    static var operands: [Operand] { [] }
    static var details: String { "" }
    static var examples: [String] { [] }
    /// The visible options.
    static var options: [Option] { table.map(\.option).filter { !$0.isHidden } }

    mutating func begin(_ arguments: inout Arguments) throws(CommandError) {}
    mutating func take(_ operand: String) -> Bool { false }
    mutating func finish(_ arguments: Arguments) throws(CommandError) {}

    /// Reads all arguments.
    init(_ arguments: inout Arguments) throws(CommandError) {
        self.init()
        try begin(&arguments)
        try read(&arguments)
        try finish(arguments)
    }

    /// Reads options and operands.
    mutating func read(_ arguments: inout Arguments) throws(CommandError) {
        let action = arguments.action
        let rows = Self.table.filter { $0.option.belongs(to: action) }
        while let word = arguments.nextWord() {
            if !word.isOperand, let row = rows.first(where: { $0.option.names.contains(word.text) }) {
                arguments.begin(word.text)
                try row.read(&self, &arguments)
            } else if !word.isOperand || !take(word.text) {
                throw arguments.unknown(word.text, isOperand: word.isOperand, among: rows.map(\.option))
            }
        }
    }

    /// The error for arguments that contradict each other.
    static func usage(_ sentence: String) -> CommandError { .usage(sentence, command: name) }
}
