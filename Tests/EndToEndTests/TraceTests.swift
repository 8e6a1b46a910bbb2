// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead render --trace.

import Foundation
import Testing

extension Commands {
    @Suite struct TraceTests {
        private func trace(_ name: String) throws -> [String] {
            let bench = try Workbench()
            try bench.writeTone()
            let gain = ["-e", "Gain", "--set", "gain=-3", "--automate", "gain=0:-3,0.2:-6"]
            try bench.run(["render", "in.wav", "out.wav"] + gain + ["--trace", name, "--block-size", "512"]).expectSuccess()
            return String(decoding: bench.bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
        }

        @Test func messagesRequestsAndEventsAreLinesWithTimeDirectionNameAndFields() throws {
            let lines = try trace("trace.txt")
            func has(_ words: String...) -> Bool { lines.contains { line in words.allSatisfy { line.contains($0) } } }
            #expect(lines.first?.contains("  hello  ") == true)
            #expect(has(" ms  host -> ", "  hello  ", "hostName: \"Bulkhead\""))
            #expect(has(" -> host  welcome  ", "name: \"Gain\""))
            #expect(has(" -> host  allocated  ", "latencyFrameCount: 0"))
            #expect(has("  request  ", "frames in: 512, out: 512", "OFFLINE"))
            #expect(has("  reply  ", "status: 0"))
            #expect(has("  event  parameter, ", "address: 0"))
        }

        @Test func aTraceThatFindsNoRoomSaysSoOnceAndTheSoundIsWhole() throws {
            let bench = try Workbench()
            try bench.writeTone()
            let result = try bench.run(["trace", "in.wav", "-e", "Gain", "--set", "gain=-3"], shell: #"exec "$@" >/dev/full"#)
            #expect(result.status == 0)
            let lines = result.errors.split(separator: "\n").filter { $0.contains("trace") }
            #expect(lines == ["bulkhead: Couldn't write the trace: no space left on device. Some messages are missing in it."])
        }

        @Test func aTraceInJSONHasAnObjectEachLine() throws {
            struct Line: Decodable { let name, fields: String }
            let lines = try trace("trace.json").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            #expect(Set(lines.map(\.name)).isSuperset(of: ["hello", "welcome", "allocate", "allocated", "request", "reply"]))
        }
    }
}
