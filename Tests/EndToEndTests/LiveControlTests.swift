// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live, moved by a MIDI controller and by OSC, and its mappings after --resume.

import Foundation
import PipeWireIO
import Testing

extension EndToEnd {
    @Suite struct LiveControlTests {
        @Test func aControllerAndAPacketMoveALiveHostAndTheMappingComesBack() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try Datagram.freePort()
            let live = try bench.start("live", "-e", "Gain", "-e", "Reverb", "--osc", "\(port)")
            #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Gain.gain").status) == 0 })
            let mapped = try bench.run("ctl", "map", "cc:1:7", "Reverb.mix", "--maximum", "75", "--no-pick-up")
            #expect(
                mapped.status == 0 && mapped.output.contains("cc:1:7 → Reverb.mix  0 to 75"), "\(mapped.output)\(mapped.errors)")
            let controller = try Controller(session)
            defer { controller.stop() }
            try session.link("bulkhead-controller:midi_out", "bulkhead-live:midi_in")
            #expect(
                eventually(within: 10) {
                    controller.driver.sendMIDI([0xB0, 7, 127])
                        && (try? bench.run("ctl", "get", "Reverb.mix").output.contains("75")) == true
                })
            // By OSC: -6 as a number of 32 bits.
            try Datagram.send(Array("/Gain/gain\0\0,f\0\0".utf8) + [0xC0, 0xC0, 0, 0], to: port)
            #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Gain.gain").output.contains("-6 dB")) == true })
            live.send(SIGINT)
            live.wait(seconds: 5).expectSuccess()
            let resumed = try bench.start("live", "--resume")
            #expect(
                eventually(within: 10) {
                    (try? bench.run("ctl", "mappings").output.contains("cc:1:7 → Reverb.mix  0 to 75")) == true
                })
            try bench.run("ctl", "stop").expectSuccess()
            resumed.wait(seconds: 5).expectSuccess()
        }

        @Test func anAddressForOthersIsToldAndAnAddressAloneIsRefused() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try Datagram.freePort()
            let outcome = try bench.run(
                "live", "-e", "Gain", "--osc", "\(port)", "--osc-address", "0.0.0.0", "--duration", "0.5")
            #expect(
                outcome.status == 0 && outcome.errors.contains("Anybody who reaches \"0.0.0.0\", port \(port)"), "\(outcome.errors)"
            )
            #expect(try bench.run("live", "-e", "Gain", "--osc-address", "0.0.0.0").errors.contains("--osc-address needs the port"))
        }
    }
}
