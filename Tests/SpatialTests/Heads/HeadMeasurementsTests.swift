// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A set of measurements that is not sound is refused by its name and the reason. Test thread.

import Spatial
import Testing

@Suite struct HeadMeasurementsTests {
    private struct Table {
        var sampleRate = 48_000.0
        var positions = [SpacePoint(0, 0, -1), SpacePoint(1, 0, 0), SpacePoint(-1, 0, 0), SpacePoint(0, 0, 1)]
        var tapCount = 8
        var responses = [Float](repeating: 0.5, count: 64)
        var delays: [Float] = [0, 0]
    }

    private func refusal(_ change: (inout Table) -> Void) -> String {
        var table = Table()
        change(&table)
        do throws(HeadSetError) {
            _ = try HeadMeasurements(
                name: "set.sofa", sampleRate: table.sampleRate, positions: table.positions, tapCount: table.tapCount,
                responses: table.responses, delays: table.delays)
            return ""
        } catch { return error.description }
    }

    @Test func aSoundTableIsTaken() {
        #expect(refusal { _ in } == "")
        #expect(refusal { $0.delays = [Float](repeating: 3.5, count: 8) } == "")
    }

    @Test func everyDefectHasItsReason() {
        #expect(refusal { $0.responses[20] = .nan }.contains("\"set.sofa\": a sample of measurement 2 is not a number"))
        #expect(refusal { $0.responses[63] = .infinity }.contains("measurement 4 is not a number"))
        #expect(refusal { $0.sampleRate = .nan }.contains("sample rate is nan"))
        #expect(refusal { $0.sampleRate = 0 }.contains("sample rate is 0.0"))
        #expect(refusal { $0.positions[2] = SpacePoint(0, 0, 0) }.contains("measurement 3 has its source 0.0 m"))
        #expect(refusal { $0.positions[0].x = .nan }.contains("measurement 1 has its source nan m"))
        #expect(refusal { $0.positions = [] }.contains("0 measurements"))
        #expect(refusal { $0.tapCount = .max }.contains("do not fit"))
        #expect(refusal { $0.responses.removeLast() }.contains("do not fit its 63 samples"))
        #expect(refusal { $0.delays = [0, 0, 0] }.contains("3 delays, and not 2 or 8"))
        #expect(refusal { $0.delays = [-1, 0] }.contains("a delay is -1.0"))
        #expect(refusal { $0.delays = [.nan, 0] }.contains("a delay is nan"))
        #expect(refusal { table in for index in 16..<32 { table.responses[index] = 0 } }.contains("measurement 2 is silent"))
    }

    @Test func directionsThatDoNotSurroundTheHeadAreRefused() throws {
        let set = try HeadMeasurements(
            name: "few.sofa", sampleRate: 48_000, positions: [SpacePoint(0, 0, -1), SpacePoint(0.1, 0, -1)], tapCount: 8,
            responses: [Float](repeating: 0.5, count: 32), delays: [0, 0])
        #expect(throws: HeadSetError("few.sofa", "its 2 directions do not surround the head")) {
            try HeadResponses(set, sampleRate: 48_000)
        }
        #expect(throws: HeadSetError.self) { try HeadResponses(set, sampleRate: 400_000) }
    }
}
