// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The driver against a real daemon of its own. Test thread.

import Glibc
import Rendering
import TestSupport
import Testing

@testable import PipeWireIO

/// One daemon at a time: a session takes a moment to start, and this way each test hears only itself.
@Suite(.timed("plays in a PipeWire of its own"), .serialized, .timeLimit(.minutes(1)))
struct PipeWireDriverTests {
    private func configuration(_ session: PrivatePipeWire, _ kind: PipeWireKind = .playback) -> PipeWireConfiguration {
        var configuration = PipeWireConfiguration(nodeName: "bulkhead-test", description: "Bulkhead test", kind: kind)
        configuration.socketPath = session.socketPath
        return configuration
    }

    @Test func whatItPlaysIsWhatTheSinkHears() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 1000, amplitude: 0.5)
        let driver = PipeWireDriver(configuration(session))
        let path = "\(session.environment["XDG_RUNTIME_DIR"] ?? "/tmp")/heard.wav"
        let recorder = try PipeWireRecorder(sinkName: session.sinkName, path: path, environment: session.environment)
        try driver.start(tone.callback)
        #expect(driver.activeLinkCount == 2)
        #expect(waitUntil(milliseconds: 5000) { tone.framesRendered > 48000 })
        let status = driver.status
        driver.stop()
        recorder.stop()

        #expect(status.sampleRate == 48000)
        #expect(status.cycles > 10)
        #expect(tone.discontinuities == 0)
        let recording = Recording(path: path)
        #expect(recording.sampleRate == 48000)
        for channel in 0..<2 {
            let heard = recording.sounding(channel)
            try #require(heard.count > 24000)
            let amplitude = Recording.amplitude(of: 1000, in: heard, sampleRate: 48000)
            #expect(abs(amplitude - 0.5) < 0.005)
            #expect(Recording.amplitude(of: 1500, in: heard, sampleRate: 48000) < 0.005)
            if status.xruns == 0 { #expect(Recording.largestStep(in: heard) < 0.07) }
        }
    }

    @Test func followsTheQuantumWhileItPlays() throws {
        let session = try PrivatePipeWire(quantum: 1024)
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(configuration(session))
        try driver.start(tone.callback)
        defer { driver.stop() }
        #expect(waitUntil(milliseconds: 2000) { driver.status.quantum == 1024 })
        try force("clock.force-quantum", 256, session)
        #expect(waitUntil(milliseconds: 2000) { driver.status.quantum == 256 })
        try force("clock.force-quantum", 64, session)
        #expect(waitUntil(milliseconds: 2000) { driver.status.quantum == 64 })
        #expect(tone.discontinuities == 0)
    }

    @Test func getsTheQuantumThatItAsksFor() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        var wish = configuration(session)
        wish.quantum = 128
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(wish)
        try driver.start(tone.callback)
        defer { driver.stop() }
        #expect(waitUntil(milliseconds: 2000) { driver.status.quantum == 128 })
    }

    @Test func aForcedQuantumOutweighsASmallerWish() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let (first, second) = (Tone(frequency: 440, amplitude: 0.1), Tone(frequency: 550, amplitude: 0.1))
        var wish = configuration(session)
        wish.quantum = 64
        let modest = PipeWireDriver(wish)
        try modest.start(first.callback)
        defer { modest.stop() }
        #expect(waitUntil(milliseconds: 2000) { modest.status.quantum == 64 })
        wish.quantum = 512
        wish.forcesQuantum = true
        let forceful = PipeWireDriver(wish)
        try forceful.start(second.callback)
        #expect(waitUntil(milliseconds: 2000) { forceful.status.quantum == 512 && modest.status.quantum == 512 })
        forceful.stop()
        #expect(waitUntil(milliseconds: 2000) { modest.status.quantum == 64 })
    }

    @Test(arguments: [false, true]) func aLengthThatIsNoPowerOfTwoIsExactOnlyIfItIsForced(isForced: Bool) throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        var wish = configuration(session)
        wish.quantum = 300
        wish.forcesQuantum = isForced
        let driver = PipeWireDriver(wish)
        try driver.start(tone.callback)
        defer { driver.stop() }
        let given = isForced && PipeWireDaemon.takesAnyQuantum ? 300 : 256
        #expect(waitUntil(milliseconds: 2000) { driver.status.quantum == given }, "\(driver.status.quantum)")
        let foretold = try PipeWireDevices(socketPath: session.socketPath).list.quantum(requesting: 300)
        #expect(isForced || foretold == given)
    }

    @Test func rendersOnARealTimeThreadWhereTheSystemAllowsIt() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let driver = PipeWireDriver(configuration(session))
        #expect(driver.renderThread == nil)
        let tone = Tone(frequency: 440, amplitude: 0.1)
        try driver.start(tone.callback)
        defer { driver.stop() }
        #expect(waitUntil(milliseconds: 2000) { driver.renderThread != nil })
        let thread = try #require(driver.renderThread)
        #expect(thread.tid != getpid())
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(14), &limit)
        if limit.rlim_cur > 0 {
            #expect(thread.policy == SCHED_FIFO)
            #expect(thread.priority > 0)
        }
    }

    @Test func saysSoWhenTheDaemonDiesWhilePlaying() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(configuration(session))
        try driver.start(tone.callback)
        #expect(waitUntil(milliseconds: 2000) { driver.status.cycles > 5 })
        #expect(driver.failure == nil)
        session.killDaemon()
        #expect(waitUntil(milliseconds: 3000) { driver.failure != nil })
        driver.setLatency(frameCount: 64)
        driver.stop()
        #expect(
            driver.failure
                == "PipeWire went away while \"bulkhead-test\" was running: the daemon closed the connection. "
                + "Start it again with `systemctl --user restart pipewire wireplumber`.")
    }

    @Test func givesUpOnADaemonThatIsThereAndSilent() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        kill(session.daemon, SIGSTOP)
        defer { kill(session.daemon, SIGCONT) }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        #expect(throws: PipeWireError.noAnswer(reason: "the daemon doesn't answer")) {
            try PipeWireDriver(configuration(session)).start(tone.callback)
        }
    }

    @Test func countsTheCyclesThatASlowCallbackMisses() throws {
        let session = try PrivatePipeWire(quantum: 256)
        defer { session.close() }
        let driver = PipeWireDriver(configuration(session))
        let tone = Tone(frequency: 440, amplitude: 0.1)
        try driver.start(RenderCallback(function: renderTooSlowly, context: UnsafeMutableRawPointer(tone.state)))
        defer { driver.stop() }
        #expect(waitUntil(milliseconds: 3000) { driver.status.xruns > 5 })
    }

    @Test func theDaemonsOwnAccountTellsASlowNodeFromOneInTime() throws {
        let session = try PrivatePipeWire(quantum: 1024)
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let profile = try NodeProfile(nodeName: "bulkhead-test", socketPath: session.socketPath)
        let driver = PipeWireDriver(configuration(session))
        try driver.start(tone.callback)
        #expect(waitUntil(milliseconds: 5000) { profile.counts.cycles > 40 })
        #expect(profile.counts.xruns < 10)
        driver.stop()
        try force("clock.force-quantum", 256, session)
        let before = profile.counts
        try driver.start(RenderCallback(function: renderTooSlowly, context: UnsafeMutableRawPointer(tone.state)))
        defer { driver.stop() }
        let isTold = waitUntil(milliseconds: 5000) {
            let counts = profile.counts - before
            return counts.cycles > 20 && counts.xruns > 10
        }
        #expect(isTold)
        // The driver may ask for some early, because it is late when the machine is busy.
        #expect(profile.takeXruns().count { $0.end - $0.start > $0.length } > 5)
        #expect(throws: PipeWireError.unreachable(code: ENOENT)) {
            _ = try NodeProfile(nodeName: "bulkhead-test", socketPath: "/nonexistent/pipewire-0")
        }
    }

    @Test func followsTheUserToAnotherDefaultSink() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(configuration(session))
        try driver.start(tone.callback)
        defer { driver.stop() }
        let sink = """
            { factory.name=support.null-audio-sink node.name="second-sink" media.class="Audio/Sink"
              object.linger=true audio.position="FL,FR" }
            """
        _ = try output(["pw-cli", "create-node", "adapter", sink], session)
        let choice = ["default.configured.audio.sink", "{ \"name\": \"second-sink\" }", "Spa:String:JSON"]
        _ = try output(["pw-metadata", "0"] + choice, session)
        let hasMoved = waitUntil(milliseconds: 5000) {
            let links = (try? output(["pw-link", "-l"], session)) ?? ""
            return links.contains("bulkhead-test:output_FL\n  |-> second-sink:playback_FL")
        }
        #expect(hasMoved)
        #expect(waitUntil(milliseconds: 2000) { driver.activeLinkCount == 2 })
        let frames = tone.framesRendered
        #expect(waitUntil(milliseconds: 2000) { tone.framesRendered > frames })
    }

    @Test func waitsForASinkThatIsGone() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(configuration(session))
        try driver.start(tone.callback)
        defer { driver.stop() }
        #expect(driver.devices == DriverDevices(sink: .linked(name: session.sinkName)))
        _ = try output(["pw-cli", "destroy", session.sinkName], session)
        #expect(waitUntil(milliseconds: 5000) { driver.devices.sink == .absent })
        let sink = """
            { factory.name=support.null-audio-sink node.name="other" media.class="Audio/Sink" object.linger=true
              audio.position="FL,FR" }
            """
        _ = try output(["pw-cli", "create-node", "adapter", sink], session)
        #expect(waitUntil(milliseconds: 5000) { driver.devices.sink == .linked(name: "other") && driver.activeLinkCount == 2 })
        let frames = tone.framesRendered
        #expect(waitUntil(milliseconds: 2000) { tone.framesRendered > frames + 4800 })
        #expect(driver.failure == nil)
    }

    /// A program that has lost its daemon need not find its devices at once when the daemon is back.
    @Test func afterAFailureItStartsWithoutItsSink() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let sink = """
            { factory.name=support.null-audio-sink node.name="usb" media.class="Audio/Sink" object.linger=true
              audio.position="FL,FR" }
            """
        _ = try output(["pw-cli", "create-node", "adapter", sink], session)
        var wish = configuration(session)
        wish.sink = .named("usb")
        let driver = PipeWireDriver(wish)
        try driver.start(tone.callback)
        defer { driver.stop() }
        session.killDaemon()
        #expect(waitUntil(milliseconds: 3000) { driver.failure != nil })
        driver.stop()
        try session.reviveDaemon()
        try driver.start(tone.callback)
        #expect(driver.failure == nil && driver.devices.sink == .absent)
        _ = try output(["pw-cli", "create-node", "adapter", sink], session)
        #expect(waitUntil(milliseconds: 5000) { driver.devices.sink == .linked(name: "usb") && driver.activeLinkCount == 2 })
    }

    @Test func startsAgainAfterAStop() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(configuration(session))
        for _ in 0..<3 {
            tone.state.pointee.framesRendered.store(0, ordering: .relaxed)
            try driver.start(tone.callback)
            #expect(throws: PipeWireError.alreadyStarted(nodeName: "bulkhead-test")) { try driver.start(tone.callback) }
            #expect(waitUntil(milliseconds: 2000) { driver.status.cycles > 3 })
            driver.stop()
            let frames = tone.framesRendered
            usleep(50_000)
            #expect(tone.framesRendered == frames)
        }
        #expect(driver.failure == nil)
        #expect(tone.discontinuities == 0)
    }

    @Test func namesTheSinksThatThereAreWhenTheWantedOneIsMissing() throws {
        let session = try PrivatePipeWire(sinkName: "the-only-sink")
        defer { session.close() }
        var wish = configuration(session)
        wish.sink = .named("headphones")
        let tone = Tone(frequency: 440, amplitude: 0.1)
        #expect(throws: PipeWireError.noSink(name: "headphones", available: "\"the-only-sink\"")) {
            try PipeWireDriver(wish).start(tone.callback)
        }
    }

    @Test func aFilterHearsWhatItsSourcePlays() throws {
        let session = try PrivatePipeWire(quantum: 256)
        defer { session.close() }
        let tone = Tone(frequency: 440, amplitude: 0.25)
        let player = PipeWireDriver(configuration(session))
        try player.start(tone.callback)
        defer { player.stop() }
        var wish = configuration(session, .filter)
        wish.nodeName = "bulkhead-filter"
        wish.inputChannelCount = 2
        wish.hasMIDIInput = true
        wish.source = .named(session.sinkName)
        let ear = Tone(frequency: 440, amplitude: 0)
        let filter = PipeWireDriver(wish)
        try filter.start(ear.callback)
        defer { filter.stop() }
        #expect(waitUntil(milliseconds: 3000) { ear.peakOfInput > 0.2 })
        #expect(filter.activeLinkCount == 2)
        let ports = try output(["pw-link", "-i", "-o"], session)
        for port in ["input_FL", "input_FR", "midi_in", "output_FL", "output_FR"] {
            #expect(ports.contains("bulkhead-filter:\(port)\n"))
        }
    }

    /// The usual names of six channels are those of speakers behind the listener.
    @Test func portsHaveTheNamesOfALayout() throws {
        let session = try PrivatePipeWire()
        var wish = configuration(session)
        wish.outputChannelCount = 6
        wish.outputChannelNames = ["FL", "FR", "FC", "LFE", "SL", "SR"]
        let player = PipeWireDriver(wish)
        let tone = Tone(frequency: 440, amplitude: 0)
        try player.start(tone.callback)
        defer {
            player.stop()
            // The callback points into it.
            withExtendedLifetime(tone) {}
        }
        let ports = try output(["pw-link", "-o"], session)
        for name in wish.outputChannelNames { #expect(ports.contains("\(wish.nodeName):output_\(name)\n")) }
        #expect(!ports.contains("output_RL"))
    }

    /// PipeWire 1.4 makes two channels of a list without brackets.
    @Test func aVirtualSinkHasAPortForEachChannel() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.nodeName = "voice"
        wish.virtualDevice = .sink
        wish.inputChannelCount = 6
        wish.inputChannelNames = ["FL", "FR", "FC", "LFE", "SL", "SR"]
        let driver = PipeWireDriver(wish)
        let tone = Tone(frequency: 440, amplitude: 0)
        try driver.start(tone.callback)
        defer {
            driver.stop()
            // The callback points into it.
            withExtendedLifetime(tone) {}
        }
        let ports = try output(["pw-link", "-i"], session)
        for name in wish.inputChannelNames { #expect(ports.contains("voice:playback_\(name)\n"), "\(ports)") }
    }

    @Test func portsForMIDIHaveTheNamesThatAreAskedFor() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.hasMIDIInput = true
        let driver = PipeWireDriver(wish)
        #expect(driver.midiPortNames == ["midi_in"])
        driver.midiPortNames = ["My Keys", "Pads"]
        let tone = Tone(frequency: 440, amplitude: 0)
        try driver.start(tone.callback)
        defer {
            driver.stop()
            // The callback points into it.
            withExtendedLifetime(tone) {}
        }
        let ports = try output(["pw-link", "-i"], session)
        for name in ["My Keys", "Pads"] { #expect(ports.contains("\(wish.nodeName):\(name)\n"), "\(ports)") }
        #expect(!ports.contains("midi_in"))
    }

    @Test func getsTheNotesThatAnotherNodePlays() throws {
        let session = try PrivatePipeWire(quantum: 256)
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.nodeName = "bulkhead-synth"
        wish.hasMIDIInput = true
        let driver = PipeWireDriver(wish)
        let ear = MIDIEar(midi: driver.midi)
        try driver.start(ear.callback)
        defer { driver.stop() }
        let path = "\(session.environment["XDG_RUNTIME_DIR"] ?? "/tmp")/notes.mid"
        MIDIEar.writeNotes(path)
        let children = try ChildProcesses(environment: session.environment, removing: nil)
        defer { children.close() }
        _ = try children.spawn("pw-midiplay", ["--target", "0", path], package: "pipewire-bin")
        let isLinked = waitUntil(milliseconds: 5000) {
            let outputs = (try? output(["pw-link", "-o"], session)) ?? ""
            guard let port = outputs.split(separator: "\n").first(where: { $0.contains("midi") }) else { return false }
            return (try? output(["pw-link", String(port), "bulkhead-synth:midi_in"], session)) != nil
        }
        #expect(isLinked)
        #expect(waitUntil(milliseconds: 5000) { ear.noteCount > 0 })
        #expect(ear.lastNote == 60)
        // A system-exclusive message comes in packets, all its bytes and one end; pw-midiplay leaves the length in the file among them.
        #expect(waitUntil(milliseconds: 5000) { ear.exclusiveEndCount > 1 })
        let endCount = ear.exclusiveEndCount
        #expect(ear.exclusiveByteCount >= endCount * MIDIEar.exclusive.count)
    }

    @Test func whatIsSentGoesOutToAnotherNode() throws {
        let session = try PrivatePipeWire(quantum: 256)
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.nodeName = "bulkhead-hears"
        wish.hasMIDIInput = true
        let hearer = PipeWireDriver(wish)
        let ear = MIDIEar(midi: hearer.midi)
        try hearer.start(ear.callback)
        defer { hearer.stop() }
        wish.nodeName = "bulkhead-sends"
        wish.hasMIDIInput = false
        wish.midiOutputName = "midi_out"
        let sender = PipeWireDriver(wish)
        let tone = Tone(frequency: 440, amplitude: 0)
        try sender.start(tone.callback)
        defer {
            sender.stop()
            // The callback points into it.
            withExtendedLifetime(tone) {}
        }
        // Nobody would hear it.
        #expect(!sender.sendMIDI([0x90, 60, 100]))
        _ = try output(["pw-link", "bulkhead-sends:midi_out", "bulkhead-hears:midi_in"], session)
        #expect(waitUntil(milliseconds: 5000) { sender.sendMIDI([0x90, 61, 100]) })
        #expect(waitUntil(milliseconds: 5000) { ear.noteCount == 1 })
        #expect(ear.lastNote == 61)
        // All of a burst arrive, each one once.
        for key in 0..<100 { #expect(sender.sendMIDI([0x90, UInt8(key), 100])) }
        #expect(!sender.sendMIDI([]) && !sender.sendMIDI([0x90, 1, 2, 3]))
        #expect(waitUntil(milliseconds: 5000) { ear.noteCount == 101 })
        #expect(ear.lastNote == 99)
    }

    @Test func neverTakesASinksMonitorForTheDefaultSource() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.inputChannelCount = 1
        wish.source = .defaultDevice
        let tone = Tone(frequency: 440, amplitude: 0.1)
        #expect(throws: PipeWireError.noSource(name: nil, available: "")) {
            try PipeWireDriver(wish).start(tone.callback)
        }
    }

    @Test func reportsItsLatencyToTheGraphAsItChanges() throws {
        let session = try PrivatePipeWire()
        defer { session.close() }
        var wish = configuration(session, .filter)
        wish.inputChannelCount = 2
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let filter = PipeWireDriver(wish)
        try filter.start(tone.callback)
        defer { filter.stop() }
        #expect(waitUntil(milliseconds: 2000) { filter.status.cycles > 3 }, "A filter runs unlinked.")
        for frames in [640, 32] {
            filter.setLatency(frameCount: frames)
            let isSeen = waitUntil(milliseconds: 3000) {
                let dump = (try? output(["pw-dump"], session)) ?? ""
                return dump.contains("\"rate\": \(frames)") && dump.contains("\"minRate\": \(frames)")
            }
            #expect(isSeen)
        }
    }

    @Test func saysHowToGoOnWhenNoDaemonRuns() {
        var wish = PipeWireConfiguration()
        wish.socketPath = "/tmp/no-such-folder/pipewire-0"
        let tone = Tone(frequency: 440, amplitude: 0.1)
        let driver = PipeWireDriver(wish)
        #expect(!PipeWireDaemon.isReachable(socketPath: wish.socketPath))
        let error = #expect(throws: PipeWireError.self) { try driver.start(tone.callback) }
        #expect(
            error?.description
                == "Couldn't reach PipeWire: no such file or directory. Start it with `systemctl --user start pipewire "
                + "wireplumber`, or play without it: `bulkhead play --driver null`.")
        #expect(driver.failure == nil)
        driver.stop()
    }

    private func force(_ key: String, _ value: Int, _ session: PrivatePipeWire) throws {
        _ = try output(["pw-metadata", "-n", "settings", "0", key, String(value)], session)
    }
}

/// Runs a program in the session and returns what it printed, within five seconds.
func output(_ words: [String], _ session: PrivatePipeWire) throws -> String {
    let children = try ChildProcesses(environment: session.environment, removing: nil)
    defer { children.close() }
    let log = "\(session.environment["XDG_RUNTIME_DIR"] ?? "/tmp")/output.log"
    unlink(log)
    let child = try children.spawn(words[0], Array(words.dropFirst()), package: "pipewire-bin", log: log)
    #expect(waitUntil(milliseconds: 5000) { children.hasEnded(child) })
    return contents(of: log)
}

func contents(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
