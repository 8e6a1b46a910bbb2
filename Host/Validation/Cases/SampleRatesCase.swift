// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// All usual sample rates. Thread of the case.

import PluginHosting

struct SampleRatesCase: ValidationCase {
    static let name = "sample-rates"
    static let summary = "it renders at 8 to 192 kHz, or refuses a rate in order"
    private static let rates = [8000.0, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000]

    static func run(_ trial: Trial) throws(CaseEnd) {
        let unit = try trial.open()
        guard let channelCount = unit.chainChannelCount else { throw .takesNoEqualChannels }
        for rate in rates {
            // Cannot trap: the rates are constants.
            trial.doing("rendering at \(Int(rate)) Hz")
            let settings = BenchSettings(sampleRate: rate, channelCount: channelCount)
            let refusal = try trial.refusal { () throws(HostingError) in
                let format = AudioFormat(sampleRate: rate, channelCount: channelCount)
                try unit.probe(format, maximumFrameCount: settings.maximumFrameCount)
            }
            if let refusal {
                // Cannot trap: a constant.
                let sentence = "It refuses \(Int(rate)) Hz: \(refusal)"
                if [44_100, 48_000].contains(rate) { trial.fail(sentence) } else { trial.warn(sentence) }
                continue
            }
            let bench = try Bench(trial, unit, settings)
            // Cannot trap: a constant.
            try trial.requireFinite(try bench.renderNoise(Int(rate / 25)))
            try bench.close()
        }
    }
}
