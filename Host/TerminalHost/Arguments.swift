// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The words of a command line, taken one after the other. Main thread.

import Console
import PluginHosting

/// What an option of a command is called and what follows it.
struct Option {
    let name: String
    /// What stands for its value in the help; nil for a switch.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// The words after the command's name.
struct Arguments {
    let command: String
    private(set) var words: [String]

    init(command: String, words: [String]) {
        self.command = command
        // "--option=value" is the same as "--option value", except in the chain's own KEYPATH=VALUE.
        self.words = words.flatMap { word -> [String] in
            guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return [word] }
            return [String(word[..<equals]), String(word[word.index(after: equals)...])]
        }
    }

    var isEmpty: Bool { words.isEmpty }

    mutating func next() -> String? { words.isEmpty ? nil : words.removeFirst() }

    /// The value that has to follow an option.
    mutating func value(of option: String) throws(CommandError) -> String {
        guard let value = next() else { throw usage("\(option) needs a value.") }
        return value
    }

    /// A whole number in a range.
    mutating func integer(of option: String, in range: ClosedRange<Int>) throws(CommandError) -> Int {
        let text = try value(of: option)
        guard let number = Int(text), range.contains(number) else {
            throw usage("\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\".")
        }
        return number
    }

    /// A finite number in a range.
    mutating func number(of option: String, in range: ClosedRange<Double>) throws(CommandError) -> Double {
        let text = try value(of: option)
        guard let number = Double(text), range.contains(number) else {
            let (lowest, highest) = (Decimal.shortest(range.lowerBound), Decimal.shortest(range.upperBound))
            throw usage("\(option) takes a number from \(lowest) to \(highest), not \"\(text)\".")
        }
        return number
    }

    /// The word that says which of a command's actions is meant.
    mutating func action<Action>(_ type: Action.Type) throws(CommandError) -> Action
    where Action: CaseIterable & RawRepresentable, Action.RawValue == String {
        let names = Action.allCases.map(\.rawValue)
        let known = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        guard let word = next() else { throw usage("Say what to do: \(known).") }
        guard let action = Action(rawValue: word) else { throw usage("\(command) takes \(known), not \"\(word)\".") }
        return action
    }

    func usage(_ sentence: String) -> CommandError { .usage(sentence, command: command) }

    /// The error for a word that the command does not know.
    func unknown(_ word: String, among options: [Option]) -> CommandError {
        guard word.hasPrefix("-") else { return usage("\"\(word)\" is one argument too many.") }
        let near = NearestNames.among(options.map(\.name), to: word, limit: 1)
        return usage("There is no option \(word).\(near.first.map { " Did you mean \($0)?" } ?? "")")
    }
}
