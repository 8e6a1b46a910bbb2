// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A search that takes long, and what the same client asks meanwhile. Test thread.

import Foundation
import JSON
import LinuxSystem
import Synchronization
import Testing

@testable import Control

/// Answers all but searches, until it is told to.
private final class PatientHandler: ControlHandler {
    typealias Answer = @Sendable (Result<JSONValue, ControlError>) -> Void
    private let searches = Mutex<[Answer]>([])

    var searchCount: Int { searches.withLock { $0.count } }

    func handle(_ request: ControlRequest, from client: ControlConnection, answer: @escaping Answer) {
        guard request.method.isSearch else { return answer(.success(.text(request.method.name))) }
        searches.withLock { $0.append(answer) }
    }

    func find() { for answer in searches.withLock({ $0 }) { answer(.success("found")) } }
}

@Suite(.serialized, .timeLimit(.minutes(15))) struct SearchTests {
    @Test func aClientGoesOnWhileTheHostLooksForPlugIns() throws {
        let server = try ControlServer(name: "search-\(getpid())")
        let handler = PatientHandler()
        try server.begin(handler)
        defer { server.end() }
        let stream = try ControlStream(server.listener.address)
        var lines: [JSONValue] = []
        func answers(_ count: Int, within milliseconds: UInt64 = 5000) -> Bool {
            let deadline = MonotonicClock.now() + milliseconds * 1_000_000
            while lines.count < count, MonotonicClock.now() < deadline {
                lines += stream.read().compactMap { JSONValue(json: $0) }.filter {
                    $0["id"] != nil
                }
                Futex.pause(microseconds: 1000)
            }
            return lines.count == count
        }
        stream.request(1, "plugins", [:])
        stream.request(2, "status", [:])
        stream.request(3, "scenes", [:])
        #expect(answers(2) && lines.map { $0["id"]?.number } == [2, 3] && handler.searchCount == 1)
        // A second search waits for the first one, and what follows waits for it.
        stream.request(4, "plugins", [:])
        stream.request(5, "status", [:])
        #expect(!answers(3, within: 200) && handler.searchCount == 2)
        handler.find()
        #expect(answers(5) && Set(lines.compactMap { $0["id"]?.number }) == [1, 2, 3, 4, 5] && lines.last?["id"]?.number == 5)
    }
}
