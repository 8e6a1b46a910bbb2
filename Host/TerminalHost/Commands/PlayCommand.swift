// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead play: a file through a chain, heard. Main thread.

import AudioFiles
import PluginHosting

struct PlayCommand: Command {
    static let name = "play"
    static let summary = "plays a file through a chain of effects"
    static let synopsis = "FILE (-e ID …)… [--driver pipewire|null] [--quantum N] [--loop] [--duration S] [--report FILE]"
    static let options =
        ChainArguments.options + DriverArguments.options + PolicyArguments.realtimeOptions + [
            Option("--loop", nil, "start again at the end of the file"),
            Option("--duration", "S", "stop after S seconds"),
            Option("--output", "NODE", "the PipeWire sink to play to; the default one without it"),
            Option("--resume", nil, "begin with the chain that was played last, as it was in the end"),
            Option("--report", "FILE", "write a report as JSON"),
        ]
    static let details = """
        While it plays it shows meters, the load of each effect and the state of its process. Ctrl-C ends in order.
        The load is the share of a cycle that the effect takes. Of a file with more than two channels the first two play.
        Press the number of an effect, 1 to 9, to bypass it, and once more to hear it again.
        An effect that keeps dying is put into quarantine, in later runs too; press u, or say bulkhead unblock ID, to bring it
        back.
        """
    static let examples = [
        "song.flac -e Equalizer --set band1.gain=3 -e Reverb --preset \"Large Hall\"",
        "loop.wav -e Filter --automate cutoff=0:200,8:8000 --loop --duration 60",
        "loop.wav -e Delay --driver null --quantum 64 --report report.json",
    ]

    private let file: String
    private let usage: (String) -> CommandError
    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var policy = PolicyArguments()
    private var isLooping = false
    private var duration: Double?
    private var reportPath: String?

    init(_ arguments: inout Arguments) throws {
        var file: String?
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            if try driver.take(word, &arguments) { continue }
            if try policy.take(word, &arguments) { continue }
            switch word {
            case "--loop": isLooping = true
            case "--duration": duration = try arguments.number(of: word, in: 0.01...1e6)
            case "--output": driver.output = try arguments.value(of: word)
            case "--resume": try chain.resume(Self.name, arguments)
            case "--report": reportPath = try arguments.value(of: word)
            default:
                guard !word.hasPrefix("-"), file == nil else { throw arguments.unknown(word, among: Self.options) }
                file = word
            }
        }
        guard let file else { throw arguments.usage("Say which file to play.") }
        guard driver.kind == .pipewire || driver.output == nil else {
            throw arguments.usage("--output names a PipeWire sink; leave it or --driver null out.")
        }
        self.file = file
        usage = { [arguments] in arguments.usage($0) }
    }

    func run() throws {
        let audio = try AudioFile.load(file)
        try OutputFiles(inputs: [file] + chain.files).check([reportPath], usage)
        let channelCount = min(2, audio.channelCount)
        let session = try RealtimeSession(
            driver: driver.player(channelCount: channelCount, sampleRate: audio.sampleRate), arguments: chain,
            source: .file(audio, isLooping: isLooping), channelCount: channelCount,
            policy: policy.policy, isPipelined: policy.isPipelined, keptFor: Self.name, isReported: reportPath != nil)
        let display = StatusDisplay(title: "Playing \(FilePath.name(of: file))", unitCount: session.units.count)
        defer { display.finish() }
        let length = isLooping ? nil : Double(audio.frameCount) / audio.sampleRate
        let loop = PlayLoop(session: session, display: display, durationSeconds: duration, sourceSeconds: length)
        let result = Result { try loop.run() }
        session.stop()
        if let reportPath { try session.report(command: Self.name).write(to: reportPath) }
        try result.get()
    }
}
