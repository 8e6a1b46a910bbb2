// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records a sink's monitor or another node's output, through `pw-record`. Control thread.

import Glibc

/// A recording of a sink's monitor into a WAV file of 32-bit floats.
///
/// `[control]`, one thread at a time. Needs the Debian package pipewire-bin.
public final class PipeWireRecorder {
    private static let startMilliseconds = 5000
    /// A libsndfile WAV header with float samples is shorter than this; a longer file has audio.
    private static let headerByteCount = 256
    /// The path of the WAV file.
    public let path: String
    private let children: ChildProcesses
    private let child: pid_t

    /// Starts a recording and returns once audio arrives in the file, which is overwritten.
    ///
    /// `environment` leads to the daemon; nil stands for this process's own. Without `monitorsSink`, the name is that of
    /// another node, whose output is recorded. Throws a `PipeWireError`.
    public init(
        sinkName: String, path: String, channels: Int = 2, rate: Int = 48000, environment: [String: String]? = nil,
        monitorsSink: Bool = true
    ) throws {
        self.path = path
        unlink(path)
        children = try ChildProcesses(environment: environment ?? currentEnvironment(), removing: nil)
        let log = "\(path).log"
        defer { unlink(log) }
        // It requests no latency: a recording must not change the graph's quantum.
        let arguments = [
            "-P", "{ stream.capture.sink=\(monitorsSink) }", "--target", sinkName, "--rate", String(rate), "--channels",
            String(channels), "--format", "f32", "--latency", "none", path,
        ]
        child = try children.spawn("pw-record", arguments, package: "pipewire-bin", log: log)
        Self.raise(child)
        let hasStarted = waitUntil(milliseconds: Self.startMilliseconds) { children.hasEnded(child) || hasAudio }
        guard hasStarted, !children.hasEnded(child) else {
            let silence = "nothing came from \"\(sinkName)\" within \(Self.startMilliseconds / 1000) s"
            throw PipeWireError.childFailed(name: "pw-record", reason: lastLine(of: log) ?? silence)
        }
    }

    deinit { stop() }

    /// Gives pw-record the lowest real-time priority, above all ordinary threads and below all render threads.
    ///
    /// Its ordinary thread takes the buffers, and loses late ones on a busy machine.
    private static func raise(_ child: pid_t) {
        var lowest = sched_param(sched_priority: 1)
        _ = sched_setscheduler(child, SCHED_RR, &lowest)
    }

    /// Ends the recording; the file is complete when this returns.
    ///
    /// It may be called several times.
    public func stop() {
        children.end(child, with: SIGINT)
        children.close()
    }

    private var hasAudio: Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_size > Self.headerByteCount
    }
}
