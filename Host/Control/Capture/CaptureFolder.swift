// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The folder of a captured performance, and what its files are called. Any thread.

import FoundationEssentials
import Glibc
import LinuxSystem
import PluginHosting

/// The folder of a captured performance.
package struct CaptureFolder: Hashable, Sendable {
    package let path: String

    /// A folder with this path, which may not be there.
    package init(_ path: String) { self.path = path }

    /// The session as it began.
    package var session: String { "\(path)/session.json" }
    /// What else a replay has to know.
    package var facts: String { "\(path)/capture.json" }
    /// What happened, and when.
    package var events: String { "\(path)/events.jsonl" }
    /// What came in at the main input.
    package var input: String { "\(path)/input.wav" }
    /// What came in at a further bus of the input, counted from 1.
    package func input(ofBus bus: Int) -> String { "\(path)/input-\(bus).wav" }
    /// What was heard.
    package var output: String { "\(path)/output.wav" }

    /// Makes the folder; one that is there has to be empty.
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

/// What a replay has to know beside the session.
package struct CaptureFacts: Codable, Hashable, Sendable {
    /// The version of the format.
    package static let formatVersion = 1

    private var bulkheadCapture = CaptureFacts.formatVersion
    /// The command that played.
    package var command: String
    /// Whether the song began again at its end.
    package var loopsSong: Bool

    /// What a command played.
    package init(command: String, loopsSong: Bool) { (self.command, self.loopsSong) = (command, loopsSong) }

    /// Reads the facts; the thrown reason says what is wrong with them.
    package init(contentsOfFile path: String) throws(FileDefect) {
        let bytes = try SmallFile.bytes(path, maximumByteCount: 1 << 20)
        do {
            self = try ReadableJSON.value(CaptureFacts.self, from: bytes)
        } catch {
            throw FileDefect(ReadableJSON.reason(of: error))
        }
        guard bulkheadCapture == Self.formatVersion else {
            throw FileDefect("it has format \(bulkheadCapture), and this host reads \(Self.formatVersion)")
        }
    }
}
