// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments in the form of the system: bytes, which need not be UTF-8. Main thread.

/// Reads the bytes of a command line.
enum ArgumentBytes {
    /// The arguments as text, up to a null pointer.
    ///
    /// Throws an error that shows the bytes of an argument that is not UTF-8, because any text for it would name another file.
    static func decoded(_ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(CommandError) -> [String] {
        var texts: [String] = []
        while let argument = arguments[texts.count] {
            guard let text = String(validatingCString: argument) else {
                throw .failed(
                    "The argument \"\(shown(argument))\" is not UTF-8, the only encoding of names that bulkhead takes. Rename the file, "
                        + "or make a link to it and name that.")
            }
            texts.append(text)
        }
        return texts
    }

    /// The argument with ASCII unchanged, and every other byte as "\\xff".
    private static func shown(_ argument: UnsafePointer<CChar>) -> String {
        var text = ""
        var index = 0
        while argument[index] != 0 {
            let byte = UInt8(bitPattern: argument[index])
            let digits = String(byte, radix: 16)
            text += (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : "\\x\(byte < 16 ? "0" : "")\(digits)"
            index += 1
        }
        return text
    }
}
