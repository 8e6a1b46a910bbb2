// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Reads the poses of a head from a text file. Control thread.

import AudioGraph
import PluginHosting

/// The poses of a head in a text file, a row of numbers for each.
///
/// A row has a time in seconds, and then yaw, pitch and roll in degrees, or the four numbers of a quaternion, of which the real part is
/// the first. Spaces, tabs, commas and semicolons separate numbers. Empty lines, and what follows `#`, do not count.
package struct HeadPoseFile: Hashable, Sendable {
    /// A row.
    package struct Row: Hashable, Sendable {
        package let seconds: Double
        package let orientation: Audio3DAngularOrientation
    }

    /// The reason why a file is refused.
    package struct Defect: Error, Hashable {
        /// The line of the file, from 1 on; nil if the reason concerns all of it.
        package let line: Int?
        /// The reason, as the end of a sentence.
        package let reason: String
    }

    /// The most rows, half an hour at 500 a second.
    static let maximumRowCount = 1_000_000
    private static let maximumByteCount = 128 << 20
    private static let separators: Set<UInt8> = [0x20, 0x09, 0x0D, 0x2C, 0x3B]

    /// The rows, in the order of their times.
    package let rows: [Row]

    /// Reads a file.
    package init(path: String) throws(Defect) {
        let bytes: [UInt8]
        do throws(FileDefect) {
            bytes = try SmallFile.bytes(path, maximumByteCount: Self.maximumByteCount)
        } catch {
            throw Defect(line: nil, reason: error.reason)
        }
        try self.init(text: bytes)
    }

    /// Reads the bytes of a file.
    init(text bytes: [UInt8]) throws(Defect) {
        var (rows, columnCount, number): ([Row], Int?, Int) = ([], nil, 0)
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let words = line.prefix { $0 != 0x23 }.split(whereSeparator: Self.separators.contains)
            guard !words.isEmpty else { continue }
            guard columnCount ?? words.count == words.count else {
                throw Defect(line: number, reason: "it has \(words.count) numbers, and the rows before have \(columnCount ?? 0)")
            }
            columnCount = words.count
            let row = try Self.row(words, line: number)
            if let last = rows.last, row.seconds < last.seconds + GraphDocument.leastSeconds {
                let least = GraphDocument.leastSeconds
                throw Defect(line: number, reason: "its time has to be \(least) s later than that of the row before, at least")
            }
            guard rows.count < Self.maximumRowCount else {
                throw Defect(line: number, reason: "\(Self.maximumRowCount) rows are the most; leave some out")
            }
            rows.append(row)
        }
        guard !rows.isEmpty else { throw Defect(line: nil, reason: "it has no row of numbers") }
        self.rows = rows
    }

    private static func row(_ words: [ArraySlice<UInt8>], line: Int) throws(Defect) -> Row {
        guard words.count == 4 || words.count == 5 else {
            throw Defect(
                line: line, reason: "a row has a time and three angles, or a time and the four numbers of a quaternion")
        }
        var numbers: [Double] = []
        for word in words {
            let text = String(decoding: word, as: UTF8.self)
            guard let number = Double(text), number.isFinite else {
                throw Defect(line: line, reason: "\(GraphDocumentError.quoted(text)) is not a number")
            }
            numbers.append(number)
        }
        guard (0...GraphDocument.longestSeconds).contains(numbers[0]) else {
            throw Defect(line: line, reason: "its time has to be from 0 to \(GraphDocument.longestSeconds) s")
        }
        return Row(seconds: numbers[0], orientation: try orientation(Array(numbers.dropFirst()), line: line))
    }

    private static func orientation(_ numbers: [Double], line: Int) throws(Defect) -> Audio3DAngularOrientation {
        if numbers.count == 4 {
            if let turned = Audio3DAngularOrientation(w: numbers[0], x: numbers[1], y: numbers[2], z: numbers[3]) { return turned }
            throw Defect(line: line, reason: "its quaternion has no length")
        }
        guard numbers.allSatisfy(GraphDocument.degrees.contains) else {
            throw Defect(line: line, reason: "its angles have to be from -360 to 360 degrees")
        }
        return Audio3DAngularOrientation(yaw: Float(numbers[0]), pitch: Float(numbers[1]), roll: Float(numbers[2]))
    }

    /// The turns by frames of the engine's sample time, from a frame on; nil if two rows fall on one frame.
    func motion(from frame: Int64, sampleRate: Double, shape: AudioPath.Shape) -> AudioHeadMotion? {
        let poses = rows.map { row in
            AudioHeadMotion.Pose(
                sampleTime: frame + Int64(Int(nearestFrame: row.seconds * sampleRate)), orientation: row.orientation)
        }
        return AudioHeadMotion(poses, shape: shape)
    }
}
