// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Values of options that are lists, separated by commas. Main thread.

extension Arguments {
    /// Whole numbers in a range; each once, in the order given.
    mutating func integers(of option: String, in range: ClosedRange<Int>) throws(CommandError) -> [Int] {
        let text = try value(of: option)
        return try list(text) { part throws(CommandError) in
            guard let number = Int(part), range.contains(number) else {
                let limits = "from \(range.lowerBound) to \(range.upperBound)"
                throw usage("\(option) takes whole numbers \(limits), separated by commas, not \"\(text)\".")
            }
            return number
        }
    }

    /// Some of `choices`, by their names; each once, in the order given.
    mutating func choices<Choice: RawRepresentable & Hashable>(of option: String, among choices: [Choice])
        throws(CommandError) -> [Choice]
    where Choice.RawValue == String {
        let text = try value(of: option)
        return try list(text) { part throws(CommandError) in
            guard let choice = choices.first(where: { $0.rawValue == part }) else {
                let names = choices.map(\.rawValue)
                let known = "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
                throw usage("\(option) takes \(known), or several separated by commas, not \"\(text)\".")
            }
            return choice
        }
    }

    private func list<Value: Hashable>(_ text: String, _ value: (Substring) throws(CommandError) -> Value)
        throws(CommandError) -> [Value]
    {
        var values: [Value] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let value = try value(part)
            if !values.contains(value) { values.append(value) }
        }
        return values
    }
}
