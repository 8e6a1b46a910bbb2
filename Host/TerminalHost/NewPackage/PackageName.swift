// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The names of a new package, its modules and its codes. Any thread.

import AudioUnits
import FoundationEssentials

/// The name of a plug-in, and the name of its Swift module.
struct PackageName: Equatable {
    /// The longest name, in characters.
    private static let limit = 40

    /// The name for people: `Sweet Echo`.
    let display: String
    /// The name for the compiler: `SweetEcho`.
    let module: String

    /// Takes ASCII letters, digits and single spaces, beginning with a letter; nil for any other text.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        let characters = words.joined().unicodeScalars
        guard text.count <= Self.limit, let first = characters.first, first.isLetter,
            characters.allSatisfy({ $0.isLetter || $0.isDigit })
        else { return nil }
        display = words.joined(separator: " ")
        module = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The modules of the package, each with a name of its own.
    var modules: [String] { ["", "Extension", "Player", "Tests"].map { module + $0 } }

    /// Its first four letters and digits, in lower case: `swee`.
    var subtype: FourCharCode { .made(of: module.lowercased()) }
}

/// The maker of a plug-in.
struct PackageAuthor: Equatable {
    let name: String

    /// Takes any text that a Swift string can contain without escapes; nil for any other text.
    init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }) else { return nil }
        name = text
    }

    /// The logged-in user.
    static var ofLogin: PackageAuthor {
        // Cannot trap: "Unknown" is a name.
        ProcessInfo.processInfo.environment["USER"].flatMap(PackageAuthor.init) ?? PackageAuthor("Unknown")!
    }

    /// The first four letters and digits of the name, the first one in upper case: `Nort`.
    var code: FourCharCode {
        let characters = name.unicodeScalars.filter { $0.isLetter || $0.isDigit }.map(String.init).joined().lowercased()
        return .made(of: characters.prefix(1).uppercased() + characters.dropFirst())
    }
}

extension FourCharCode {
    /// The first four characters of letters and digits; a shorter text ends with x.
    fileprivate static func made(of text: String) -> FourCharCode { FourCharCode(String((text + "xxxx").prefix(4))) ?? .any }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
