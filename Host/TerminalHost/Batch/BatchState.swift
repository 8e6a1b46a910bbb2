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

    /// An output with its name in the folder; a line beyond the first one.
    fileprivate struct Addition: Codable {
        let name: String
        let output: Output
    }

    fileprivate struct Contents: Codable {
        var version = Self.version
        var settings: [BatchSettings] = []
        /// The outputs, by their names in the folder: names that look alike may be those of two files.
        var outputs: [ExactPath: Output] = [:]

        static let version = 4

        private enum Key: CodingKey { case version, settings, outputs }

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            version = try container.decode(Int.self, forKey: .version)
            guard version == Self.version else { return }
            settings = try container.decode([BatchSettings].self, forKey: .settings)
            for addition in try container.decode([Addition].self, forKey: .outputs) {
                outputs[ExactPath(addition.name)] = addition.output
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(version, forKey: .version)
            try container.encode(settings, forKey: .settings)
            let additions = outputs.sorted { $0.key < $1.key }.map { Addition(name: $0.key.text, output: $0.value) }
            try container.encode(additions, forKey: .outputs)
        }
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
            var contents = try ReadableJSON.value(Contents.self, from: Array(lines.first ?? Data()))
            // After a full disk or a killed process, the last line has no end.
            for line in lines.dropFirst() {
                guard let addition = try? ReadableJSON.value(Addition.self, from: Array(line)) else { break }
                contents.outputs[ExactPath(addition.name)] = addition.output
            }
            let isKnown = contents.version == Contents.version
            if isKnown, contents.isSound { return contents }
            tell(path, isKnown ? "its numbers contradict each other" : "it has another format")
        } catch let error as DecodingError {
            tell(path, ReadableJSON.reason(of: error))
        } catch {
            tell(path, FilePath.reason(of: error))
        }
        return Contents()
    }

    private static func tell(_ path: String, _ reason: String) {
        Terminal.printError(
            "\"\(path)\", which remembers what has been rendered, cannot be used: \(reason). All files are rendered again.")
    }

    /// The former outcome of a file, if its input, its output and all settings are unchanged; nil otherwise.
    func outcome(of file: BatchFile) -> JobOutcome? {
        guard let output = contents.outputs[ExactPath(file.name)], output.settings == settings,
            output.input.isExactly(FilePath.absolute(file.input)), output.inputTime == FileTime(of: file.input),
            output.outputTime == FileTime(of: file.output)
        else { return nil }
        return output.outcome
    }

    /// Remembers a rendered file, whose input had this time.
    mutating func remember(_ file: BatchFile, _ inputTime: FileTime?, _ outcome: JobOutcome) throws {
        guard let inputTime, let outputTime = FileTime(of: file.output) else { return }
        let output = Output(
            input: FilePath.absolute(file.input), inputTime: inputTime, outputTime: outputTime, settings: settings, outcome: outcome
        )
        contents.outputs[ExactPath(file.name)] = output
        if descriptor >= 0 { return try append(ReadableJSON.line(Addition(name: file.name, output: output))) }
        try ReplacementFile.replace(path, with: try ReadableJSON.text(contents) + "\n")
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        if descriptor < 0 { throw CommandError.failed("\(SystemError(act))") }
    }

    private func append(_ line: [UInt8]) throws {
        do throws(SystemError) { try Descriptor.write(line, to: descriptor, act) } catch {
            throw CommandError.failed("\(error)")
        }
    }

    private var act: String { "write \"\(path)\", which remembers what has been rendered" }

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
