// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each command takes the options of its table, with the values that the table says, and no others. Any thread.

import Testing

@testable import TerminalHost

@Suite struct OptionTableTests {
    /// A command that has not played has nothing to resume.
    private func isTaken(_ complaint: String?) -> Bool { complaint?.contains("There is nothing to resume") ?? true }

    @Test(arguments: TestedCommand.all) func everyOptionOfTheTableIsTaken(command: TestedCommand) {
        for option in command.facts.options {
            for name in option.names {
                let complaint = command.complaint(command.start(for: option) + [name] + TestedCommand.value(of: option))
                #expect(isTaken(complaint), "\(name): \(complaint ?? "")")
            }
        }
    }

    @Test(arguments: TestedCommand.all) func anOptionThatIsNotInTheTableIsRefused(command: TestedCommand) {
        let known = Set(command.facts.options.flatMap(\.names))
        let others = Set(TestedCommand.all.flatMap { $0.facts.options.flatMap(\.names) }).subtracting(known).union(["--frob", "-z"])
        let start = command.start(for: Option("--none", nil, ""))
        for name in others {
            #expect(command.complaint(start + [name])?.contains("There is no option \(name).") == true, "\(name)")
        }
    }

    @Test(arguments: TestedCommand.all) func anActionTakesItsOwnOptionsOnly(command: TestedCommand) {
        let actions = command.facts.operands.first { $0.placeholder == "ACTION" }.map(\.kind)
        let names = if case .choice(let names)? = actions { names } else { [String]() }
        for option in command.facts.options where !option.actions.isEmpty {
            for action in names where !option.actions.contains(action) {
                let row = Option("--none", nil, "")
                var start = command.start(for: row)
                start[0] = action
                let complaint = command.complaint(start + [option.name] + TestedCommand.value(of: option))
                #expect(complaint?.contains("There is no option \(option.name)") == true || complaint?.contains("too many") == true)
            }
        }
    }

    @Test(arguments: TestedCommand.all) func aValueIsWantedWhereTheTableSaysSo(command: TestedCommand) {
        for option in command.facts.options where option.value != nil {
            let complaint = command.complaint(command.start(for: option) + [option.name])
            #expect(complaint?.contains("\(option.name) needs a value.") == true, "\(option.name)")
        }
    }

    @Test(arguments: TestedCommand.all) func allValuesOfTheTableAreTakenAndOthersAreNot(command: TestedCommand) {
        for option in command.facts.options {
            let (good, bad) = Self.values(option.value?.kind)
            for value in good {
                let complaint = command.complaint(command.start(for: option) + [option.name, value])
                #expect(complaint == nil, "\(option.name) \(value)")
            }
            for value in bad {
                let complaint = command.complaint(command.start(for: option) + [option.name, value])
                #expect(complaint?.contains("\"\(value)\"") == true, "\(option.name) \(value)")
            }
        }
    }

    /// The ends of a range and what lies beyond; each choice and something else.
    private static func values(_ kind: ValueKind?) -> (good: [String], bad: [String]) {
        switch kind {
        case .integer(let range)?, .integers(let range)?:
            ([range.lowerBound, range.upperBound].map(String.init), ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "x"])
        case .number(let range)?:
            ([range.lowerBound, range.upperBound].map { "\($0)" }, ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "nan"])
        case .choice(let names)?: (names, ["nonsense"])
        case .choices(let names)?: (names + [names.joined(separator: ",")], ["nonsense", "\(names[0]),"])
        case .suggestions(let names)?: (names, [])
        default: ([], [])
        }
    }

    @Test(arguments: TestedCommand.all) func everyExampleIsACommandLine(command: TestedCommand) {
        for example in command.facts.examples {
            let complaint = command.complaint(ShellLine.arguments(of: example))
            #expect(complaint == nil, "\(example): \(complaint ?? "")")
        }
    }

    @Test(arguments: TestedCommand.all) func theTextNamesNoOptionThatTheTableLacks(command: TestedCommand) {
        let facts = command.facts
        // The text of `new` shows a call of swift, too.
        let others: Set = ["--help", "--product"]
        let everywhere = Set(TestedCommand.all.flatMap { $0.facts.options.flatMap(\.names) }).union(others)
        let own = Set(facts.options.flatMap(\.names)).union(["--help"])
        for name in ShellLine.options(in: facts.synopsis) { #expect(own.contains(name), "\(name)") }
        let text = facts.help + facts.options.map(\.help).joined(separator: "\n")
        for name in ShellLine.options(in: text) { #expect(everywhere.contains(name), "\(name)") }
        for operand in facts.operands where operand.placeholder != "ACTION" {
            #expect(facts.synopsis.contains(operand.placeholder), "\(operand.placeholder)")
        }
    }

    @Test func everyListedCommandHasAGroupAnExampleAndNamesOfItsOwn() {
        let names = TerminalHost.commands.map { $0.name }
        #expect(Set(names).count == names.count && names.count > 20)
        for command in TestedCommand.listed {
            #expect(!command.facts.examples.isEmpty && command.facts.summary.last != ".")
            let options = command.facts.options.flatMap(\.names)
            #expect(Set(options).count == options.count)
        }
    }
}

/// A little of a shell.
enum ShellLine {
    /// Words, with double quotes.
    static func arguments(of line: String) -> [String] {
        var (words, word, isQuoted) = ([String](), "", false)
        for character in line + " " {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return words
    }

    /// The long options that a text names.
    static func options(in text: String) -> [String] {
        text.split { !$0.isLetter && $0 != "-" }.map(String.init).filter { $0.hasPrefix("--") && $0.count > 2 }
    }
}
