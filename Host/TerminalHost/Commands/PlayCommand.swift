// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead play: plays a file through a chain. Main thread.

import AudioFiles
import AudioGraph
import Console
import PluginHosting

struct PlayCommand: Command {
    static let name = "play"
    static let summary = "plays a sound file or a MIDI file through a chain of effects"
    static let synopsis = "FILE (-e ID …)… [--driver pipewire|null] [--quantum N] [--loop] [--duration S] [--record FILE]"
    static let operands = [Operand("FILE", .file)]
    static var table: [OptionReader<Self>] {
        (ChainArguments.table + ChainArguments.instrumentTable).lifted(to: \.chain, section: ChainArguments.section)
            + PolicyArguments.realtimeTable.lifted(to: \.policy, section: PolicyArguments.section)
            + DriverArguments.table.lifted(to: \.driver)
            + (SoundArguments.recordTable + SoundArguments.captureTable + SoundArguments.metronomeTable).lifted(to: \.sound)
            + ownTable
    }

    private static var ownTable: [OptionReader<Self>] {
        [
            .flag("--loop", "Start again at the end of the file") { $0.isLooping = true },
            .number("--duration", "S", in: 0.01...1e6, "Stop after S seconds") { $0.duration = $1 },
            .text(
                "--output", "NODE", "Play to this PipeWire sink: its name, its number, or the text that the desktop shows",
                default: "the default sink"
            ) { $0.driver.output = $1 },
            .flag("--resume", "Bring back the session that was played last, as it was at the end") { $0.isResuming = true },
            .flag("--plain", "Show meters and loads in place of the screen") { $0.isPlain = true },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
    static let details = """
        On a terminal a screen opens, on which the chain is built and played; see bulkhead-screen(7). With `--plain` the display shows
        meters, and for each effect its load and the state of its process. The load is the share of a cycle that the effect takes. Ctrl-C
        stops in order. Press the number of an effect, 1 to 9, to bypass it or to hear it again.

        PipeWire is asked for the rate of the file. It takes it where `clock.allowed-rates` has the rate and nothing else
        plays; otherwise the file is converted. A file with more than two channels is played with all of them where the sink has
        their speakers, and is mixed to those of a smaller sink. On two, the centre and the surround channels are lowered by 3 dB,
        and the channel of low frequencies is dropped.

        A sink with one channel plays the mean of all channels.

        FILE may be a MIDI file; its content tells. Then the first -e is an instrument, as for `render`.

        When the sink goes, the command waits for it, or moves to the new default sink. When PipeWire goes, it waits, too.

        `--record FILE` writes what is heard, as it is heard. The file is complete when the command ends, and holds what was heard
        up to the last second if it is killed. A full disk ends the recording and not the music. `--metronome` clicks at the beats
        of a MIDI file, or at a tempo that you name; see bulkhead-live(1). `--capture FOLDER` keeps the performance for bulkhead-replay(1).

        An effect that keeps dying is quarantined, in later runs too. Press r on the screen (u with --plain), or run
        `bulkhead unblock ID`, to bring it back.
        """
    static let examples = [
        "song.flac -e Equalizer --set band1.gain=3 -e Reverb --preset \"Large Hall\"",
        "loop.wav -e Filter --automate cutoff=0:200,8:8000 --loop --duration 60",
        "song.mid -e Sampler -e Reverb", "loop.wav -e Delay --loop --record delayed.flac",
        "loop.wav -e Delay --driver null --quantum 64 --report report.json",
    ]

    private var file: String?
    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var sound = SoundArguments()
    private var policy = PolicyArguments()
    private var isLooping = false
    private var isResuming = false
    private var duration: Double?
    private var reportPath: String?
    private var isPlain = false

    mutating func take(_ operand: String) -> Bool {
        guard file == nil else { return false }
        file = operand
        return true
    }

    func finish(_ arguments: Arguments) throws(CommandError) {
        if file == nil { throw arguments.usage("Say which file to play.") }
        if isResuming { try chain.checkResuming(Self.name) }
        try arguments.naming { try sound.checkCapture(isPipelined: policy.isPipelined) }
        guard driver.kind == .pipewire || driver.output == nil else {
            throw arguments.usage("--output names a PipeWire sink; leave it or --driver null out.")
        }
    }

    func run() throws {
        let file = self.file ?? ""
        if MIDISongFile.isMIDI(file, takesPipes: true) {
            guard file != "-" else {
                throw CommandError.failed(
                    "MIDI from standard input can be rendered, not played: write it into a file, and play that.")
            }
            let song = try MIDISongFile(path: file)
            if let damage = song.damage { Terminal.printError(damage) }
            return try run(file, .song(song, isLooping: isLooping))
        }
        try run(file, .file(try LoadedAudio.load(file, takesPipes: true), isLooping: isLooping))
    }

    private func run(_ file: String, _ source: SessionSource) throws {
        try OutputFiles(inputs: [file] + chain.files).check([reportPath, sound.recordPath], Self.usage)
        let (channels, rate, seconds) = source.shape(driver)
        let resumed = isResuming ? try ResumedSession(Self.name, of: Self.name, skippingMissing: chain.skipsMissing) : nil
        let session = try RealtimeSession(
            driver: driver.player(channelCount: channels.count, sampleRate: rate, layout: channels.layout),
            .chain(chain, resuming: resumed, playedBy: source), source: source, channelCount: channels.count,
            layout: channels.layout,
            .init(
                policy: policy.policy, isPipelined: policy.isPipelined, keptFor: Self.name, isReported: reportPath != nil,
                sound: sound))
        let display = StatusDisplay(
            title: "Playing \(FilePath.name(of: file))", screen: isPlain ? nil : ScreenProcess(for: session.session))
        defer { display.finish() }
        let length = isLooping ? nil : seconds
        let loop = PlayLoop(session: session, display: display, durationSeconds: duration, sourceSeconds: length)
        let result = Result { try loop.run() }
        session.stop()
        let recorded = Result { try session.finishRecording() }
        let reported = Result { if let reportPath { try session.report(command: Self.name).write(to: reportPath) } }
        try result.get()
        try recorded.get()
        try reported.get()
    }
}

extension SessionSource {
    /// The channels to play, the rate to ask for in hertz, and the seconds of the source, if it has an end.
    fileprivate func shape(_ driver: DriverArguments) -> (channels: PlayedChannels, sampleRate: Double, seconds: Double?) {
        let stereo = PlayedChannels(of: nil, count: 2, onto: [])
        switch self {
        case .file(let audio, _):
            // A file with up to two channels needs no more of the sink.
            let sink = audio.channelCount > 2 ? driver.sinkChannelNames : []
            let channels = PlayedChannels(of: audio.channelLayout, count: audio.channelCount, onto: sink)
            return (channels, audio.sampleRate, Double(audio.frameCount) / audio.sampleRate)
        case .song(let song, _): return (stereo, 48_000, song.seconds)
        case .driverInputs, .midiPorts, .graph: return (stereo, 48_000, nil)
        }
    }
}
