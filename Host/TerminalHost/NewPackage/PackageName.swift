// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a new package, its modules and its codes are called. Any thread.

import AudioUnits
import FoundationEssentials

/// The name of a plug-in, and the name of the Swift module that follows from it.
struct PackageName: Equatable {
    /// The longest name, in characters.
    private static let limit = 40

    /// As people read it: `Sweet Echo`.
    let display: String
    /// As the compiler reads it: `SweetEcho`.
    let module: String

    /// Takes ASCII letters, digits and single spaces, a letter first; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        let characters = words.joined().unicodeScalars
        guard text.count <= Self.limit, let first = characters.first, first.isLetter,
            characters.allSatisfy({ $0.isLetter || $0.isDigit })
        else { return nil }
        display = words.joined(separator: " ")
        module = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The modules of the package, all of which need a name that nothing else has.
    var modules: [String] { ["", "Extension", "Player", "Tests"].map { module + $0 } }

    /// Its first four letters and digits, in lower case: `swee`.
    var subtype: FourCharCode { .made(of: module.lowercased()) }
}

/// Who makes a plug-in.
struct PackageAuthor: Equatable {
    let name: String

    /// Any text that can stand in a Swift string as it is; nil for anything else.
    init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\"" && $0 != "\\" }) else { return nil }
        name = text
    }

    /// The one who is logged in.
    static var ofLogin: PackageAuthor {
        ProcessInfo.processInfo.environment["USER"].flatMap(PackageAuthor.init) ?? PackageAuthor("Unknown")!
    }

    /// The first four letters and digits of the name, the first one in upper case: `Nort`.
    var code: FourCharCode {
        let characters = name.unicodeScalars.filter { $0.isLetter || $0.isDigit }.map(String.init).joined().lowercased()
        return .made(of: characters.prefix(1).uppercased() + characters.dropFirst())
    }
}

extension FourCharCode {
    /// The first four characters of letters and digits, filled up with x.
    fileprivate static func made(of text: String) -> FourCharCode { FourCharCode(String((text + "xxxx").prefix(4))) ?? .any }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
