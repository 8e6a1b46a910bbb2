// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of the command line. Main thread.

/// The options for the signal.
struct Options {
    var wave = Wave.sine
    /// Hertz.
    var frequency = 440.0
    /// The largest sample.
    var amplitude: Float = 0.25
    var seconds = 2.0
    /// True if a closure renders, in place of a type.
    var isClosure = false
    var output: String?

    static let usage = """
        usage: SignalGenerator [--wave sine|square|saw|noise] [--frequency HZ] [--amplitude A] [--seconds S] [--closure] [OUTPUT]
        Without OUTPUT it plays.
        """

    /// Reads the arguments; nil for an unknown option or a wrong value.
    init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--wave":
                guard let name = words.popFirst(), let named = Wave.allCases.first(where: { "\($0)" == name }) else { return nil }
                wave = named
            case "--frequency": if !Self.take(&words, 0.1...20_000, &frequency) { return nil }
            case "--amplitude": if !Self.take(&words, 0...1, &amplitude) { return nil }
            case "--seconds": if !Self.take(&words, 0...3600, &seconds) { return nil }
            case "--closure": isClosure = true
            default:
                guard output == nil, !word.hasPrefix("-") else { return nil }
                output = word
            }
        }
    }

    /// Reads a number within a range; false if the next argument is not one.
    private static func take<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ words: inout ArraySlice<String>, _ range: ClosedRange<Number>, _ number: inout Number
    ) -> Bool {
        guard let taken = words.popFirst().flatMap({ Number($0) }), range.contains(taken) else { return false }
        number = taken
        return true
    }
}
