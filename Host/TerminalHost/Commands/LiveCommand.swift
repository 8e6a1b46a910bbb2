// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live: a chain of effects as a node in PipeWire's graph. Main thread.

struct LiveCommand: Command {
    static let name = "live"
    static let summary = "puts a chain of effects into PipeWire's graph"
    static let synopsis = "(-e ID …)… [--input NODE] [--output NODE] [--quantum N] [--duration S] [--report FILE]"
    static var table: [OptionReader<Self>] {
        ChainArguments.table.lifted(to: \.chain, section: ChainArguments.section)
            + PolicyArguments.realtimeTable.lifted(to: \.policy, section: PolicyArguments.section) + ownTable
    }

    private static var ownTable: [OptionReader<Self>] {
        [
            .text("--input", "NODE", "Link the inputs to this source", default: "no link") { $0.driver.input = $1 },
            .text("--output", "NODE", "Link the outputs to this sink", default: "no link") { $0.driver.output = $1 },
            .integer("--channels", "N", in: 1...8, "Channels of the node, from 1 to 8", default: "2") { $0.channelCount = $1 },
            DriverArguments.quantum.lifted(to: \.driver),
            .number("--duration", "S", in: 0.01...1e6, "Stop after S seconds") { $0.duration = $1 },
            .flag("--resume", "Begin with the chain that was played last, as it was at the end") { live in
                try live.chain.resume(Self.name)
            },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
    static let details = """
        The node is called "bulkhead-live". Patch it with pw-link, qpwgraph or Helvum; `pw-link -io` lists the ports. Press the
        number of an effect, 1 to 9, to bypass it or to hear it again.

        An effect that keeps dying is quarantined, in later runs too. Press u, or run `bulkhead unblock ID`, to bring it back.
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

    func run() throws {
        try OutputFiles(inputs: chain.files).check([reportPath], Self.usage)
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
