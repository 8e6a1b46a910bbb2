// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of render for many files, and the arguments for the process of each file. Main thread.

import AudioFiles
import LinuxSystem

/// The number of files that are rendered at once, and their folder.
struct BatchArguments {
    /// A file name's extension, which chooses a format.
    struct FileExtension: RawRepresentable {
        let rawValue: String
        static let all = AudioFileWriter.knownExtensions.map { FileExtension(rawValue: $0) }
    }

    /// The output folder; nil for a single file, whose name is an operand.
    private(set) var folder: String?
    private(set) var fileExtension: String?
    private(set) var isJSON = false
    private var wantedJobCount: Int?
    /// The first of these options on the command line.
    private(set) var first: String?

    /// The number of files that are rendered at once.
    var jobCount: Int { wantedJobCount ?? max(1, Scheduling.processors(ofThread: 0).count) }

    static let section = "Many files"
    static let folderOption = "--output-folder"

    static var table: [OptionReader<Self>] {
        [
            .text(folderOption, "DIR", offering: .folder, "Render each IN into this folder, which is made if it is missing") {
                $0.folder = $1
                $0.first = $0.first ?? folderOption
            },
            .choice("--extension", "EXT", among: FileExtension.all, "The format of the files in DIR", default: "that of each IN") {
                $0.fileExtension = $1.rawValue
                $0.first = $0.first ?? "--extension"
            },
            .integer("--jobs", "N", in: 1...256, "Files that are rendered at once", default: "the number of processors") {
                $0.wantedJobCount = $1
                $0.first = $0.first ?? "--jobs"
            },
            .flag("--json", "Print the lines as JSON on a terminal, too") {
                $0.isJSON = true
                $0.first = $0.first ?? "--json"
            },
        ]
    }
}

extension FileRender {
    /// The given options for rendering a file, without files and without the options of a batch.
    static func words(in arguments: Arguments, of table: [OptionReader<RenderCommand>]) -> [String] {
        let kept = Set(Self.table.flatMap(\.option.names))
        var rest = Arguments(command: arguments.command, arguments.original)
        var words: [String] = []
        while let word = rest.nextWord() {
            guard !word.isOperand, let row = table.first(where: { $0.option.names.contains(word.text) }) else { continue }
            let value = row.option.value == nil ? nil : rest.next()
            if kept.contains(word.text) { words += [word.text] + [value].compactMap { $0 } }
        }
        return words
    }
}
