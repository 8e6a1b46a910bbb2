// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The arguments in the form of the system: bytes, which need not be UTF-8. Main thread.

/// Reads the bytes of a command line.
enum ArgumentBytes {
    /// The arguments as text, up to a null pointer.
    ///
    /// An argument that is not UTF-8 is marked if the command renders, because it may be one of many files. It throws for any other
    /// command: any text for it would name another file.
    static func decoded(_ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>) throws(CommandError) -> [String] {
        var texts: [String] = []
        while let argument = arguments[texts.count] {
            let marked = shown(argument) + mark
            let text = String(validatingCString: argument)
            guard text != nil || texts.first == RenderCommand.name else { throw refusal(of: marked) }
            texts.append(text ?? marked)
        }
        return texts
    }

    /// The end of the text for an argument that is not UTF-8; no argument holds it.
    private static let mark = "\0"

    /// True if the text stands for an argument that is not UTF-8.
    static func isMarked(_ text: String) -> Bool { text.hasSuffix(mark) }

    /// The bytes of a marked argument, for messages.
    static func shown(marked text: String) -> String { String(text.dropLast(mark.count)) }

    /// The error that shows the bytes of a marked argument.
    static func refusal(of text: String) -> CommandError {
        .failed(
            "The argument \"\(shown(marked: text))\" is not UTF-8, the only encoding of names that bulkhead takes. Rename the file, "
                + "or make a link to it and name that.")
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
