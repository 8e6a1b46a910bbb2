// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments of a command line, taken one after the other. Main thread.

import Console
import PluginHosting

/// The arguments after the command's name.
struct Arguments {
    let command: String
    /// The arguments before any was read.
    let original: [String]
    private(set) var remaining: [String]
    /// The options so far, by the names on the command line.
    private(set) var given: [String] = []
    /// True once "--" has been read.
    private var hasEndedOptions = false
    /// The option whose value is read now.
    private(set) var option = ""
    /// The action of a command that has several.
    private(set) var action: String?

    init(command: String, _ arguments: [String]) {
        self.command = command
        original = arguments
        remaining = arguments
    }

    mutating func next() -> String? { remaining.isEmpty ? nil : remaining.removeFirst() }

    /// The next option or operand.
    ///
    /// "--option=value" is the same as "--option value". KEYPATH=VALUE stays whole.
    /// "--" ends the options; all words after it stay whole.
    mutating func nextWord() -> (text: String, isOperand: Bool)? {
        guard let word = next() else { return nil }
        if hasEndedOptions { return (word, true) }
        if word == Self.endOfOptions {
            hasEndedOptions = true
            return nextWord()
        }
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
            return (word, !word.hasPrefix("-") || word == "-")
        }
        remaining.insert(String(word[word.index(after: equals)...]), at: 0)
        return (String(word[..<equals]), false)
    }

    /// The word between options and operands that begin with a dash.
    static let endOfOptions = "--"

    /// Notes the option whose value comes next.
    mutating func begin(_ option: String) {
        self.option = option
        given.append(option)
    }

    /// The action of a command, which is its first argument.
    mutating func action<Action>(_ type: Action.Type) throws(CommandError) -> Action
    where Action: CaseIterable & RawRepresentable, Action.RawValue == String {
        let known = Self.list(Action.allCases.map(\.rawValue))
        guard let argument = next() else { throw usage("Say what to do: \(known).") }
        guard let action = Action(rawValue: argument) else { throw usage("\(command) takes \(known), not \"\(argument)\".") }
        self.action = argument
        return action
    }

    func usage(_ sentence: String) -> CommandError { .usage(sentence, command: command) }

    /// The error for an argument that the command does not take.
    func unknown(_ argument: String, isOperand: Bool, among options: [Option]) -> CommandError {
        guard !isOperand else { return usage("\"\(argument)\" is one argument too many.") }
        let near = NearestNames.among(options.filter { !$0.isHidden }.flatMap(\.names), to: argument, limit: 1)
        return usage("There is no option \(argument).\(near.first.map { " Did you mean \($0)?" } ?? "")")
    }

    /// "a, b or c".
    static func list(_ names: [String], _ conjunction: String = "or") -> String {
        guard names.count > 1 else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) \(conjunction) \(names[names.count - 1])"
    }
}

extension Arguments {
    /// The value after the option.
    mutating func value() throws(CommandError) -> String {
        guard let value = next() else { throw usage("\(option) needs a value.") }
        return value
    }

    /// A whole number in a range.
    mutating func integer(in range: ClosedRange<Int>) throws(CommandError) -> Int {
        let text = try value()
        guard let number = Int(text), range.contains(number) else {
            throw usage("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".")
        }
        return number
    }

    /// A finite number in a range.
    mutating func number(in range: ClosedRange<Double>) throws(CommandError) -> Double {
        let text = try value()
        guard let number = Double(text), range.contains(number) else {
            let (lowest, highest) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
            throw usage("\(option) takes a number from \(lowest) to \(highest), not \"\(text)\".")
        }
        return number
    }

    /// Whole numbers in a range, separated by commas, in the order given, without repetitions.
    mutating func integers(in range: ClosedRange<Int>) throws(CommandError) -> [Int] {
        let text = try value()
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        var known: [Int] = []
        for number in numbers {
            guard let number, range.contains(number) else {
                let limits = "from \(range.lowerBound) to \(range.upperBound)"
                throw usage("\(option) takes whole numbers \(limits), separated by commas, not \"\(text)\".")
            }
            if !known.contains(number) { known.append(number) }
        }
        return known
    }

    /// One of `names`.
    mutating func choice(among names: [String]) throws(CommandError) -> String {
        let text = try value()
        guard names.contains(text) else { throw usage("\(option) takes \(Self.list(names)), not \"\(text)\".") }
        return text
    }

    /// Some of `names`, separated by commas, in the order given, without repetitions.
    mutating func choices(among names: [String]) throws(CommandError) -> [String] {
        let text = try value()
        var known: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard names.contains(part) else {
                throw usage("\(option) takes \(Self.list(names)), or several separated by commas, not \"\(text)\".")
            }
            if !known.contains(part) { known.append(part) }
        }
        return known
    }
}
