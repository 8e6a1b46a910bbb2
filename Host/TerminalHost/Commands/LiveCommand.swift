// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead live: a chain of effects as a node in PipeWire's graph. Main thread.

import Console
import Control
import OpenSoundControl
import PipeWireIO

struct LiveCommand: Command {
    static let name = "live"
    static let summary = "puts a chain of effects into PipeWire's graph"
    static let synopsis =
        "(-e ID …)… [--name NAME] [--input NODE] [--output NODE] [--quantum N] [--duration S] [--record FILE] [--metronome]"
    static var table: [OptionReader<Self>] {
        (ChainArguments.table + ChainArguments.instrumentTable).lifted(to: \.chain, section: ChainArguments.section)
            + PolicyArguments.realtimeTable.lifted(to: \.policy, section: PolicyArguments.section)
            + (SoundArguments.recordTable + SoundArguments.captureTable + SoundArguments.metronomeTable).lifted(to: \.sound)
            + ownTable
    }

    private static var ownTable: [OptionReader<Self>] {
        [
            .text("--name", "NAME", "Call the node NAME, and keep its chain apart", default: "bulkhead-live") { live, name in
                try live.rename(name)
            },
            .flag("--sink", "Be a virtual sink: what programs play goes through the chain, and out") { try $0.become(.sink) },
            .flag("--source", "Be a virtual source: programs record what comes in, through the chain") { try $0.become(.source) },
            .text("--input", "NODE", "Link the inputs to this source", default: "no link; with --source the default one") {
                $0.driver.input = $1
            },
            .text("--output", "NODE", "Link the outputs to this sink", default: "no link; with --sink the default one") {
                $0.driver.output = $1
            },
            .integer("--channels", "N", in: 1...8, "Channels of the node, from 1 to 8", default: "2") { $0.channelCount = $1 },
            DriverArguments.quantum.lifted(to: \.driver),
            .number("--duration", "S", in: 0.01...1e6, "Stop after S seconds") { $0.duration = $1 },
            .flag("--resume", "Bring back the session that was played last, as it was at the end") { $0.isResuming = true },
            .integer("--osc", "PORT", in: 1...65535, "Be controlled by Open Sound Control at this UDP port of this machine") {
                $0.oscPort = UInt16($1)
            },
            .text("--osc-address", "ADDR", "Listen for it at this address, where anybody may control the host") {
                $0.oscAddress = $1
            },
            .flag("--midi-scenes", "Have program N of a MIDI controller go to scene N+1") { $0.choosesScenes = true },
            .flag("--plain", "Show meters and loads in place of the screen") { $0.isPlain = true },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
    static let details = """
        The node is called "bulkhead-live". Patch it with pw-link, qpwgraph or Helvum; `pw-link -io` lists the ports. On a
        terminal a screen opens, on which the chain is built and played; see bulkhead-screen(7). Without effects it is empty at
        first. With `--plain` press the number of an effect, 1 to 9, to bypass it or to hear it again. Give each of several `bulkhead live` a name of its own:
        `--name NAME --resume` brings back the chain that was played under that name.

        Reach in while it plays: `bulkhead ctl` sets parameters, adds, moves and removes effects, and goes from scene to scene.

        The node has ports `midi_in` and `midi_out` for MIDI controllers: `bulkhead ctl learn Reverb.mix` maps the next knob that moves,
        and `midi_out` tells the controller what others move.

        A side chain of an effect has ports called after both, such as `Compressor_Side-chain_FL`, unless the graph feeds it. Link
        what it is to hear; without a link it hears what it hears without them. A further output of a unit has ports, too.
        `bulkhead ctl status` lists them. They come and go with their units.

        If the first -e is an instrument, the node has no inputs of sound, and plays what comes in by `midi_in`. Link a MIDI keyboard to
        it. When a keyboard is unplugged, its notes end; `bulkhead ctl panic` ends all. Further instruments play beside the first one; --midi-channels, --midi-keys and --midi-transpose after an -e say
        what it hears.

        `--sink` makes a sink that the desktop's mixer shows, with a volume. Choose it as the output of a program, or as the default one. Its
        sound goes on to the default sink, or to `--output`. With `--source` programs record the default source, or `--input`, through the
        chain. The device has the name, and the node of the chain a name that ends in -chain. Programs go on while the real device is away.

        A device of --input or --output is named by its `node.name`, by its `object.serial`, or by the text that the desktop shows, if
        only one device has it. A sink with one channel plays the mean of all channels.

        With --osc the host is controlled by Open Sound Control, too: `oscsend localhost PORT /Reverb/mix f 40`. Every program of this
        machine may send there.

        When the sink or the source goes, the node stays and waits, and is linked again when the device is back. When PipeWire
        goes, the command waits for it, too. An effect that refuses a new rate is left out until the next one.

        `--record FILE` writes what is heard, as it is heard. The file is complete when the command ends, and holds what was heard
        up to the last second if it is killed. A full disk ends the recording and not the music. `--metronome` clicks at the beats
        of a song that begins with the command, and stays out of the recording unless `--record-metronome` is given.

        `--capture FOLDER` keeps the performance, so that `bulkhead replay` renders it again to the same bits: see bulkhead-replay(1).

        An effect that keeps dying is quarantined, in later runs too. Press r on the screen (u with --plain), or run
        `bulkhead unblock ID`, to bring it back.
        """
    static let examples = [
        "-e Sampler --midi-keys 0-59 -e Sampler --set channel1.program=33 --midi-keys 60-127 -e Reverb",
        "-e Delay -e Reverb --preset \"Medium Room\"",
        "-e Sampler --metronome 96/3 --record take.flac",
        "-e Equalizer --input alsa_input.usb-Mic --output alsa_output.usb-Speakers --quantum 128",
    ]

    private var chain = ChainArguments()
    private var driver = DriverArguments()
    private var sound = SoundArguments()
    private var name: String?
    private var isResuming = false
    private var choosesScenes = false
    private var oscPort: UInt16?
    private var oscAddress: String?
    private var policy = PolicyArguments()
    private var channelCount = 2
    private var duration: Double?
    private var reportPath: String?
    private var isPlain = false

    /// Takes a name that suits a node and a file.
    private mutating func rename(_ name: String) throws(CommandError) {
        guard NodeName.isPlain(name) else { throw Self.usage(NodeName.complaint(name)) }
        self.name = name
    }

    /// Takes the node's kind of virtual device.
    private mutating func become(_ device: PipeWireVirtualDevice) throws(CommandError) {
        guard driver.device == nil || driver.device == device else {
            throw Self.usage(
                "The node is a --sink or a --source; start a second `bulkhead live` with another --name for the other.")
        }
        driver.device = device
    }

    /// Checks that the device has the linked side, and that no link leads to itself.
    private func checkDevice() throws(CommandError) {
        if driver.device != nil, let other = driver.input ?? driver.output, other == name ?? "bulkhead-live" {
            throw Self.usage("\"\(other)\" is the virtual device itself, whose sound would go around; link it to another one.")
        }
        if driver.device == .sink, driver.input != nil {
            throw Self.usage("Programs play to a virtual sink, which has no --input; leave it out.")
        }
        if driver.device == .source, driver.output != nil {
            throw Self.usage("Programs record a virtual source, which has no --output; leave it out.")
        }
    }

    /// The name under which the session is kept, for `--resume`.
    private var sessionName: String { Self.sessionName(name) }

    /// The name under which a node's session is kept; nil stands for the node without a name.
    static func sessionName(_ name: String?) -> String { name.map { "\(Self.name)-\($0)" } ?? Self.name }

    mutating func finish(_ arguments: Arguments) throws(CommandError) {
        if isResuming { try chain.checkResuming(Self.name) }
        try checkDevice()
        try arguments.naming { try sound.checkCapture(isPipelined: policy.isPipelined) }
        if oscAddress != nil, oscPort == nil { throw Self.usage("--osc-address needs the port; say --osc, too.") }
    }

    /// Prints which channels are silent because the linked sink has fewer.
    private func tellOfUnheardChannels() {
        guard driver.device == .sink || driver.output != nil else { return }
        let count = driver.sinkChannelNames.count
        // The mean of all channels is heard on one, which the session tells.
        guard count > 1, count < channelCount else { return }
        Terminal.printError(
            "The node has \(channelCount) channels, and the sink that it plays to has \(count): the others are not heard. Give it as many "
                + "with --channels \(count).")
    }

    private func serve(_ osc: OSCSockets, _ session: RealtimeSession) throws {
        if osc.isOpenToOthers {
            Terminal.printError("Anybody who reaches \"\(oscAddress ?? "")\", port \(osc.port), may control this host by OSC.")
        }
        try session.session.serveOSC(at: osc)
    }

    func run() throws {
        ActivatedSocket.adopt()
        let manager = ServiceManager.adopt()
        try OutputFiles(inputs: chain.files).check([reportPath, sound.recordPath], Self.usage)
        if let obstacle = ControlAddress.obstacle(to: name ?? Self.name) { throw CommandError.failed(obstacle) }
        let words = name.map { "\(Self.name) --name \($0)" } ?? Self.name
        let resumed = isResuming ? try ResumedSession(sessionName, of: words, skippingMissing: chain.skipsMissing) : nil
        let isPlayed = try resumed.map { !$0.file.graph.readsInput } ?? chain.beginsWithInstrument()
        if isPlayed, driver.device == .sink {
            throw Self.usage(
                "The first unit is an instrument, to which no program can play; leave --sink out, or put an effect first.")
        }
        if isPlayed, driver.input != nil {
            throw Self.usage("The first unit is an instrument, which has no input of sound; leave --input out.")
        }
        let osc = try oscPort.map { try OSCSockets(port: $0, address: oscAddress) }
        tellOfUnheardChannels()
        let source: SessionSource = isPlayed ? .midiPorts : .driverInputs
        let session = try RealtimeSession(
            driver: driver.insert(channelCount: channelCount, name: name, hasInputs: !isPlayed),
            .chain(chain, resuming: resumed, playedBy: source), source: source, channelCount: channelCount,
            .init(
                policy: policy.policy, isPipelined: policy.isPipelined, keptFor: sessionName, isReported: reportPath != nil,
                sound: sound, name: name ?? Self.name))
        if let osc { try serve(osc, session) }
        session.session.setKind(driver.device?.rawValue ?? "filter")
        session.session.offerUnitPorts()
        if choosesScenes { session.session.chooseScenesByProgram(true) }
        let display = StatusDisplay(title: "Live", screen: isPlain ? nil : ScreenProcess(for: session.session))
        defer { display.finish() }
        let result = Result {
            var loop = PlayLoop(session: session, display: display, durationSeconds: duration)
            loop.serviceManager = manager
            try loop.run()
        }
        session.stop()
        let recorded = Result { try session.finishRecording() }
        let reported = Result { if let reportPath { try session.report(command: Self.name).write(to: reportPath) } }
        try result.get()
        try recorded.get()
        try reported.get()
    }
}
