// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead play: a file through a chain, heard. Main thread.

import AudioFiles

struct PlayCommand: Command {
    static let name = "play"
    static let summary = "plays a file through a chain of effects"
    static let synopsis = "FILE (-e ID …)… [--driver pipewire|null] [--quantum N] [--loop] [--duration S] [--report FILE]"
    static let options =
        ChainArguments.options + DriverArguments.options + [
            Option("--loop", nil, "start again at the end of the file"),
            Option("--duration", "S", "stop after S seconds"),
            Option("--output", "NODE", "the PipeWire sink to play to; the default one without it"),
            Option("--report", "FILE", "write a report as JSON"),
        ]
    static let details = "While it plays it shows meters, the load of each effect and the state of its process. Ctrl-C ends in order."

    private let file: String
    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var isLooping = false
    private var duration: Double?
    private var reportPath: String?

    init(_ arguments: inout Arguments) throws {
        var file: String?
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            if try driver.take(word, &arguments) { continue }
            switch word {
            case "--loop": isLooping = true
            case "--duration": duration = try arguments.number(of: word, in: 0.01...1e6)
            case "--output": driver.output = try arguments.value(of: word)
            case "--report": reportPath = try arguments.value(of: word)
            default:
                guard !word.hasPrefix("-"), file == nil else { throw arguments.unknown(word, among: Self.options) }
                file = word
            }
        }
        guard let file else { throw arguments.usage("Say which file to play.") }
        self.file = file
    }

    func run() async throws {
        let audio = try AudioFile.load(file)
        let channelCount = min(2, audio.channelCount)
        let session = try await RealtimeSession(
            driver: driver.player(channelCount: channelCount, sampleRate: audio.sampleRate), arguments: chain,
            source: .file(audio, isLooping: isLooping), channelCount: channelCount)
        let display = StatusDisplay(title: "Playing \(file)", unitCount: session.units.count)
        defer { display.finish() }
        let loop = PlayLoop(session: session, display: display, durationSeconds: duration)
        let result = Result { try loop.run() }
        session.stop()
        if let reportPath { try session.report(command: Self.name).write(to: reportPath) }
        try result.get()
    }
}
