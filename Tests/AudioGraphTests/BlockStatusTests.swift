// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The error of a source's block is told, once and with the source's name. Test thread.

import AudioGraph
import HostingTestSupport
import Synchronization
import Testing

@Suite struct BlockStatusTests {
    /// What was told.
    private final class Told: Sendable {
        let words = Mutex<[String]>([])
    }

    @Test(arguments: [[0, 0, 0], [0, -7, -8], [5, 0, 0]]) func theFirstErrorIsToldOnce(statuses: [Int32]) throws {
        let told = Told()
        let status = BlockStatus { node, code in told.words.withLock { $0.append("\(node) \(code)") } }
        let source = AudioSourceNode(format: nil, status: status) { isSilence, sampleTime, _ in
            let code = statuses[min(statuses.count - 1, Int(sampleTime) / 512)]
            status.take(code)
            isSilence = code != 0
        }
        source.name = "Oscillator"
        let engine = try AudioEngine.offline()
        _ = try engine.attach(source).get()
        try engine.connect(source, to: engine.mainMixerNode)
        try engine.start()
        _ = try engine.render(512 * 6)
        let first = statuses.first { $0 != 0 }
        #expect(told.words.withLock { $0 } == (first.map { ["Oscillator \($0)"] } ?? []))
    }
}
