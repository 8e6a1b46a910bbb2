// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names of classic formats, made into identifiers and codes. Control thread.

import PluginSDK

/// Hands out identifiers that are unique among those it has handed out.
public struct Identifiers {
    private var taken: Set<String> = []

    public init() {}

    /// A word for key paths from whatever a plug-in calls the thing: `Delay Time (s)` becomes `delay-time-s`.
    ///
    /// With `keepsCase`, what is allowed in an identifier stays as it is, as for the symbols of LV2.
    public mutating func identifier(for name: String, keepsCase: Bool = false) -> String {
        var word = ""
        for character in keepsCase ? name : name.lowercased() {
            if character.isASCII, character.isLetter || character.isNumber || (keepsCase && "_-".contains(character)) {
                word.append(character)
            } else if !word.hasSuffix("-") {
                word.append("-")
            }
        }
        word = String(word.drop { $0 == "-" }.prefix(Self.longest))
        while word.hasSuffix("-") { word.removeLast() }
        return unique(word.isEmpty ? "parameter" : word)
    }

    private mutating func unique(_ word: String) -> String {
        var candidate = word
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(word)-\(number)"
            number += 1
        }
        return candidate
    }

    /// Leaves room for a number, within what a parameter tree takes.
    private static let longest = 100
}

extension FourCharCode {
    /// The low 24 bits of a number as four characters, six bits each, highest first.
    public init(low24Bits number: UInt32) {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-".utf8)
        let characters = [18, 12, 6, 0].map { UInt32(alphabet[Int(number >> UInt32($0) & 63)]) }
        self.init(rawValue: characters.reduce(0) { $0 << 8 | $1 })
    }
}
