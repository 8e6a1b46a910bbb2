// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All channel counts that a unit claims to support, and those that it does not. Thread of the case.

import PluginHosting

struct ChannelLayoutsCase: ValidationCase {
    static let name = "channel-layouts"
    static let summary = "it renders every number of channels that it says it takes, and its side chain"
    private static let most = 8

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        var taken: [Int] = []
        for count in 1...most {
            trial.doing("rendering \(Wording.count(count, "channel"))")
            let isPromised = unit.takes(channelCount: count)
            let refusal = try trial.refusal { () throws(HostingError) in
                try unit.probe(AudioFormat(sampleRate: 48_000, channelCount: count), maximumFrameCount: 512)
            }
            switch (isPromised, refusal) {
            case (true, let refusal?):
                // A bus without a list of counts has promised none in particular.
                let isNamed = unit.description.outputs.first.map { !$0.supportedChannelCounts.isEmpty } ?? false
                let sentence = "It says that it takes \(Wording.count(count, "channel")), and does not: \(refusal)"
                if isNamed { trial.fail(sentence) } else { trial.remark(sentence) }
            case (false, nil): trial.fail("It takes \(Wording.count(count, "channel")), which it says it does not.")
            case (true, nil):
                taken.append(count)
                try render(unit, BenchSettings(channelCount: count), trial)
            case (false, _?): break
            }
        }
        trial.fact("layouts", Double(taken.count))
        if let count = unit.chainChannelCount, unit.description.inputs.count > 1 {
            trial.doing("rendering with its side chain connected")
            try render(unit, BenchSettings(channelCount: count, hasSideChain: true), trial)
        }
    }

    private static func render(_ unit: HostedUnit, _ settings: BenchSettings, _ trial: Trial) throws(CaseEnd) {
        let bench = try Bench(trial, unit, settings)
        try trial.requireFinite(try bench.renderNoise(1024))
        try bench.close()
    }
}
