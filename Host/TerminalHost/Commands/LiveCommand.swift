// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live: a node in PipeWire's graph that anything can be patched through. Main thread.

struct LiveCommand: Command {
    static let name = "live"
    static let summary = "puts a chain of effects into PipeWire's graph"
    static let synopsis = "(-e ID …)… [--input NODE] [--output NODE] [--quantum N] [--duration S] [--report FILE]"
    static let options =
        ChainArguments.options + PolicyArguments.realtimeOptions + [
            Option("--input", "NODE", "link the inputs to this source; to nothing without it"),
            Option("--output", "NODE", "link the outputs to this sink; to nothing without it"),
            Option("--channels", "N", "channels of the node, 1 to 8; 2 without it"),
            Option("--quantum", "N", "frames a cycle; the graph's own choice without it"),
            Option("--duration", "S", "stop after S seconds"),
            Option("--resume", nil, "begin with the chain that was played last, as it was in the end"),
            Option("--report", "FILE", "write a report as JSON"),
        ]
    static let details = """
        The node is called "bulkhead-live". Patch it with pw-link, qpwgraph or Helvum; list the ports with: pw-link -io
        Press the number of an effect, 1 to 9, to bypass it, and once more to hear it again.
        An effect that keeps dying is put into quarantine, in later runs too; press u, or say bulkhead unblock ID, to bring it
        back.
        """
    static let examples = [
        "-e Delay -e Reverb --preset \"Medium Room\"",
        "-e Equalizer --input alsa_input.usb-Mic --output alsa_output.usb-Speakers --quantum 128",
    ]

    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var policy = PolicyArguments()
    private var channelCount = 2
    private var duration: Double?
    private var reportPath: String?
    private let usage: (String) -> CommandError

    init(_ arguments: inout Arguments) throws {
        usage = { [arguments] in arguments.usage($0) }
        while let word = arguments.next() {
            if try chain.take(word, &arguments) { continue }
            if try policy.take(word, &arguments) { continue }
            switch word {
            case "--input": driver.input = try arguments.value(of: word)
            case "--output": driver.output = try arguments.value(of: word)
            case "--channels": channelCount = try arguments.integer(of: word, in: 1...8)
            case "--quantum": driver.quantum = try arguments.integer(of: word, in: 16...8192)
            case "--duration": duration = try arguments.number(of: word, in: 0.01...1e6)
            case "--resume": try chain.resume(Self.name, arguments)
            case "--report": reportPath = try arguments.value(of: word)
            default: throw arguments.unknown(word, among: Self.options)
            }
        }
    }

    func run() throws {
        try OutputFiles(inputs: chain.files).check([reportPath], usage)
        let session = try RealtimeSession(
            driver: driver.insert(channelCount: channelCount), arguments: chain, source: .driverInputs,
            channelCount: channelCount, policy: policy.policy, isPipelined: policy.isPipelined, keptFor: Self.name,
            isReported: reportPath != nil)
        let display = StatusDisplay(title: "Live", unitCount: session.units.count)
        defer { display.finish() }
        let result = Result { try PlayLoop(session: session, display: display, durationSeconds: duration).run() }
        session.stop()
        if let reportPath { try session.report(command: Self.name).write(to: reportPath) }
        try result.get()
    }
}
