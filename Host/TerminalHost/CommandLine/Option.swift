// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a command for help, manual, completions and the parser. Any thread.

/// One option of a command.
struct Option: Equatable {
    /// The value that follows an option.
    struct Value: Equatable {
        /// The word for the value in the help, such as FILE.
        let placeholder: String
        var kind: ValueKind
    }

    /// The names, the short one first.
    let names: [String]
    /// The value; nil for a switch.
    var value: Value?
    /// The explanation, a sentence fragment without a full stop.
    let help: String
    /// The default without the option, for the help.
    let fallback: String?
    /// The heading in help and manual.
    var section = Option.ownSection
    /// The actions of the command that take it; empty for all.
    var actions: [String] = []
    /// True if help, manual and completions leave it out.
    var isHidden = false

    /// The heading of options that belong to one command.
    static let ownSection = "Options"

    /// Makes an option; `names` are separated by ", ".
    init(_ names: String, _ value: Value?, _ help: String, default fallback: String? = nil) {
        self.names = names.split(separator: ",").map { String($0.drop { $0 == " " }) }
        (self.value, self.help, self.fallback) = (value, help, fallback)
    }

    /// The longest name.
    var name: String { names.last ?? "" }

    /// The help with the actions, the values, the default and a full stop.
    var sentence: String {
        let start = actions.isEmpty ? "" : "With \(Arguments.list(actions, "and")): "
        return "\(start)\(help)\(values)\(fallback.map { " (default: \($0))" } ?? "")."
    }

    /// The values, unless the help names them or there are too many.
    private var values: String {
        switch value?.kind {
        case .choice(let names)?, .choices(let names)?:
            let isSaid = names.allSatisfy { help.contains($0) }
            return isSaid || names.count > 8 ? "" : ": \(Arguments.list(names))"
        default: return ""
        }
    }

    /// True if the command takes the option with an action.
    func belongs(to action: String?) -> Bool { actions.isEmpty || action.map(actions.contains) ?? true }
}

/// The type of an option's value or an operand.
///
/// Completions offer it, and the parser checks it.
enum ValueKind: Equatable {
    case text
    /// Any text, with common values.
    case suggestions([String])
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// Whole numbers, separated by commas.
    case integers(ClosedRange<Int>)
    case choice([String])
    /// Some of these, separated by commas.
    case choices([String])
    case file
    case folder
    /// The ID or the name of an installed plug-in.
    case plugin
    /// A preset of the plug-in that the command line named last.
    case preset
    /// KEYPATH=VALUE for a parameter of the plug-in that the command line named last.
    case parameter
    /// The name of a saved chain, or a file.
    case chain
}

/// An argument of a command that is not an option.
struct Operand: Equatable {
    enum Count: Equatable {
        case one, optional, many
        /// Many operands with this option, otherwise one.
        case manyWith(String)
    }

    let placeholder: String
    let kind: ValueKind
    var count = Count.one
    /// The actions that take it; empty for all.
    var actions: [String] = []

    init(_ placeholder: String, _ kind: ValueKind, _ count: Count = .one, actions: [String] = []) {
        (self.placeholder, self.kind, self.count, self.actions) = (placeholder, kind, count, actions)
    }
}
