// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder with the reports of a validation: two files for each unit, and a summary in three forms. Main thread.

import AudioFiles
import FoundationEssentials
import PluginHosting

/// The folder for the reports of a run.
package struct ReportFolder {
    private let path: String

    /// Makes the folder, unless it exists.
    package init(_ path: String) throws(ReportFolderError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw ReportFolderError(path: path, reason: FilePath.reason(of: error))
        }
    }

    package func write(_ unit: UnitReport) throws {
        let name = Self.fileName(unit.id)
        try ReplacementFile.replace("\(path)/\(name).json", with: Self.json(unit))
        try ReplacementFile.replace("\(path)/\(name).txt", with: unit.text)
    }

    package func write(_ summary: ValidationSummary) throws {
        try ReplacementFile.replace("\(path)/summary.json", with: Self.json(summary))
        try ReplacementFile.replace("\(path)/summary.md", with: summary.markdown)
        let lines = [summary.line, ""] + summary.units.flatMap { [$0.line] + $0.findingLines }
        try ReplacementFile.replace("\(path)/summary.txt", with: lines.joined(separator: "\n") + "\n")
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try ReadableJSON.encode(value), as: UTF8.self) + "\n"
    }

    /// A unit's ID as a file name.
    ///
    /// A URI has slashes, and two IDs must not get the same name.
    static func fileName(_ id: String) -> String {
        let escaped = id.utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
            return isPlain ? String(character) : byte == UInt8(ascii: ":") ? "," : "%" + String(byte, radix: 16)
        }
        // The kernel allows 255 bytes, including the extension.
        let name = escaped.joined()
        guard name.utf8.count > 200 else { return name.hasPrefix(".") ? "_\(name)" : name }
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(name.prefix(180))-\(String(hash, radix: 16))"
    }
}

/// The error of a folder for reports that could not be made.
package struct ReportFolderError: Error, CustomStringConvertible {
    package let path, reason: String

    package var description: String { "Couldn't make the folder \"\(path)\" for the reports: \(reason)." }
}
