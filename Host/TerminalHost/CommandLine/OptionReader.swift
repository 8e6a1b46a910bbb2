// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A row of a command's table: an option, and its effect on the command. Main thread.

/// An option and its effect on the target.
///
/// Help, manual and completions see the option; the parser calls `read`.
struct OptionReader<Target> {
    var option: Option
    /// Reads the value, if there is one, and changes the target.
    let read: (inout Target, inout Arguments) throws(CommandError) -> Void

    /// The same row for a type that contains the target, under a heading.
    func lifted<Outer>(to path: WritableKeyPath<Outer, Target>, section: String? = nil) -> OptionReader<Outer> {
        var option = option
        if let section { option.section = section }
        return OptionReader<Outer>(option: option) { (outer, arguments) throws(CommandError) in
            try read(&outer[keyPath: path], &arguments)
        }
    }

    /// The same row for some actions of a command.
    func limited(to actions: String...) -> OptionReader {
        var row = self
        row.option.actions = actions
        return row
    }

    /// The same row with other values for help, manual and completions.
    func offering(_ kind: ValueKind) -> OptionReader {
        var row = self
        row.option.value?.kind = kind
        return row
    }

    /// The same row, left out of help, manual and completions.
    var hidden: OptionReader {
        var row = self
        row.option.isHidden = true
        return row
    }
}

extension Array {
    /// The rows for a type that contains the target, under a heading.
    func lifted<Target, Outer>(to path: WritableKeyPath<Outer, Target>, section: String? = nil) -> [OptionReader<Outer>]
    where Element == OptionReader<Target> {
        map { $0.lifted(to: path, section: section) }
    }
}

extension OptionReader {
    /// An option without a value.
    static func flag(
        _ names: String, _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target) throws -> Void
    ) -> OptionReader {
        OptionReader(option: Option(names, nil, help, default: fallback)) { (target, arguments) throws(CommandError) in
            try arguments.naming { try set(&target) }
        }
    }

    /// An option whose value is any text; `kind` is for completions.
    static func text(
        _ names: String, _ placeholder: String, offering kind: ValueKind = .text, _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, String) throws -> Void
    ) -> OptionReader {
        valued(names, placeholder, kind, help, fallback, { (arguments) throws(CommandError) in try arguments.value() }, set)
    }

    static func integer(
        _ names: String, _ placeholder: String, in range: ClosedRange<Int>, _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, Int) throws -> Void
    ) -> OptionReader {
        valued(
            names, placeholder, .integer(range), help, fallback,
            { (arguments) throws(CommandError) in try arguments.integer(in: range) }, set)
    }

    static func integers(
        _ names: String, _ placeholder: String, in range: ClosedRange<Int>, _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, [Int]) throws -> Void
    ) -> OptionReader {
        valued(
            names, placeholder, .integers(range), help, fallback,
            { (arguments) throws(CommandError) in try arguments.integers(in: range) }, set)
    }

    static func number(
        _ names: String, _ placeholder: String, in range: ClosedRange<Double>, _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, Double) throws -> Void
    ) -> OptionReader {
        valued(
            names, placeholder, .number(range), help, fallback,
            { (arguments) throws(CommandError) in try arguments.number(in: range) }, set)
    }

    /// An option with one of several named values.
    static func choice<Choice: RawRepresentable>(
        _ names: String, _ placeholder: String, among choices: [Choice], _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, Choice) throws -> Void
    ) -> OptionReader where Choice.RawValue == String {
        let known = choices.map(\.rawValue)
        return valued(
            names, placeholder, .choice(known), help, fallback,
            { (arguments) throws(CommandError) in try arguments.choice(among: known) },
            { target, name in if let choice = Choice(rawValue: name) { try set(&target, choice) } })
    }

    /// An option with some of several named values, separated by commas.
    static func choices<Choice: RawRepresentable>(
        _ names: String, _ placeholder: String, among choices: [Choice], _ help: String, default fallback: String? = nil,
        _ set: @escaping (inout Target, [Choice]) throws -> Void
    ) -> OptionReader where Choice.RawValue == String {
        let known = choices.map(\.rawValue)
        return valued(
            names, placeholder, .choices(known), help, fallback,
            { (arguments) throws(CommandError) in try arguments.choices(among: known) },
            { target, names in try set(&target, names.compactMap(Choice.init)) })
    }

    private static func valued<Value>(
        _ names: String, _ placeholder: String, _ kind: ValueKind, _ help: String, _ fallback: String?,
        _ parse: @escaping (inout Arguments) throws(CommandError) -> Value,
        _ set: @escaping (inout Target, Value) throws -> Void
    ) -> OptionReader {
        let option = Option(names, Option.Value(placeholder: placeholder, kind: kind), help, default: fallback)
        return OptionReader(option: option) { (target, arguments) throws(CommandError) in
            let value = try parse(&arguments)
            try arguments.naming { try set(&target, value) }
        }
    }
}

extension Arguments {
    /// Adds the command's name to a usage error that lacks it.
    func naming(_ body: () throws -> Void) throws(CommandError) {
        do {
            try body()
        } catch CommandError.usage(let sentence, nil) {
            throw usage(sentence)
        } catch let error as CommandError {
            throw error
        } catch {
            throw .failed("\(error)")
        }
    }
}
