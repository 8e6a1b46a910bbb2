// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead demo: a drum loop through three effects, one of which is killed half way. Main thread.

import AudioFiles
import Console
import Demonstration
import FoundationEssentials
import Glibc
import PipeWireIO
import PluginHosting
import Realtime

struct DemoCommand: Command {
    static let name = "demo"
    static let summary = "plays a drum loop, kills an effect half way, and shows what was heard"
    static let synopsis = "[FILE] [--duration S] [--quantum N] [--report FILE] [-e ID …]…"
    static let options =
        [
            Option("--duration", "S", "seconds to play, 4 to 600; 10 without it"),
            Option("--quantum", "N", "frames a cycle; 256 in a private session, else the graph's choice"),
            Option("--report", "FILE", "write a report as JSON"),
        ] + ChainArguments.options
    static let details = """
        FILE (demo.wav without it) gets what a listener heard, recorded back from PipeWire. Where no PipeWire daemon
        answers, a private one runs for the length of the demonstration. Without -e the chain is Filter, Delay, Reverb;
        the middle effect is the one that gets SIGKILL. A picture of the moment goes beside FILE, as SVG.
        """
    static let examples = ["", "hall.wav --quantum 64 -e Equalizer -e Reverb --preset \"Large Hall\" -e Gain"]

    private var file = "demo.wav"
    private var chain = ChainArguments()
    private var duration = 10.0
    private var quantum: Int?
    private var reportPath: String?
    private let usage: (String) -> CommandError

    init(_ arguments: inout Arguments) throws {
        var hasFile = false
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            switch word {
            case "--duration": duration = try arguments.number(of: word, in: 4...600)
            case "--quantum": quantum = try arguments.integer(of: word, in: 16...8192)
            case "--report": reportPath = try arguments.value(of: word)
            default:
                guard !word.hasPrefix("-"), !hasFile else { throw arguments.unknown(word, among: Self.options) }
                (file, hasFile) = (word, true)
            }
        }
        guard file.lowercased().hasSuffix(".wav") else {
            throw arguments.usage("The recording is a WAV file; let the name \"\(file)\" end in .wav.")
        }
        usage = { [arguments] in arguments.usage($0) }
        if chain.isEmpty { chain = chain.replacing(effects: try Self.defaultChain().effects) }
    }

    private static func defaultChain() throws -> ChainArguments {
        var chain = ChainArguments()
        var words = Arguments(
            command: name,
            words: [
                "-e", "aufx:filt:blkh", "--automate", "cutoff=0:1500,4:12000,8:2500,12:16000",
                "-e", "aufx:dlay:blkh", "-e", "aufx:rvrb:blkh", "--preset", "Medium Room",
            ])
        while let word = words.next() { _ = try chain.take(word, &words) }
        return chain
    }

    func run() throws {
        try OutputFiles(inputs: chain.files).check([file, DemoReport.picture(beside: file), reportPath], usage)
        let loop = try DrumLoop().render()
        let privateSession = try makePrivateSession()
        defer { privateSession?.close() }
        let part = "\(file).\(getpid()).part.wav"
        defer { unlink(part) }
        let recorder = try PipeWireRecorder(
            sinkName: privateSession?.sinkName ?? "auto", path: part, environment: privateSession?.environment)
        let played = try play(loop)
        usleep(200_000)
        recorder.stop()
        try Interruption.check("Stopped; \"\(file)\" was not written.")
        let heard = try AudioFile.load(part)
        guard rename(part, file) == 0 else {
            throw CommandError.failed("Couldn't name the recording \"\(file)\": \(String(cString: strerror(errno))).")
        }
        try DemoReport(DemoFacts(played.session, victim: played.victim), heard: heard, file: file).show()
        if let reportPath { try played.session.report(command: Self.name).write(to: reportPath) }
    }

    /// A PipeWire of our own, where the user has none.
    private func makePrivateSession() throws -> PrivatePipeWire? {
        guard !PipeWireDaemon.isReachable() else { return nil }
        Terminal.write("No PipeWire daemon answers; a private one runs for the length of this demonstration.\n")
        let session = try PrivatePipeWire(quantum: quantum ?? 256)
        session.activate()
        return session
    }

    private func play(_ loop: LoadedAudio) throws -> (session: RealtimeSession, victim: Int) {
        let driver = DriverArguments(kind: .pipewire, quantum: quantum)
        let session = try RealtimeSession(
            driver: driver.player(channelCount: loop.channelCount, sampleRate: loop.sampleRate), arguments: chain,
            source: .file(loop, isLooping: true), channelCount: loop.channelCount, isReported: true, tapSeconds: duration + 2)
        let victim = session.units.count / 2
        let display = StatusDisplay(title: "A drum loop, each effect in its own process", unitCount: session.units.count)
        defer { display.finish() }
        var isKilled = false
        let half = duration / 2
        let playing = PlayLoop(session: session, display: display, durationSeconds: duration) { seconds in
            guard seconds >= half, !isKilled else { return }
            isKilled = true
            if let process = session.units[victim].processIdentifier { kill(process, SIGKILL) }
        }
        let result = Result { try playing.run() }
        session.stop()
        try result.get()
        return (session, victim)
    }
}
