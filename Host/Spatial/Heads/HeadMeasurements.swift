// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A checked table of the responses that were measured at the ears of a head. Control thread.

/// The impulse responses from sources around a head to its ears.
///
/// All numbers are finite, and all counts agree. Positions are in metres from the middle of the head: x to its right, y upwards, z to its
/// back.
public struct HeadMeasurements: Sendable {
    /// The name of the set, for messages.
    public let name: String
    /// Samples a second of the responses.
    public let sampleRate: Double
    /// The position of the source for each measurement.
    public let positions: [SpacePoint]
    /// The samples of a response.
    public let tapCount: Int
    /// The responses: for each measurement the left ear's, then the right ear's.
    let responses: [Float]
    /// The delay before each response in samples of `sampleRate`: for each measurement the left ear's, then the right ear's.
    let delays: [Double]

    /// The largest number of samples in a table.
    public static let mostSamples = 64 << 20

    /// The most times by which a measurement's energy may exceed the middle one.
    private static let mostTimesMiddle = 1e4

    /// Checks a table.
    ///
    /// `responses` holds `tapCount` samples for each ear of each measurement. `delays` is in samples: one for each ear, or one for each ear
    /// of each measurement.
    public init(
        name: String, sampleRate: Double, positions: [SpacePoint], tapCount: Int, responses: [Float], delays: [Float]
    ) throws(HeadSetError) {
        func refuse(_ reason: String) -> HeadSetError { HeadSetError(name, reason) }
        let count = positions.count
        guard sampleRate.isFinite, (8000...768_000).contains(sampleRate) else {
            throw refuse("its sample rate is \(sampleRate) Hz, and not 8,000 to 768,000")
        }
        guard count > 0, tapCount > 0, count <= Self.mostSamples, tapCount <= Self.mostSamples / (2 * count),
            responses.count == 2 * count * tapCount
        else { throw refuse("\(count) measurements of \(tapCount) samples at two ears do not fit its \(responses.count) samples") }
        guard delays.count == 2 || delays.count == 2 * count else {
            throw refuse("it has \(delays.count) delays, and not 2 or \(2 * count)")
        }
        if let bad = responses.firstIndex(where: { !$0.isFinite }) {
            throw refuse("a sample of measurement \(bad / (2 * tapCount) + 1) is not a number")
        }
        if let bad = delays.first(where: { !($0 >= 0 && Double($0) <= sampleRate) }) {
            throw refuse("a delay is \(bad) samples, and not from 0 to a second")
        }
        for (index, position) in positions.enumerated() {
            let distance = position.dot(position).squareRoot()
            guard distance.isFinite, (0.01...10_000).contains(distance) else {
                throw refuse("measurement \(index + 1) has its source \(distance) m from the head, and not 0.01 to 10,000")
            }
        }
        (self.name, self.sampleRate, self.positions) = (name, sampleRate, positions)
        (self.tapCount, self.responses) = (tapCount, responses)
        self.delays = (0..<2 * count).map { Double(delays[delays.count == 2 ? $0 % 2 : $0]) }
        let energies = (0..<count).map { energy(of: $0) }
        if let bad = energies.firstIndex(where: { $0 <= 0 }) { throw refuse("measurement \(bad + 1) is silent at both ears") }
        let middle = energies.sorted()[count / 2]
        if let bad = energies.firstIndex(where: { $0 > Self.mostTimesMiddle * middle }) {
            throw refuse("measurement \(bad + 1) is more than 40 dB louder than most, so the file is probably damaged")
        }
    }

    /// The response at an ear, 0 for the left one.
    func response(_ index: Int, ear: Int) -> ArraySlice<Float> {
        let start = (2 * index + ear) * tapCount
        return responses[start..<start + tapCount]
    }

    /// The delay before the response at an ear, in samples.
    func delay(_ index: Int, ear: Int) -> Double { delays[2 * index + ear] }

    /// The sum of the squared samples at both ears.
    func energy(of index: Int) -> Double {
        var sum = 0.0
        for ear in 0..<2 { for sample in response(index, ear: ear) { sum += Double(sample) * Double(sample) } }
        return sum
    }

    /// The sample at which a response begins: where it first exceeds a tenth of its peak, between two samples, with the delay before it.
    func onset(_ index: Int, ear: Int) -> Double {
        let response = response(index, ear: ear)
        let threshold = 0.1 * (response.lazy.map { abs($0) }.max() ?? 0)
        guard threshold > 0, let first = response.firstIndex(where: { abs($0) >= threshold }) else { return delay(index, ear: ear) }
        let before = first > response.startIndex ? Double(abs(response[first - 1])) : 0
        let step = Double(abs(response[first])) - before
        let share = step > 0 ? (Double(threshold) - before) / step : 1
        return delay(index, ear: ear) + Double(first - response.startIndex) - 1 + share
    }
}
