// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live, moved by a MIDI controller and by OSC, and its mappings after --resume.

import Foundation
import PipeWireIO
import Rendering
import Testing

extension EndToEnd {
    @Suite struct LiveControlTests {
        @Test func aControllerAndAPacketMoveALiveHostAndTheMappingComesBack() throws {
            let session = try PrivatePipeWire(quantum: 1024)
            defer { session.close() }
            let bench = try Workbench(session)
            let port = try freePort()
            let live = try bench.start("live", "-e", "Gain", "-e", "Reverb", "--osc", "\(port)")
            #expect(eventually(within: 10) { (try? bench.run("ctl", "get", "Gain.gain").status) == 0 })
            let mapped = try bench.run("ctl", "map", "cc:1:7", "Reverb.mix", "--maximum", "75", "--no-pick-up")
            #expect(
                mapped.status == 0 && mapped.output.contains("cc:1:7 → Reverb.mix  0 to 75"), "\(mapped.output)\(mapped.errors)")
            let controller = try Controller(session)
            defer { controller.stop() }
            try link("bulkhead-controller:midi_out", "bulkhead-live:midi_in", in: session)
            #expect(
                eventually(within: 10) {
                    controller.driver.sendMIDI([0xB0, 7, 127])
                        && (try? bench.run("ctl", "get", "Reverb.mix").output.contains("75")) == true
                })
            // By OSC: -6 as a number of 32 bits.
            try send(Array("/Gain/gain\0\0,f\0\0".utf8) + [0xC0, 0xC0, 0, 0], to: port)
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
            let port = try freePort()
            let outcome = try bench.run(
                "live", "-e", "Gain", "--osc", "\(port)", "--osc-address", "0.0.0.0", "--duration", "0.5")
            #expect(
                outcome.status == 0 && outcome.errors.contains("Anybody who reaches \"0.0.0.0\", port \(port)"), "\(outcome.errors)"
            )
            #expect(try bench.run("live", "-e", "Gain", "--osc-address", "0.0.0.0").errors.contains("--osc-address needs the port"))
        }

        private func runTool(_ arguments: [String], in session: PrivatePipeWire) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.environment = session.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// Links two ports, as soon as both are there.
        private func link(_ source: String, _ destination: String, in session: PrivatePipeWire) throws {
            let isLinked = try eventually(within: 5) {
                let process = try runTool(["pw-link", source, destination], in: session)
                process.waitUntilExit()
                return process.terminationStatus == 0
            }
            #expect(isLinked)
        }

        /// A port that nothing listens at, at present.
        private func freePort() throws -> UInt16 {
            let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(number) }
            var name = sockaddr_in()
            (name.sin_family, name.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
            return try withUnsafeMutablePointer(to: &name) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
                    try #require(bind(number, address, count) == 0 && getsockname(number, address, &count) == 0)
                }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
        }

        private func send(_ bytes: [UInt8], to port: UInt16) throws {
            let number = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            defer { close(number) }
            var name = sockaddr_in()
            (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let sent = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(number, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            #expect(sent == bytes.count)
        }
    }
}

/// A node that sends MIDI and is silent otherwise.
private final class Controller {
    let driver: PipeWireDriver
    private let context = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)

    init(_ session: PrivatePipeWire) throws {
        var configuration = PipeWireConfiguration(
            nodeName: "bulkhead-controller", description: "Controller", kind: .filter, outputChannelCount: 0)
        (configuration.socketPath, configuration.midiOutputName) = (session.socketPath, "midi_out")
        driver = PipeWireDriver(configuration)
        try driver.start(RenderCallback(function: { _, _ in }, context: context))
    }

    func stop() { driver.stop() }

    deinit {
        driver.stop()
        context.deallocate()
    }
}
