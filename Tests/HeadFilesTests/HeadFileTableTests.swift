// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What a process says of a file is checked, and turned to the axes of the head. Test thread.

import Spatial
import Testing

@testable import HeadFiles

/// A file as its reader hands it over.
struct FileContent {
    var dimensions: [UInt32] = [1, 3, 2, 1, 4, 6]
    var convention = "SimpleFreeFieldHRIR"
    var dataType = "FIR"
    var types: [HeadReaderHeader.Field: String] = [.sourcePosition: "spherical", .receiverPosition: "cartesian"]
    var numbers: [HeadReaderHeader.Field: [Float]] = [
        .sourcePosition: [0, 0, 1, 90, 0, 1, 180, 0, 1, 270, 0, 1, 0, 90, 1, 0, -90, 1],
        .listenerPosition: [0, 0, 0], .listenerView: [1, 0, 0], .listenerUp: [0, 0, 1],
        .receiverPosition: [0, 0.09, 0, 0, -0.09, 0], .sampleRate: [48_000], .delay: [1, 2],
        // Each measurement has its own level, and the right ear half of it.
        .response: FileContent.responses,
    ]

    private static let responses: [Float] = (1...6).flatMap { level -> [Float] in
        [Float(level), 0, 0, 0, Float(level) / 2, 0, 0, 0]
    }

    var header: [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        func text(_ text: String) -> [UInt8] { Array((Array(text.utf8) + [UInt8](repeating: 0, count: 64)).prefix(64)) }
        let fields = HeadReaderHeader.Field.allCases
        var all = bytes(2) + bytes(0) + dimensions.flatMap(bytes)
        for field in fields { all += bytes(UInt32(numbers[field]?.count ?? 0)) }
        for field in fields { all += text(types[field] ?? "") }
        for _ in fields { all += text("") }
        return all + text(convention) + text(dataType)
    }

    func measurements() throws -> HeadMeasurements {
        try HeadFileTable(try #require(HeadReaderHeader(header)), numbers).measurements(named: "test.sofa")
    }
}

@Suite struct HeadFileTableTests {
    private func isClose(_ left: SpacePoint, _ right: SpacePoint) -> Bool { ((left - right) * (left - right)).sum() < 1e-12 }

    private let front = SpacePoint(0, 0, -1)
    private let left = SpacePoint(-1, 0, 0)

    @Test func azimuthsCountToTheLeftAndElevationsUpwards() throws {
        let positions = try FileContent().measurements().positions
        let wanted = [front, left, -front, -left, SpacePoint(0, 1, 0), SpacePoint(0, -1, 0)]
        #expect(zip(positions, wanted).allSatisfy { isClose($0, $1) })
    }

    @Test func cartesianPositionsAreTheSame() throws {
        var content = FileContent()
        content.types[.sourcePosition] = "cartesian"
        content.numbers[.sourcePosition] = [1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]
        let (one, other) = (try content.measurements().positions, try FileContent().measurements().positions)
        #expect(zip(one, other).allSatisfy { isClose($0, $1) })
    }

    @Test func aListenerWhoLooksToTheLeftTurnsTheSet() throws {
        var content = FileContent()
        content.numbers[.listenerView] = [0, 2, 0]
        let positions = try content.measurements().positions
        // A source at 90 degrees in the room is in front of this listener.
        #expect(isClose(positions[1], front) && isClose(positions[2], left))
    }

    @Test func aListenerElsewhereIsTheMiddle() throws {
        var content = FileContent()
        content.types[.sourcePosition] = "cartesian"
        content.numbers[.listenerPosition] = [1, 1, 1]
        content.numbers[.sourcePosition] = (0..<6).flatMap { [Float(2 + $0), 1, 1] }
        #expect(isClose(try content.measurements().positions[0], front))
    }

    @Test func earsInTheOtherOrderAreExchanged() throws {
        var content = FileContent()
        content.numbers[.receiverPosition] = [0, -0.09, 0, 0, 0.09, 0]
        let swapped = try content.measurements()
        let usual = try FileContent().measurements()
        func power(_ set: HeadMeasurements, _ ear: Int) throws -> Float {
            let responses = try HeadResponses(set, sampleRate: 48_000, quality: .whole, level: .measured)
            return responses.response(at: SIMD3(0, 0, -1))[ear].reduce(0) { $0 + $1 * $1 }
        }
        #expect(try abs(power(usual, 0) - 1) < 1e-3 && abs(power(usual, 1) - 0.25) < 1e-3)
        #expect(try abs(power(swapped, 0) - 0.25) < 1e-3 && abs(power(swapped, 1) - 1) < 1e-3)
    }

    private func refusal(_ change: (inout FileContent) -> Void) -> String {
        var content = FileContent()
        change(&content)
        do { _ = try content.measurements() } catch { return "\(error)" }
        return ""
    }

    @Test func otherContentsAreRefusedByNameAndReason() {
        #expect(refusal { _ in } == "")
        #expect(
            refusal { $0.convention = "MultiSpeakerBRIR" }.contains(
                "\"test.sofa\": it holds MultiSpeakerBRIR with data of type FIR"))
        #expect(refusal { $0.dataType = "TF" }.contains("with data of type TF"))
        #expect(refusal { $0.dimensions[2] = 1 }.contains("at 1 ears, and not at 2"))
        #expect(refusal { $0.dimensions[4] = 0 }.contains("6 measurements of 0 samples"))
        #expect(refusal { $0.dimensions[5] = .max }.contains("do not fit its 48 samples"))
        #expect(refusal { $0.numbers[.sampleRate] = [48_000, 44_100] }.contains("2 sample rates"))
        #expect(refusal { $0.numbers[.sampleRate] = [] }.contains("0 sample rates"))
        #expect(refusal { $0.numbers[.sourcePosition] = [0, 0] }.contains("sourcePosition has 2 numbers"))
        #expect(refusal { $0.types[.sourcePosition] = "spherical harmonics" }.contains("type \"spherical harmonics\""))
        #expect(refusal { $0.numbers[.listenerView] = [0, 0, 0] }.contains("looks along (0.0, 0.0, 0.0)"))
        #expect(refusal { $0.numbers[.listenerView] = [0, 0, 3] }.contains("with the head up along"))
        #expect(refusal { $0.numbers[.sourcePosition, default: []][4] = .nan }.contains("measurement 2 has its source nan m"))
        #expect(refusal { $0.numbers[.response, default: []][9] = .nan }.contains("measurement 2 is not a number"))
        #expect(refusal { $0.numbers[.delay] = [0, 0, 0] }.contains("3 delays"))
        #expect(
            refusal { $0.numbers[.response, default: []][17] = 1e30 }.contains("measurement 3 is more than 40 dB louder than most"))
    }

    @Test func whatIsNoHeaderIsNone() {
        let header = FileContent().header
        #expect(HeadReaderHeader(header) != nil)
        #expect(
            HeadReaderHeader([]) == nil && HeadReaderHeader(header.dropLast() + []) == nil && HeadReaderHeader(header + [0]) == nil)
        #expect(HeadReaderHeader([9] + header.dropFirst()) == nil)
    }
}
