// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The examples of README.md, and a folder with the files that they name. Test thread.

import Foundation
import PipeWireIO
import TestSupport
import Testing

/// The lines of the block "Examples" in README.md.
enum ReadmeExamples {
    /// Each command as it is printed, without its remark.
    static let all: [String] = {
        let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/README.md"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = text.components(separatedBy: "\n").drop { $0 != "## Examples" }.drop { !$0.hasPrefix("    ") }
        return lines.prefix { $0.hasPrefix("    ") }.map { line in
            line.dropFirst(4).components(separatedBy: "   ")[0].trimmingCharacters(in: .whitespaces)
        }
    }()

    /// The one command that begins so.
    static func command(_ beginning: String) throws -> String {
        let found = all.filter { "\($0) ".hasPrefix("bulkhead \(beginning) ") }
        try #require(found.count == 1, "README.md has \(found.count) examples that begin with \"bulkhead \(beginning)\"")
        return found[0]
    }

    /// A fresh home with song.flac, in.wav, song.mid and song.json.
    static func bench(_ session: PrivatePipeWire? = nil) throws -> Workbench {
        let bench = try Workbench(session)
        try bench.writeTone("in.wav", frames: 48_000)
        try bench.run("render", "in.wav", "song.flac").expectSuccess()
        try TestSignal.writeNotes(to: bench)
        try FileManager.default.moveItem(atPath: bench.path("in.mid"), toPath: bench.path("song.mid"))
        let graph = """
            {"bulkheadGraph": 1, "nodes": [{"id": "drums", "kind": "player", "files": [{"path": "in.wav"}]},
              {"id": "room", "kind": "unit", "unit": {"id": "Reverb"}}],
             "connections": [{"from": "drums", "to": "room"}, {"from": "room", "to": "main"}]}
            """
        try bench.write("song.json", Array(graph.utf8))
        return bench
    }
}

extension Workbench {
    /// Starts a command line as it is typed into a shell.
    func type(_ line: String) throws -> RunningCommand { try start([], shell: "PATH=\(Build.folder):$PATH; exec \(line)") }
}
