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
    static let summary = "plays a drum loop, kills an effect, and shows what was heard"
    static let synopsis = "[FILE] [--duration S] [--quantum N] [--report FILE] [-e ID …]…"
    static let operands = [Operand("FILE", .file, .optional)]
    static var table: [OptionReader<Self>] { ownTable + ChainArguments.table.lifted(to: \.chain, section: ChainArguments.section) }

    private static var ownTable: [OptionReader<Self>] {
        [
            .number("--duration", "S", in: 4...600, "Seconds to play, from 4 to 600", default: "10") { $0.duration = $1 },
            .integer(
                "--quantum", "N", in: 16...8192, "Frames in a cycle",
                default: "256 in a private session, else the graph's choice"
            ) { $0.quantum = $1 },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
    static let details = """
        FILE (default: `demo.wav`) is a recording of what a listener heard, taken back from PipeWire. If no PipeWire daemon
        answers, the command starts a private one for the demonstration. The default chain is Filter, Delay, Reverb. The
        middle effect is killed with SIGKILL. A picture of that moment is written beside FILE, as SVG.
        """
    static let examples = ["", "hall.wav --quantum 64 -e Equalizer -e Reverb --preset \"Large Hall\" -e Gain"]

    private var file: String?
    private var chain = ChainArguments()
    private var duration = 10.0
    private var quantum: Int?
    private var reportPath: String?

    mutating func take(_ operand: String) -> Bool {
        guard file == nil else { return false }
        file = operand
        return true
    }

    mutating func finish(_ arguments: Arguments) throws(CommandError) {
        let file = self.file ?? "demo.wav"
        guard file.lowercased().hasSuffix(".wav") else {
            throw arguments.usage("The recording is a WAV file; let the name \"\(file)\" end in .wav.")
        }
        self.file = file
        if chain.isEmpty { chain = chain.replacing(effects: try Self.defaultChain()) }
    }

    private static func defaultChain() throws(CommandError) -> [EffectRequest] {
        var arguments = Arguments(
            command: name,
            [
                "-e", "aufx:filt:blkh", "--automate", "cutoff=0:1500,4:12000,8:2500,12:16000",
                "-e", "aufx:dlay:blkh", "-e", "aufx:rvrb:blkh", "--preset", "Medium Room",
            ])
        var command = Self()
        try command.read(&arguments)
        return command.chain.effects
    }

    func run() throws {
        let file = self.file ?? ""
        try OutputFiles(inputs: chain.files).check([file, DemoReport.picture(beside: file), reportPath], Self.usage)
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
        let heard = try LoadedAudio.load(part)
        guard rename(part, file) == 0 else {
            throw CommandError.failed("Couldn't name the recording \"\(file)\": \(String(cString: strerror(errno))).")
        }
        try DemoReport(DemoFacts(played.session, victim: played.victim), heard: heard, file: file).show()
        if let reportPath { try played.session.report(command: Self.name).write(to: reportPath) }
    }

    /// A private PipeWire if the user's does not run; nil otherwise.
    private func makePrivateSession() throws -> PrivatePipeWire? {
        guard !PipeWireDaemon.isReachable() else { return nil }
        Terminal.print("No PipeWire daemon answers; a private one runs for this demonstration.")
        let session = try PrivatePipeWire(quantum: quantum ?? 256)
        session.activate()
        return session
    }

    private func play(_ loop: LoadedAudio) throws -> (session: RealtimeSession, victim: Int) {
        let driver = DriverArguments(kind: .pipewire, quantum: quantum)
        let source = SessionSource.file(loop, isLooping: true)
        let session = try RealtimeSession(
            driver: driver.player(channelCount: loop.channelCount, sampleRate: loop.sampleRate), .chain(chain, playedBy: source),
            source: source, channelCount: loop.channelCount, .init(isReported: true, tapSeconds: duration + 2))
        let victim = session.chain.units.count / 2
        guard session.chain.units.indices.contains(victim) else {
            session.stop()
            throw CommandError.failed(
                "Every effect of the demonstration is quarantined, so there is none to kill. Bring them back with: bulkhead unblock ID"
            )
        }
        let display = StatusDisplay(title: "A drum loop, each effect in its own process")
        defer { display.finish() }
        var isKilled = false
        let half = duration / 2
        let playing = PlayLoop(session: session, display: display, durationSeconds: duration) { seconds in
            // A gap would spoil the demonstration.
            if let failure = session.driver.failure { throw CommandError.failed(failure) }
            guard seconds >= half, !isKilled else { return }
            isKilled = true
            if let process = session.chain.units[victim].unit.processIdentifier { kill(process, SIGKILL) }
        }
        let result = Result { try playing.run() }
        session.stop()
        try result.get()
        return (session, victim)
    }
}
