// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A capture in a bench: taken, looked at, changed, and compared with its replay. Test thread.

import AudioFiles
import Foundation
import TestSupport
import Testing

/// A line of events.jsonl.
typealias CapturedLine = [String: Any]

extension Workbench {
    /// The events of a capture.
    func events(_ folder: String = "take") throws -> [CapturedLine] {
        try bytes("\(folder)/events.jsonl").split(separator: 0x0A).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0)) as? CapturedLine)
        }
    }

    func write(_ events: [CapturedLine], _ folder: String = "take") throws {
        let lines = try events.map { try JSONSerialization.data(withJSONObject: $0) + [0x0A] }
        try Data(lines.joined()).write(to: URL(fileURLWithPath: path("\(folder)/events.jsonl")))
    }

    /// Has a host that plays do something.
    func ctl(_ words: String...) throws {
        let outcome = try run(["ctl"] + words)
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }

    func kinds() throws -> Set<String> { Set(try events().compactMap { $0["event"] as? String }) }

    /// Plays until no block had to be replaced, because effects were late: such a performance cannot be repeated.
    func take(isWhole: Bool = true, _ play: () throws -> Void) throws {
        let isTaken = try Patience.succeeds {
            try? FileManager.default.removeItem(atPath: path("take"))
            try play()
            return try !isWhole || !kinds().contains("replaced")
        }
        #expect(isTaken, "blocks were replaced each time")
    }

    /// Replays a capture by blocks of several lengths, and compares with what was heard.
    func expectSameBits(blocks: [Int] = [64, 512, 8192]) throws {
        let heard = try load("take/output.wav")
        for block in blocks {
            let outcome = try run("replay", "take", "out.wav", "--block-size", "\(block)", seconds: 60)
            outcome.expectSuccess()
            #expect(outcome.output.contains("has the bits that were heard, in all \(heard.frameCount) frames"), "\(outcome.output)")
            let again = try load("out.wav")
            try #require(again.frameCount == heard.frameCount && again.channelCount == heard.channelCount)
            for channel in 0..<heard.channelCount {
                let isSame = zip(again[channel], heard[channel]).allSatisfy { $0.bitPattern == $1.bitPattern }
                #expect(isSame, "channel \(channel), blocks of \(block)")
            }
        }
    }

    /// Moves the first event of a kind by a frame, after which a replay has to sound otherwise.
    func expectOtherBits(_ kind: String) throws {
        let kept = try events()
        var moved = kept
        let place = try #require(moved.firstIndex { $0["event"] as? String == kind && ($0["frame"] as? Int ?? 0) > 0 })
        moved[place]["frame"] = (moved[place]["frame"] as? Int ?? 0) + 1
        try write(moved)
        try run("replay", "take", "out.wav").expectComplaint(status: 1, "has other bits than were heard from frame")
        try write(kept)
    }
}
