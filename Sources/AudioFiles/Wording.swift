// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Names and numbers in the form of messages. Any thread.

import Glibc

/// Spells file names, sizes and system errors for messages.
enum Wording {
    /// The name in quotes, with control characters escaped, so that no name can control a terminal.
    static func quoted(_ name: String) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            let category = scalar.properties.generalCategory
            let isControl = category == .control || category == .format
            text += isControl ? "\\u{\(String(scalar.value, radix: 16))}" : String(Character(scalar))
        }
        return text + "\""
    }

    /// A number, without a fraction if it is whole: `44100`, `44100.5`.
    static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        return "\(value)"
    }

    /// A size in decimal units with one digit: `12.3 GB`.
    static func bytes(_ count: UInt64) -> String {
        var value = Double(count)
        for unit in ["bytes", "kB", "MB", "GB", "TB"] {
            if value < 1000 { return number((value * 10).rounded() / 10) + " " + unit }
            value /= 1000
        }
        return number((value * 10).rounded() / 10) + " PB"
    }

    /// The system's text for an `errno`, in lower case: `no space left on device`.
    static func systemReason(_ code: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { words in
            guard strerror_r(code, words.baseAddress!, words.count) == 0 else { return "error \(code)" }
            return String(cString: words.baseAddress!).lowercased()
        }
    }
}

extension ClosedRange<Int> {
    var wording: String { "\(lowerBound) to \(upperBound)" }
}

/// Splits paths at their last slash and dot.
enum Path {
    /// The folder of a path; `.` for a bare name.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// The part of the name after the last dot, in lower case; empty if there is none.
    static func fileExtension(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }
}
