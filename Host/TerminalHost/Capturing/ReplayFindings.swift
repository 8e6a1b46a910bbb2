// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Explains in sentences why a replay differs from the performance. Main thread.

import Console
import Control

/// The findings about a replay.
struct ReplayFindings {
    private let performance: CapturedPerformance
    private let output: String
    private let end: Int64
    private let firstDifference: Int?
    private let missingFrameCount: Int

    init(_ performance: CapturedPerformance, output: String, end: Int64, _ comparison: borrowing HeardComparison) {
        (self.performance, self.output, self.end) = (performance, output, end)
        (firstDifference, missingFrameCount) = (comparison.firstDifference, comparison.missingFrameCount)
    }

    /// The sentences about all defects; nil if the replay has the same bits as the whole performance.
    var complaint: String? {
        let sentences = [stop, incompleteness, missing, rest, unkept, replacements, difference].compactMap { $0 }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private var stop: String? {
        guard let event = performance.events.first(where: { $0.event == .unrepeatable }), event.frame <= performance.end.frame
        else {
            return nil
        }
        return "\"\(output)\" ends at \(place(event.frame)): \(event.title ?? ""), which a replay cannot repeat."
    }

    private var incompleteness: String? {
        performance.end.isComplete
            ? nil : "The capture was not completed; what happened is known up to \(place(performance.end.frame))."
    }

    /// A sentence about frames that were not kept or cannot be read; nil without any.
    private var missing: String? {
        let wanted = performance.events.first { $0.event == .unrepeatable }?.frame ?? .max
        let count = max(0, min(wanted, performance.end.frame) - end) + Int64(missingFrameCount)
        return count == 0 ? nil : "\"\(performance.folder.output)\" lacks \(count) frames, with which nothing can be compared."
    }

    /// A sentence about output that was heard and not kept; nil without any.
    private var unkept: String? {
        let events = performance.events.lazy.filter { $0.frame < end }
        guard performance.file.graph.usesFurtherOutputs || events.contains(where: { $0.graph?.usesFurtherOutputs ?? false }) else {
            return nil
        }
        return "The graph led to further buses of the output, and what was heard there was not kept: it was not compared."
    }

    /// A sentence about recorded parts beyond the end of the performance, which were not rendered; nil without any.
    private var rest: String? {
        guard stop == nil, performance.end.isComplete else { return nil }
        let (last, heard) = (performance.end.frame, Int64(performance.heard.format.frameCount))
        if heard > last {
            return
                "\"\(performance.folder.output)\" goes on for \(heard - last) frames behind \(place(last)), where the events end."
        }
        let count = performance.events.count { $0.frame > last }
        return count == 0 ? nil : "\"\(performance.folder.events)\" has \(count) events behind its end at \(place(last))."
    }

    /// A sentence about replaced blocks of units that were late or had died, adjacent blocks together; nil without any.
    private var replacements: String? {
        var stretches: [(node: String, start: Int64, end: Int64)] = []
        for event in performance.events where event.event == .replaced && event.frame < end {
            let (node, stop) = (event.node ?? "", event.frame + (event.frameCount ?? 0))
            if let last = stretches.lastIndex(where: { $0.node == node }), stretches[last].end >= event.frame {
                stretches[last].end = stop
            } else {
                stretches.append((node, event.frame, stop))
            }
        }
        guard !stretches.isEmpty else { return nil }
        let named = stretches.prefix(3).map { "\"\($0.node)\" in the frames \($0.start) to \($0.end - 1)" }
        let more = stretches.count > 3 ? ", and \(stretches.count - 3) times more" : ""
        return
            "Blocks were replaced while it was played, because effects were late or had died: \(named.joined(separator: ", "))\(more)."
    }

    private var difference: String? {
        guard let firstDifference else { return nil }
        return "\"\(output)\" has other bits than were heard from \(place(Int64(firstDifference))) on."
            + (replacements == nil ? " A plug-in that uses chance, or files that have changed, do that." : "")
    }

    private func place(_ frame: Int64) -> String {
        let seconds = Double(frame) / max(1, performance.heard.format.sampleRate)
        return "frame \(frame) (\(Decimal.text(seconds, 3)) s)"
    }
}
