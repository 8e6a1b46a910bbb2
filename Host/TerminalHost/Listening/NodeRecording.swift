// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A temporary recording of a PipeWire node. Main thread.

import Console
import Glibc
import PipeWireIO

/// A recording in the folder for temporary files, which is removed with the object.
final class NodeRecording {
    private let folder: String
    /// The WAV file.
    let path: String

    /// Records for this many seconds, or until the user wants to end.
    ///
    /// Throws a `PipeWireError`, or an error about a missing folder.
    init(of node: String, seconds: Double) throws {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(temporary)/bulkhead-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            throw CommandError.failed("Couldn't make a folder in \"\(temporary)\": \(String(cString: strerror(errno))).")
        }
        folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/recording.wav"
        let recorder = try PipeWireRecorder(sinkName: node, path: path, monitorsSink: try Self.isSink(node))
        let progress = ProgressLine("Listening")
        var left = seconds
        while left > 0, !Interruption.isRequested {
            usleep(useconds_t(min(0.05, left) * 1e6))
            left -= 0.05
            progress.show(1 - max(0, left) / seconds)
        }
        progress.finish()
        recorder.stop()
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }

    private static func isSink(_ node: String) throws -> Bool {
        if node == "auto" { return true }
        return !(try PipeWireDevices().list.devices.contains { $0.name == node && !$0.isSink })
    }
}
