// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The list of sinks and sources, against a real daemon. Test thread.

import Glibc
import Rendering
import Testing

@testable import PipeWireIO

extension PipeWireDriverTests {
    /// Nested in the other suite, because the suites of one target run side by side.
    @Suite(.serialized, .timeLimit(.minutes(15)))
    struct PipeWireDevicesTests {
        private func isTold(of devices: PipeWireDevices, _ condition: (PipeWireDeviceList) -> Bool) -> Bool {
            var count: UInt64 = 0
            return waitUntil(milliseconds: 5000) {
                _ = read(devices.event, &count, 8)
                return condition(devices.list)
            }
        }

        @Test func namesWhatThereIsAndWhatIsChosen() throws {
            let session = try PrivatePipeWire(sinkName: "loudspeaker", channels: 1, rate: 44_100, quantum: 512)
            defer { session.close() }
            let devices = try PipeWireDevices(socketPath: session.socketPath)
            let list = devices.list
            #expect(list.devices == [list.defaultSink].compactMap { $0 } && list.sinks.map(\.name) == ["loudspeaker"])
            #expect(list.defaultSink?.channelNames == ["MONO"] && list.defaultSource == nil)
            #expect(list.sampleRate == 44_100 && list.quantum == 512 && list.allowedSampleRates == [44_100])
            #expect(list.quantum(requesting: 300) == 256 && list.quantum(requesting: 3) == 16)
            #expect(list.sampleRate(requesting: 48_000) == 44_100)
            let source = """
                { factory.name=support.null-audio-sink node.name="line" node.description="A line" media.class="Audio/Source/Virtual"
                  device.form-factor=microphone device.bus=usb object.linger=true audio.position=[ FL FR FC ] }
                """
            _ = try output(["pw-cli", "create-node", "adapter", source], session)
            #expect(isTold(of: devices) { $0.defaultSource?.channelNames == ["FL", "FR", "FC"] })
            let line = devices.list.defaultSource
            #expect(
                line?.description == "A line" && line?.formFactor == "microphone" && line?.bus == "usb" && line?.isSink == false)
            _ = try output(["pw-cli", "destroy", "line"], session)
            #expect(isTold(of: devices) { $0.sources.isEmpty && $0.defaultSource == nil })
        }

        @Test func headphonesSayThatTheyAre() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            for (name, form) in [("phones", "headphone"), ("stage", "hifi"), ("pocket", "internal")] {
                let sink = """
                    { factory.name=support.null-audio-sink node.name=\(name) media.class=Audio/Sink object.linger=true
                      device.form-factor=\(form) device.profile.name=analog-stereo audio.position=[ FL FR ] }
                    """
                _ = try output(["pw-cli", "create-node", "adapter", sink], session)
            }
            let devices = try PipeWireDevices(socketPath: session.socketPath)
            #expect(isTold(of: devices) { $0.sink(called: "pocket")?.formFactor == "internal" })
            #expect(devices.list.sink(called: "phones")?.profileName == "analog-stereo")
            for (name, kind) in [("phones", .headphones), ("stage", .externalSpeakers), ("pocket", .builtInSpeakers)]
                as [(String, DriverOutputKind?)]
            {
                var wish = PipeWireConfiguration(nodeName: "bulkhead-test", description: "Bulkhead test", kind: .playback)
                (wish.socketPath, wish.sink) = (session.socketPath, .named(name))
                let (tone, driver) = (Tone(frequency: 440, amplitude: 0), PipeWireDriver(wish))
                // It is known before the start, too.
                #expect(driver.outputKind == kind, "\(name)")
                try driver.start(tone.callback)
                #expect(driver.outputKind == kind, "\(name)")
                driver.stop()
            }
        }

        @Test(
            arguments: [
                ("", "analog-output-headphones", "", "", "pci", DriverOutputKind.headphones),
                ("headphones", "analog-output", "internal", "", "pci", .headphones),
                ("speaker", "analog-output-speaker", "headphone", "", "pci", .builtInSpeakers),
                ("speaker", "analog-output-speaker", "", "", "usb", .externalSpeakers),
                ("", "[Out] Speaker", "", "", "pci", .builtInSpeakers), ("hdmi", "hdmi-output-0", "", "", "pci", .externalSpeakers),
                ("", "", "", "hdmi-stereo", "pci", .externalSpeakers),
                ("", "analog-output-lineout", "", "", "pci", .externalSpeakers),
                ("", "", "headset", "a2dp-sink", "bluetooth", .headphones),
                ("", "", "portable", "", "bluetooth", .externalSpeakers),
                ("unknown", "analog-output", "", "analog-stereo", "pci", nil), ("", "", "", "", "", nil),
            ] as [(String, String, String, String, String, DriverOutputKind?)])
        func aSinkIsToldByItsPortAndThenByItsForm(
            port: String, route: String, form: String, profile: String, bus: String, kind: DriverOutputKind?
        ) {
            var sink = PipeWireDevice(name: "sink", description: "", isSink: true)
            (sink.portType, sink.routeName, sink.formFactor, sink.profileName, sink.bus) = (port, route, form, profile, bus)
            #expect(sink.outputKind == kind)
            sink.isSink = false
            #expect(sink.outputKind == nil)
        }

        @Test func followsVolumeMuteAndWhatTheUserForces() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let devices = try PipeWireDevices(socketPath: session.socketPath)
            #expect(devices.list.defaultSink?.volume == 1)
            let sink = session.sinkName
            // PipeWire 1.4 keeps what is set for a sink that has never played to itself.
            var wish = PipeWireConfiguration(nodeName: "bulkhead-test", description: "Bulkhead test", kind: .playback)
            wish.socketPath = session.socketPath
            let (tone, driver) = (Tone(frequency: 440, amplitude: 0), PipeWireDriver(wish))
            try driver.start(tone.callback)
            #expect(waitUntil(milliseconds: 5000) { driver.status.cycles > 3 })
            driver.stop()
            _ = try output(["pw-cli", "set-param", sink, "Props", "{ channelVolumes: [ 0.125, 0.064 ] }"], session)
            #expect(isTold(of: devices) { abs(($0.defaultSink?.volume ?? 1) - 0.5) < 0.001 })
            _ = try output(["pw-cli", "set-param", sink, "Props", "{ mute: true }"], session)
            #expect(isTold(of: devices) { $0.defaultSink?.volume == 0 })
            _ = try output(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "128"], session)
            #expect(isTold(of: devices) { $0.forcedQuantum == 128 && $0.quantum(requesting: 1024) == 128 })
        }

        @Test func hearsOfStreamsThatPlay() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let devices = try PipeWireDevices(socketPath: session.socketPath)
            #expect(!devices.list.hasRunningStreams)
            let children = try ChildProcesses(environment: session.environment, removing: nil)
            let path = "\(session.environment["XDG_RUNTIME_DIR"] ?? "/tmp")/silence.wav"
            writeSilence(path)
            _ = try children.spawn("pw-cat", ["--playback", path], package: "pipewire-bin")
            #expect(isTold(of: devices) { $0.hasRunningStreams })
            children.close()
            #expect(isTold(of: devices) { !$0.hasRunningStreams })
        }

        /// Ten seconds in a WAV file: one channel of 16 bits at 8 kHz.
        private func writeSilence(_ path: String) {
            guard let file = fopen(path, "we") else { return }
            defer { fclose(file) }
            func write(_ values: [UInt32]) { _ = values.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } }
            fputs("RIFF", file)
            write([36 + 160_000])
            fputs("WAVEfmt ", file)
            write([16, 1 << 16 | 1, 8000, 16_000, 16 << 16 | 2])
            fputs("data", file)
            write([160_000] + Array(repeating: 0, count: 40_000))
        }

        @Test func saysSoWhenTheDaemonDies() throws {
            let session = try PrivatePipeWire()
            defer { session.close() }
            let devices = try PipeWireDevices(socketPath: session.socketPath)
            #expect(devices.failure == nil)
            session.killDaemon()
            #expect(isTold(of: devices) { _ in devices.failure != nil })
            #expect(throws: PipeWireError.unreachable(code: ENOENT)) {
                _ = try PipeWireDevices(socketPath: "/nonexistent/pipewire-0")
            }
        }
    }
}
