// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folder of a captured performance, and the names of its files. Any thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// The folder of a captured performance.
package struct CaptureFolder: Hashable, Sendable {
    package let path: String

    /// Takes the path of a folder, which may be missing.
    package init(_ path: String) { self.path = path }

    /// The session at the start of the capture.
    package var session: String { "\(path)/session.json" }
    /// The facts that a replay needs beside the session.
    package var facts: String { "\(path)/capture.json" }
    /// The events, each with its frame.
    package var events: String { "\(path)/events.jsonl" }
    /// The sound of the main input.
    package var input: String { "\(path)/input.wav" }
    /// The sound of a further input bus, counted from 1.
    package func input(ofBus bus: Int) -> String { "\(path)/input-\(bus).wav" }
    /// The sound that was heard.
    package var output: String { "\(path)/output.wav" }

    /// Makes the folder; an existing one must be empty.
    package func make() throws(SystemError) {
        guard mkdir(path, 0o755) != 0 else { return }
        let code = errno
        // A file of that name cannot be listed, and the first error says that it is there.
        guard code == EEXIST, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw SystemError("make the folder \"\(path)\"", code: code)
        }
        guard names.isEmpty else { throw SystemError("capture into \"\(path)\"", code: ENOTEMPTY) }
    }
}

/// The facts that a replay needs beside the session.
package struct CaptureFacts: Codable, Hashable, Sendable {
    /// The version of the format.
    package static let formatVersion = 1

    private var bulkheadCapture = CaptureFacts.formatVersion
    /// The command that played.
    package var command: String
    /// True if the song begins again at its end.
    package var loopsSong: Bool

    /// Makes the facts of a command.
    package init(command: String, loopsSong: Bool) { (self.command, self.loopsSong) = (command, loopsSong) }

    /// Reads the facts; the thrown reason names the defect.
    package init(contentsOfFile path: String) throws(FileDefect) {
        let bytes = try SmallFile.bytes(path, maximumByteCount: 1 << 20)
        let unknown: UnknownKey?
        do {
            (self, unknown) = try ReadableJSON.document(CaptureFacts.self, from: bytes)
        } catch {
            throw FileDefect(ReadableJSON.reason(of: error))
        }
        guard bulkheadCapture == Self.formatVersion else {
            throw FileDefect("it has format \(bulkheadCapture), and this host reads \(Self.formatVersion)")
        }
        if let unknown { throw FileDefect(unknown.reason()) }
    }
}
