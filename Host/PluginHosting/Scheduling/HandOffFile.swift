// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file with the measured times of hand-offs on this machine. Control thread.

import FoundationEssentials
import Glibc
import LinuxSystem

/// The times of hand-offs on this machine, read from a file or measured.
package struct HandOffFile: Sendable {
    private struct Contents: Codable {
        var machine: String
        var times: HandOffTimes
    }

    private static let maximumByteCount = 4096
    /// The file's path; nil if no such file can be kept.
    private let path: String?
    private let measure: @Sendable () -> HandOffTimes?

    /// Uses the file at `path`; without a path the times are measured each time, by `measure`.
    package init(path: String?, measure: @escaping @Sendable () -> HandOffTimes? = HandOffTimes.measured) {
        (self.path, self.measure) = (path, measure)
    }

    /// The known times of this machine in its present state, or newly measured ones; nil if they cannot be measured.
    package func times() -> HandOffTimes? { known ?? remeasured() }

    /// Measures the times and keeps them in the file; nil if they cannot be measured.
    package func remeasured() -> HandOffTimes? {
        guard let times = measure() else { return nil }
        // Without the file they are only measured again next time, which takes a moment.
        if let path, let bytes = try? ReadableJSON.bytes(Contents(machine: Self.machine, times: times)) {
            try? ReplacedFile.write(bytes, to: path)
        }
        return times
    }

    private var known: HandOffTimes? {
        // Times in a file that cannot be used are measured anew, too.
        guard let path, let data = try? SmallFile.read(path, maximumByteCount: Self.maximumByteCount),
            let contents = try? ReadableJSON.decode(Contents.self, from: data), contents.machine == Self.machine
        else { return nil }
        let times = contents.times
        return [times.together, times.apart, times.spinning].allSatisfy { $0 > 0 && $0 < 1e6 } ? times : nil
    }

    /// The conditions of the times: kernel, model of processor, and the processors that this process may use.
    private static var machine: String {
        var system = utsname()
        uname(&system)
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let model =
            (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
            .split(separator: "\n").first { $0.hasPrefix("model name") }.map(String.init) ?? ""
        let processors = Scheduling.ownProcessors.sorted().map(String.init).joined(separator: ",")
        return "\(release); \(model); \(processors)"
    }
}
