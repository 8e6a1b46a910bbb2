// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A folder with what a validation found: two files for each unit, and a summary in three forms. Main thread.

import AudioFiles
import FoundationEssentials
import PluginHosting
import Validation

/// Where `validate --report` writes.
struct ReportFolder {
    private let path: String

    /// Makes the folder, unless it is there.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandError.failed("Couldn't make the folder \"\(path)\" for the reports: \(FilePath.reason(of: error)).")
        }
    }

    func write(_ unit: UnitReport) throws {
        let name = Self.fileName(unit.id)
        try ReplacementFile.replace("\(path)/\(name).json", with: try Terminal.json(unit) + "\n")
        try ReplacementFile.replace("\(path)/\(name).txt", with: unit.text)
    }

    func write(_ summary: ValidationSummary) throws {
        try ReplacementFile.replace("\(path)/summary.json", with: try Terminal.json(summary) + "\n")
        try ReplacementFile.replace("\(path)/summary.md", with: summary.markdown)
        let lines = [summary.line, ""] + summary.units.flatMap { [$0.line] + $0.findingLines }
        try ReplacementFile.replace("\(path)/summary.txt", with: lines.joined(separator: "\n") + "\n")
    }

    /// A unit's ID as a file name: a URI has slashes, and two of them must not meet in one name.
    static func fileName(_ id: String) -> String {
        let escaped = id.utf8.map { byte -> String in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
            return isPlain ? String(character) : byte == UInt8(ascii: ":") ? "," : "%" + String(byte, radix: 16)
        }
        // The kernel takes 255 bytes, the ending included.
        let name = escaped.joined()
        guard name.utf8.count > 200 else { return name.hasPrefix(".") ? "_\(name)" : name }
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(name.prefix(180))-\(String(hash, radix: 16))"
    }
}
