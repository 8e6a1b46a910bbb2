// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The options of a command line for rendering into a file, for a chain and a graph alike. Main thread.

import AudioFiles
import Console
import PluginHosting

/// The options for rendering sound of any source into a file.
struct OfflineArguments {
    /// The length of a block; long blocks need the fewest hand-offs.
    var blockSize = 8192
    /// The seconds to render after the end; nil for the default in `Words.tail`.
    var tailSeconds: Double?
    var isSerial = false
    var onFault = FaultAnswer.retry
    var wishes = RenderedFile.Wishes()
    var isStrict = false
    /// True if songs may have rests of more than an hour.
    var isLong = false
    var reportPath: String?

    /// The words for one command: the end of the sound, and the defaults.
    struct Words {
        let end, tail, serial, serialDefault, encoding, rate: String
    }

    static func table(_ words: Words) -> [OptionReader<Self>] {
        [
            .integer("--block-size", "N", in: 1...8192, "Frames in a block, from 1 to 8192", default: "8192") {
                $0.blockSize = $1
            },
            .number("--tail", "SECONDS", in: 0...3600, "Go on for so long after the end of \(words.end)", default: words.tail) {
                $0.tailSeconds = $1
            },
            .flag("--serial", words.serial, default: words.serialDefault) { $0.isSerial = true },
            .choice(
                "--on-fault", "ANSWER", among: FaultAnswer.allCases,
                "What becomes of a block whose effect fails: retry, bypass or stop", default: "retry"
            ) { $0.onFault = $1 },
            .choice(
                "--format", "SAMPLES", among: SampleEncoding.allCases, "How samples are stored", default: words.encoding
            ) { $0.wishes.encoding = $1 },
            .number("--rate", "HZ", in: AudioFileFormat.sampleRates, "The sample rate of OUT", default: words.rate) {
                $0.wishes.sampleRate = $1
            },
            .flag(
                "--strict", "Exit with 1 if the sound is odd: silent, clipped, or unchanged by an effect; refuse damaged MIDI files"
            ) {
                $0.isStrict = true
            },
            .flag("--long", "Render a MIDI file even if no message comes in it for more than an hour") { $0.isLong = true },
            .text("--report", "FILE", offering: .file, "Write a report as JSON") { $0.reportPath = $1 },
        ]
    }
}

extension OfflineArguments {
    /// The treatment of units, which a command line may want to render one after the other.
    func rules(_ policy: PolicyArguments, of units: [HostedUnit], mayPipeline: Bool) -> OfflineSession.Rules {
        var rules = OfflineSession.Rules(policy: policy.offlinePolicy)
        onFault.apply(to: &rules.policy)
        rules.isPipelined = !isSerial && mayPipeline && OfflineSession.isWorthPipelining(units)
        rules.rendersAhead = onFault == .retry
        return rules
    }
}
