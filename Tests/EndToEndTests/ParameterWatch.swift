// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Follows the parameters of a node by `ctl watch`, as another program would. Test thread.

import Foundation
import Testing

/// The parameters of a node that can be set, and which of them have changed.
final class ParameterWatch {
    /// A parameter that somebody else has set: where it was, and the farthest value that it had since.
    struct Change {
        let path: String
        let from, to: Double
        /// By how much of its range it has changed.
        let share: Double
    }

    private let command: RunningCommand
    private let file: String
    private var offset: UInt64 = 0
    private var pending = Data()
    private var values: [String: Double] = [:]
    private var ranges: [String: Double] = [:]

    /// Begins to watch; the values of this moment are those that the first changes start from.
    init(_ node: String, in bench: Workbench) throws {
        file = bench.path("watch.stream")
        command = try bench.start(["ctl", "watch", "parameters", "--json"], shell: "exec \"$@\" >\(file)")
        let file = file
        // The first line is the answer.
        try #require(eventually(within: 10) { !(FileManager.default.contents(atPath: file) ?? Data()).isEmpty })
        let told = try bench.run("ctl", "parameters", node, "--json").output
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [[String: Any]])
        for row in rows where row["isReadOnly"] as? Bool != true {
            guard let path = row["path"] as? String, let value = row["value"] as? Double else { continue }
            values[path] = value
            ranges[path] = (row["maximum"] as? Double ?? 1) - (row["minimum"] as? Double ?? 0)
        }
        _ = try changes()
    }

    deinit { command.send(SIGINT) }

    /// How many parameters can be set.
    var count: Int { values.count }

    /// The value that was told last.
    func value(_ path: String) -> Double? { values[path] }

    /// What has changed since the last call, even if it has returned to where it was; what has changed most comes first.
    func changes() throws -> [Change] {
        let reader = try #require(FileHandle(forReadingAtPath: file))
        try reader.seek(toOffset: offset)
        let read = reader.readDataToEndOfFile()
        offset += UInt64(read.count)
        pending += read
        let old = values
        var farthest: [String: Double] = [:]
        while let end = pending.firstIndex(of: 0x0A) {
            let line = Data(pending[pending.startIndex..<end])
            pending.removeSubrange(pending.startIndex...end)
            guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
                let data = object["data"] as? [String: Any], let path = data["path"] as? String,
                let value = data["value"] as? Double, values[path] != nil
            else { continue }
            values[path] = value
            let former = old[path] ?? value
            if abs(value - former) > abs((farthest[path] ?? former) - former) { farthest[path] = value }
        }
        let changed = farthest.compactMap { path, value -> Change? in
            guard let former = old[path] else { return nil }
            let range = ranges[path] ?? 0
            return Change(path: path, from: former, to: value, share: range > 0 ? abs(value - former) / range : 1)
        }
        return changed.sorted { $0.share > $1.share }
    }
}
