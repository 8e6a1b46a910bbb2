// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Lists the loudspeakers of ITU-R BS.2051's layouts. Any thread.

extension SpeakerLayout {
    /// Azimuth, elevation, and whether the channel carries low frequencies.
    typealias Row = (Double, Double, Bool)

    private static let low: Row = (45, -30, true)
    private static let otherLow: Row = (-45, -30, true)

    private static func row(_ azimuths: [Double], at elevation: Double = 0) -> [Row] { azimuths.map { ($0, elevation, false) } }

    private static func joined(_ rows: [Row]...) -> [Row] { Array(rows.joined()) }

    private static let five: [Row] = joined(row([30, -30, 0]), [low], row([110, -110]))
    private static let seven: [Row] = joined(row([30, -30, 0]), [low], row([90, -90, 135, -135]))
    private static let four: [Row] = row([45, -45, 135, -135], at: 30)

    /// The channels of each layout, in the order of BS.2051.
    static let standard: [String: [Row]] = [
        "0+2+0": row([30, -30]),
        "0+5+0": five,
        "2+5+0": joined(five, row([30, -30], at: 30)),
        "4+5+0": joined(five, row([30, -30, 110, -110], at: 30)),
        "4+5+1": joined(five, row([30, -30, 110, -110], at: 30), row([0], at: -30)),
        "3+7+0": joined(
            row([0, 30, -30]), row([45, -45], at: 30), row([90, -90, 135, -135]), row([180], at: 45), [low, otherLow]),
        "4+9+0": joined(seven, four, row([15, -15])),
        "9+10+3": joined(
            row([60, -60, 0]), [low], row([135, -135, 30, -30, 180]), [otherLow], row([90, -90]), row([45, -45, 0], at: 30),
            row([0], at: 90), row([135, -135, 90, -90, 180], at: 30), row([0, 45, -45], at: -30)),
        "0+7+0": seven,
        "4+7+0": joined(seven, four),
    ]
}
