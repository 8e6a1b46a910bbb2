// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Remembers the rendered files of a folder in a file there, so that a batch continues after a stop. Main thread.

import AudioFiles
import Console
import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// The state of an output folder.
///
/// The first line of the file holds all earlier outputs, and each further line one file that was rendered since. Incomplete lines are
/// skipped. With the first file that it renders, a batch writes all of it into one line again.
struct BatchState: ~Copyable {
    /// The name of the file in the output folder.
    static let fileName = ".bulkhead-render.json"

    /// A file that was rendered without a fault.
    struct Output: Codable {
        /// The absolute path of the input.
        let input: String
        let inputTime: FileTime
        let outputTime: FileTime
        /// The index of the settings.
        var settings: Int
        let outcome: JobOutcome
    }

    /// A line beyond the first one.
    private struct Addition: Codable {
        let name: String
        let output: Output
    }

    fileprivate struct Contents: Codable {
        var version = Self.version
        var settings: [BatchSettings] = []
        /// The outputs, by their names in the folder.
        var outputs: [String: Output] = [:]

        static let version = 3
    }

    private let path: String
    private var contents: Contents
    /// The index of the settings of this batch.
    private let settings: Int
    /// The descriptor of the file once this batch has written into it; -1 before.
    private var descriptor: CInt = -1

    /// Reads the file, if there is one; if it has a defect, prints the reason, and everything is rendered again.
    init(in folder: String, _ settings: BatchSettings) {
        path = "\(folder)/\(Self.fileName)"
        contents = Self.read(path)
        contents.dropUnusedSettings()
        if let known = contents.settings.firstIndex(of: settings) {
            self.settings = known
        } else {
            self.settings = contents.settings.count
            contents.settings.append(settings)
        }
    }

    private static func read(_ path: String) -> Contents {
        guard FileManager.default.fileExists(atPath: path) else { return Contents() }
        do {
            let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
            var contents = try JSONDecoder().decode(Contents.self, from: lines.first ?? Data())
            // After a full disk or a killed process, the last line has no end.
            for line in lines.dropFirst() {
                guard let addition = try? JSONDecoder().decode(Addition.self, from: line) else { break }
                contents.outputs[addition.name] = addition.output
            }
            // Version 2 had only the first line.
            let isKnown = [2, Contents.version].contains(contents.version)
            contents.version = Contents.version
            if isKnown, contents.isSound { return contents }
        } catch {}
        Terminal.printError("\"\(path)\", which remembers what has been rendered, cannot be used; all files are rendered again.")
        return Contents()
    }

    /// The former outcome of a file, if its input, its output and all settings are unchanged; nil otherwise.
    func outcome(of file: BatchFile) -> JobOutcome? {
        guard let output = contents.outputs[file.name], output.settings == settings, output.input == FilePath.absolute(file.input),
            output.inputTime == FileTime(of: file.input), output.outputTime == FileTime(of: file.output)
        else { return nil }
        return output.outcome
    }

    /// Remembers a rendered file, whose input had this time.
    mutating func remember(_ file: BatchFile, _ inputTime: FileTime?, _ outcome: JobOutcome) throws {
        guard let inputTime, let outputTime = FileTime(of: file.output) else { return }
        let output = Output(
            input: FilePath.absolute(file.input), inputTime: inputTime, outputTime: outputTime, settings: settings, outcome: outcome
        )
        contents.outputs[file.name] = output
        if descriptor >= 0 { return try append(Self.line(Addition(name: file.name, output: output))) }
        try ReplacementFile.replace(path, with: String(decoding: try Self.line(contents), as: UTF8.self))
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        if descriptor < 0 { throw CommandError.failed("\(SystemError(act))") }
    }

    private func append(_ line: Data) throws {
        do throws(SystemError) { try Descriptor.write(Array(line), to: descriptor, act) } catch {
            throw CommandError.failed("\(error)")
        }
    }

    private var act: String { "write \"\(path)\", which remembers what has been rendered" }

    private static func line(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + [UInt8(ascii: "\n")]
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension BatchState.Contents {
    /// True if every index of settings is valid.
    fileprivate var isSound: Bool { outputs.values.allSatisfy { settings.indices.contains($0.settings) } }

    fileprivate mutating func dropUnusedSettings() {
        let used = Set(outputs.values.map(\.settings)).sorted()
        let places = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        outputs = outputs.mapValues { output in
            var output = output
            output.settings = places[output.settings] ?? 0
            return output
        }
        settings = used.map { settings[$0] }
    }
}
