// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// bulkhead surround: a virtual sink of many loudspeakers, heard through a head. Main thread.

import AudioFormats
import AudioGraph
import Console
import Control
import GraphDocuments
import OpenSoundControl
import PipeWireIO

struct SurroundCommand: Command {
    static let name = "surround"
    static let summary = "lets headphones hear loudspeakers all around"
    static let synopsis =
        "[--speakers LAYOUT] [--head FILE] [--head-poses FILE] [--output NODE] [--name NAME] [--quantum N] [--osc PORT] [--duration S]"
    static var table: [OptionReader<Self>] {
        [
            .choice(
                "--speakers", "LAYOUT", among: Speakers.allCases, "The loudspeakers that programs play to", default: "7.1"
            ) { $0.speakers = $1 },
            .text("--head", "FILE", offering: .file, "Hear through this head, a file in the format SOFA", default: "KEMAR") {
                $0.headPath = $1
            },
            .number("--turn", "DEGREES", in: -360...360, "Turn the head to the right by this angle", default: "0") { $0.yaw = $1 },
            .text("--head-poses", "FILE", offering: .file, "Turn the head as the rows of this file say") { $0.posesPath = $1 },
            .text("--name", "NAME", "Call the sink NAME", default: "bulkhead-surround") { $0.name = $1 },
            .text("--output", "NODE", "Play to these headphones", default: "the default sink") { $0.driver.output = $1 },
            DriverArguments.quantum.lifted(to: \.driver),
            .number("--duration", "S", in: 0.01...1e6, "Stop after S seconds") { $0.duration = $1 },
            .integer("--osc", "PORT", in: 1...65535, "Let a head tracker of this machine turn the head, by OSC at this UDP port") {
                $0.oscPort = UInt16($1)
            },
            .flag("--screen", "Open the screen") { $0.opensScreen = true },
        ]
    }
    static let details = """
        A sink with loudspeakers all around appears in the desktop's mixer. Choose it as the output of a game, of a film player, or as the
        default one. You hear each loudspeaker from its direction, as with your head between real ones: as a sound field of order 3 that the head
        hears. The low-frequency channel, which repeats others, is left out. Command and sink end with Ctrl-C.

        With `--speakers 7.1.4` four of them are above you. With `--head` you hear through your own ears, or through those of somebody with ears like yours; collections of heads in the format
        SOFA are public. A file that cannot be used is refused with the reason.

        `bulkhead ctl` turns the head while it plays: `bulkhead ctl set space.yaw=30`. With `--osc` a head tracker does: it sends `/ypr` with
        the degrees to the right, upwards and to the right side, or `/quaternion`; see bulkhead-controllers(7). With `--head-poses` a file
        does, from the start on: a row has the seconds, and the three angles or a quaternion; see `headPoses` in bulkhead-graph(5).
        """
    static let examples = [
        "", "--speakers 5.1 --output alsa_output.usb-Headphones", "--speakers 7.1.4", "--head subject_003.sofa --osc 9000",
    ]

    /// The loudspeakers of the sink.
    enum Speakers: String, CaseIterable {
        case five = "5.1"
        case seven = "7.1"
        case sevenAndFour = "7.1.4"

        /// The speaker of each channel.
        var layout: ChannelLayout {
            switch self {
            case .five: .fivePointOne
            case .seven: .sevenPointOne
            case .sevenAndFour: .sevenPointOneFour
            }
        }
    }

    private static let inputID = "speakers"
    private static let spaceID = "space"

    private var speakers = Speakers.seven
    private var headPath: String?
    private var yaw = 0.0
    private var posesPath: String?
    private var name = "bulkhead-surround"
    private var driver = DriverArguments()
    private var duration: Double?
    private var oscPort: UInt16?
    private var opensScreen = false

    func finish(_ arguments: Arguments) throws(CommandError) {
        guard NodeName.isPlain(name) else { throw Self.usage(NodeName.complaint(name)) }
        guard driver.output != name else {
            throw Self.usage("\"\(name)\" is the sink itself, whose sound would go around; play to another one.")
        }
        guard posesPath == nil || yaw == 0 else {
            throw Self.usage("--turn and --head-poses both turn the head; leave one out.")
        }
    }

    /// The graph: each loudspeaker at its direction around the listener.
    private func document(of layout: ChannelLayout) -> GraphDocument {
        var input = GraphDocument.Node(id: Self.inputID, .input)
        (input.placement.mode, input.placement.algorithm) = (.ambienceBed, .soundField)
        var listener = GraphDocument.Environment()
        (listener.head, listener.outputType, listener.yaw) = (headPath ?? AudioHead.standardPath, .headphones, yaw)
        listener.headPoses = posesPath.map { GraphDocument.HeadPoses(path: $0) }
        var document = GraphDocument(
            nodes: [input, .init(id: Self.spaceID, .environment(listener))],
            connections: [
                .init(from: .init(Self.inputID), to: .init(Self.spaceID)),
                .init(from: .init(Self.spaceID), to: .init(GraphDocument.mainID)),
            ])
        document.inputLayout = layout
        return document
    }

    func run() throws {
        let layout = speakers.layout
        let osc = try oscPort.map { try OSCSockets(port: $0, address: nil) }
        let session = try RealtimeSession(
            driver: driver.surround(layout.speakers, name: name),
            .graph(try GraphSetup(path: Self.name, document(of: layout), allowances: ChainArguments().allowances)), source: .graph,
            channelCount: 2, .init(name: name))
        if let osc { try session.session.serveOSC(at: osc) }
        session.session.setKind(PipeWireVirtualDevice.sink.rawValue)
        let display = GraphDisplay(
            session.session, title: "Programs that play to \"\(name)\" are heard around you. Ctrl-C ends.", isPlain: !opensScreen)
        defer { display.finish() }
        let result = Result { try GraphLoop(session: session, display: display, durationSeconds: duration).run() }
        session.stop()
        try result.get()
    }
}
