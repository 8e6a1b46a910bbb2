// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The input and output of each file of a batch, checked before rendering. Main thread.

import AudioGraph
import Glibc
import LinuxSystem
import PluginHosting

/// A file of a batch.
struct BatchFile {
    /// The path as the user wrote it.
    let input: String
    /// Its name in the output folder.
    let name: String
    let output: String
    /// The reason why it cannot be named to its process; nil if it can.
    var refusal: CommandError?

    /// A file with a name that is not UTF-8.
    fileprivate init(unnamable input: String, in folder: String) {
        (self.input, refusal) = (ArgumentBytes.shown(marked: input), ArgumentBytes.refusal(of: input))
        name = FilePath.name(of: self.input)
        output = "\(folder)/\(name)"
    }

    fileprivate init(input: String, name: String, output: String) {
        (self.input, self.name, self.output) = (input, name, output)
    }
}

/// The files of a batch, each with an output of its own.
struct BatchFiles {
    private(set) var files: [BatchFile] = []

    /// Throws if a file would be written twice, or would replace an input or one of `kept`.
    init(_ inputs: [String], in folder: String, as fileExtension: String?, keeping kept: [String]) throws(CommandError) {
        var (inputsByName, inputsByTarget): ([ExactPath: String], [ExactPath: String]) = ([:], [:])
        let read = Set((inputs + kept).compactMap { FilePath.resolved($0).map(ExactPath.init) })
        for input in inputs {
            guard !ArgumentBytes.isMarked(input) else {
                files.append(BatchFile(unnamable: input, in: folder))
                continue
            }
            // A MIDI file becomes sound.
            let name = Self.name(of: input, as: fileExtension ?? (MIDISongFile.isMIDI(input) ? "wav" : nil))
            guard !["", ".", ".."].contains(name) else {
                throw RenderCommand.usage("\"\(input)\" is a folder; name the files in it.")
            }
            let output = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if let other = inputsByName.updateValue(input, forKey: ExactPath(name)) { throw Self.taken(output, by: other, input) }
            // Two names may lead to one file through links.
            let target = FilePath.resolved(output).map(ExactPath.init)
            if let target, let other = inputsByTarget.updateValue(input, forKey: target) {
                throw Self.taken(output, by: other, input)
            }
            if let target, read.contains(target) {
                throw RenderCommand.usage("\"\(output)\" would be read and written; choose another output folder.")
            }
            files.append(BatchFile(input: input, name: name, output: output))
        }
    }

    private static func name(of input: String, as fileExtension: String?) -> String {
        let name = FilePath.name(of: input)
        guard let fileExtension, !["", ".", ".."].contains(name) else { return name }
        let dot = name.dropFirst().lastIndex(of: ".")
        return "\(dot.map { name[..<$0] } ?? name[...]).\(fileExtension)"
    }

    private static func taken(_ output: String, by first: String, _ second: String) -> CommandError {
        RenderCommand.usage(
            "\"\(first)\" and \"\(second)\" would both be written to \"\(output)\"; rename one, or use two folders.")
    }
}
