// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A sound bank of sine tones, as the bytes of a SoundFont file, for exact expectations of a sampler. Test thread.

/// A bank of two programs, both exact to the cent: program 0 plays a sine at the key's pitch, and program 1 an octave higher.
package enum SineBank {
    /// The bytes of the file.
    package static var bytes: [UInt8] {
        chunk("RIFF", Array("sfbk".utf8) + list("INFO", information) + list("sdta", chunk("smpl", samples)) + list("pdta", presets))
    }

    /// The sample's rate, an exact multiple of 440 Hz.
    private static let sampleRate = 44_000
    private static let period = 100
    private static let frameCount = 1000

    private static var information: [UInt8] {
        chunk("ifil", words(2, 1)) + chunk("isng", name("EMU8000", 8)) + chunk("INAM", name("Sines", 6))
    }

    /// The samples, from the peak on, so that the first frame of a note is audible; 46 frames of silence must follow.
    private static var samples: [UInt8] {
        let sound = (0..<frameCount + 8).map { Int16(16_000 * cosine(Double($0) / Double(period))) }
        return (sound + [Int16](repeating: 0, count: 46)).flatMap { words(Int(UInt16(bitPattern: $0))) }
    }

    /// The cosine of a number of turns, by its series.
    private static func cosine(_ turns: Double) -> Double {
        let angle = (turns - turns.rounded()) * 2 * .pi
        var (term, sum) = (1.0, 1.0)
        for n in 1...14 {
            term *= -angle * angle / Double((2 * n - 1) * 2 * n)
            sum += term
        }
        return sum
    }

    private static var presets: [UInt8] {
        func preset(_ title: String, _ program: Int, _ bag: Int) -> [UInt8] {
            name(title, 20) + words(program, 0, bag) + [UInt8](repeating: 0, count: 12)
        }
        func sample(_ title: String, key: UInt8) -> [UInt8] {
            name(title, 20) + doubleWords(0, frameCount + 8, 4 * period, 9 * period, sampleRate) + [key, 0] + words(0, 1)
        }
        return chunk("phdr", preset("Sine", 0, 0) + preset("Octave", 1, 1) + preset("EOP", 0, 2))
            + chunk("pbag", words(0, 0, 1, 0, 2, 0)) + chunk("pmod", [UInt8](repeating: 0, count: 10))
            // Generator 41 is the instrument, 54 the loop mode, 53 the sample.
            + chunk("pgen", words(41, 0, 41, 1, 0, 0))
            + chunk("inst", name("Sine", 20) + words(0) + name("Octave", 20) + words(1) + name("EOI", 20) + words(2))
            + chunk("ibag", words(0, 0, 2, 0, 4, 0)) + chunk("imod", [UInt8](repeating: 0, count: 10))
            + chunk("igen", words(54, 1, 53, 0, 54, 1, 53, 1, 0, 0))
            + chunk("shdr", sample("Sine", key: 69) + sample("Octave", key: 57) + [UInt8](repeating: 0, count: 46))
    }

    private static func words(_ values: Int...) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func doubleWords(_ values: Int...) -> [UInt8] { values.flatMap { words($0, $0 >> 16) } }

    private static func name(_ text: String, _ count: Int) -> [UInt8] {
        Array((Array(text.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
    }

    private static func chunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        Array(kind.utf8) + doubleWords(content.count) + content + (content.count % 2 == 0 ? [] : [0])
    }

    private static func list(_ kind: String, _ content: [UInt8]) -> [UInt8] { chunk("LIST", Array(kind.utf8) + content) }
}
