// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes identifiers and codes from the names in classic formats. Control thread.

import PluginSDK

/// Makes identifiers, each different from all earlier ones.
public struct Identifiers {
    private var taken: Set<String> = []

    /// `[any]` Begins without used identifiers.
    public init() {}

    /// An identifier for key paths, made from a plug-in's own name: `Delay Time (s)` becomes `delay-time-s`.
    ///
    /// With `keepsCase`, permitted characters stay as they are, as for the symbols of LV2.
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

    /// The most characters of a name; it leaves room for a number within the limit of a parameter tree.
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
