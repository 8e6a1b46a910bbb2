// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Heads: a damaged file, read by the confined process, and what such a process may hand over. The fuzzer's thread.

import Glibc

@testable import HeadFiles
@testable import Spatial

extension FuzzTarget {
    /// A head from a file: KEMAR, cut short or with changed bytes.
    ///
    /// Two bytes of the input say how much of the file is left, and each four more change a byte.
    static let headFile = FuzzTarget("head-file", seeds: [[255, 255], [128, 0], [255, 255, 0, 0, 96, 7]]) { bytes in
        guard !HeadInputs.kemar.isEmpty else { leave(2, "Install libmysofa1: its head is what this target damages.") }
        let path = FuzzedFile.path(holding: HeadInputs.damaged(FuzzScript(bytes)))
        do throws(HeadSetError) { HeadInputs.check(try HeadFile.read(path)) } catch {
            precondition(error.set == path && !error.reason.isEmpty, "a refusal without a name or a reason")
            precondition(!error.reason.hasPrefix("its reader"), "the process that reads did not start: \(error.reason)")
        }
    }

    /// The numbers of a file as the confined process sends them: a header, then all arrays.
    static let headTable = FuzzTarget("head-table", seeds: [HeadInputs.table]) { bytes in
        guard let header = HeadReaderHeader(Array(bytes.prefix(HeadReaderHeader.byteCount))), !header.isRefusal else { return }
        var rest = bytes.dropFirst(HeadReaderHeader.byteCount)
        var numbers: [HeadReaderHeader.Field: [Float]] = [:]
        for field in HeadReaderHeader.Field.allCases {
            let count = header.count(field)
            guard count <= rest.count / 4 else { return }
            numbers[field] = HeadInputs.floats(rest.prefix(4 * count))
            rest = rest.dropFirst(4 * count)
        }
        do throws(HeadSetError) {
            let set = try HeadFileTable(header, numbers).measurements(named: "fuzzed")
            // To hear it takes a hundred times as long as to check it.
            if bytes.reduce(UInt8(0), &+) % 8 == 0 { HeadInputs.check(set) }
        } catch {
            precondition(error.set == "fuzzed" && !error.reason.isEmpty, "a refusal without a name or a reason")
        }
    }
}

private enum HeadInputs {
    /// The bytes of KEMAR's file; none if it is not installed.
    static let kemar: [UInt8] = {
        let file = open(HeadFile.standardPath, O_RDONLY)
        defer { close(file) }
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }()

    static func damaged(_ script: FuzzScript) -> [UInt8] {
        var (script, bytes) = (script, kemar)
        let left = Int(script.byte()) << 8 | Int(script.byte())
        bytes.removeLast((65_535 - left) * bytes.count / 65_536)
        while !script.isAtEnd, !bytes.isEmpty {
            let place = Int(script.byte()) << 16 | Int(script.byte()) << 8 | Int(script.byte())
            bytes[place % bytes.count] = script.byte()
        }
        return bytes
    }

    static func floats(_ bytes: ArraySlice<UInt8>) -> [Float] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map { start in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) })
        }
    }

    /// Hears a head that was accepted from all sides: no sample may be loud, or NaN.
    static func check(_ set: HeadMeasurements) {
        precondition(set.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite })
        guard let responses = try? HeadResponses(set, sampleRate: 48_000, level: .diffuse) else { return }
        for direction in EvenDirections.spiral(20) {
            for sample in responses.response(at: SIMD3<Float>(direction)).joined() {
                precondition(sample.isFinite && abs(sample) < 1000, "a sample of \(sample)")
            }
        }
    }

    /// A small head, as a process sends it: an impulse at each ear, from six sides.
    static let table: [UInt8] = {
        let arrays: [[Float]] = [
            [0, 0, 1, 90, 0, 1, 180, 0, 1, 270, 0, 1, 0, 90, 1, 0, -90, 1], [0, 0, 0], [1, 0, 0], [0, 0, 1],
            [0, 0.09, 0, 0, -0.09, 0], [48_000], [1, 2], (0..<48).map { $0 % 4 == 0 ? 1 : 0 },
        ]
        let types = ["spherical", "cartesian", "cartesian", "cartesian", "cartesian", "", "", ""]
        let numbers = [2, 0, 1, 3, 2, 1, 4, 6] + arrays.map { UInt32($0.count) }
        return numbers.flatMap(word) + (types + types.map { _ in "" } + ["SimpleFreeFieldHRIR", "FIR"]).flatMap(text)
            + arrays.joined().flatMap { word($0.bitPattern) }
    }()

    private static func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    private static func text(_ text: String) -> [UInt8] { Array((Array(text.utf8) + [UInt8](repeating: 0, count: 64)).prefix(64)) }
}
