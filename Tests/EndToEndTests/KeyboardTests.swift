// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Keyboards that play a live host and are unplugged while keys are down. Test thread.

import Foundation
import PipeWireIO
import TestSupport
import Testing

extension EndToEnd {
    @Suite struct KeyboardTests {
        private static let port = "bulkhead-live:midi_in"

        /// A live host with an instrument, whose performance is captured.
        private func play(_ session: PrivatePipeWire, _ bench: Workbench, then body: () throws -> Void) throws {
            try bench.take {
                let live = try bench.start("live", "-e", "Synth", "--capture", "take")
                #expect(eventually(within: 10) { (try? bench.run("ctl", "status").status) == 0 })
                try body()
                usleep(300_000)
                live.send(SIGINT)
                live.wait(seconds: 10).expectSuccess()
            }
        }

        private func send(_ bytes: [UInt8], _ keyboard: Controller) {
            #expect(eventually(within: 10) { keyboard.driver.sendMIDI(bytes) })
        }

        /// The messages that came in, without the port.
        private func messages(_ bench: Workbench) throws -> [[Int]] {
            try bench.events().filter { $0["event"] as? String == "midi" }.compactMap { $0["bytes"] as? [Int] }
        }

        private func expectSilentEnd(_ bench: Workbench) throws {
            let heard = try bench.load("take/output.wav")
            let rest = withExtendedLifetime(heard) { heard[0].suffix(4800).map(abs).max() ?? 1 }
            #expect(rest < 0.001)
        }

        @Test func theNotesOfAKeyboardThatIsUnpluggedEndAndThoseOfOthersGoOn() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try play(session, bench) {
                let keyboards = try ["one", "two", "three"].map { try Controller(session, name: $0) }
                defer { for keyboard in keyboards { keyboard.stop() } }
                for name in ["one", "two", "three"] { try session.link("\(name):midi_out", Self.port) }
                // The links to the ears are made a moment later.
                usleep(500_000)
                for (index, keyboard) in keyboards.enumerated() {
                    send([0x90, UInt8(60 + index), 100], keyboard)
                    send([0xB0 | UInt8(index), 64, 127], keyboard)
                }
                usleep(300_000)
                keyboards[1].stop()
                usleep(500_000)
                send([0x80, 62, 64], keyboards[2])
                usleep(200_000)
                try session.unlink("one:midi_out", Self.port)
                usleep(500_000)
            }
            let last = try messages(bench).suffix(6)
            #expect(
                last == [[0x80, 61, 64], [0xB1, 64, 0], [0x80, 62, 64], [0x80, 60, 64], [0xB0, 64, 0], [0xB2, 64, 0]], "\(last)")
            try bench.expectSameBits()
        }

        @Test func aHeldNoteOfTheOnlyKeyboardEndsWithIt() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try play(session, bench) {
                let keyboard = try Controller(session)
                try session.link("bulkhead-controller:midi_out", Self.port)
                send([0x90, 60, 100], keyboard)
                send([0xB0, 66, 127], keyboard)
                usleep(300_000)
                keyboard.stop()
                usleep(1_500_000)
            }
            #expect(try messages(bench).suffix(2) == [[0x80, 60, 64], [0xB0, 66, 0]])
            #expect(try bench.load("take/output.wav").peak(ofChannel: 0) > 0.01)
            try expectSilentEnd(bench)
            try bench.expectSameBits()
        }

        @Test func aPanicEndsWhatHangsAndIsRepeated() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            try play(session, bench) {
                let keyboard = try Controller(session)
                defer { keyboard.stop() }
                try session.link("bulkhead-controller:midi_out", Self.port)
                send([0x90, 60, 100], keyboard)
                usleep(300_000)
                let outcome = try bench.run("ctl", "panic")
                #expect(outcome.status == 0 && outcome.output.contains("All notes of 1 instrument have ended."), "\(outcome)")
                usleep(1_000_000)
            }
            #expect(try bench.kinds().contains("panic"))
            try expectSilentEnd(bench)
            try bench.expectSameBits()
            try bench.expectOtherBits("panic")
        }
    }
}
