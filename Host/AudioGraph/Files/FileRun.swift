// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Decodes successive pieces of files of one rate, as one stream at the player's rate. One reading thread at a time.

import AudioFiles
import AudioFormats
import RateConversion
import Realtime

/// Successive pieces of one rate, as one stream at the player's rate.
///
/// Inside a run there is no seam: the converter hears one sound. At the boundary to a run of another rate, each run hears the other one
/// converted to its own rate (`RateSeam`).
struct FileRun: ~Copyable {
    /// The outcome of an attempt to make frames.
    enum Progress {
        case made(Int)
        /// The end is held back until the next piece is known.
        case held
        /// The file failed; the piece ends early.
        case failed(AudioFileError)
    }

    let rate: Double
    private let channelCount: Int
    private let ratio: Double
    private var stream: RateStream?
    /// The frames that the converter puts out before the run begins.
    private var surplus = 0
    /// The piece that is read at present, and its next frame.
    private(set) var reading: FilePiece
    private var nextFrame = 0
    /// The frames at the files' rate that the converter has not taken in yet.
    private var input: AudioBuffer
    private var (inputStart, inputCount) = (0, 0)
    private var output: AudioBuffer
    private var scratch = FileScratch()
    /// True if no more is read: silence follows.
    private(set) var isClosed = false

    private static let quality = RateQuality.best
    private static let pieceFrameCount = 2048

    /// Begins a run with a piece.
    init(_ piece: FilePiece, channelCount: Int, sampleRate: Double) throws(AudioFileError) {
        let made = try Self.stream(for: piece, channelCount, to: sampleRate)
        rate = piece.sampleRate
        ratio = sampleRate / rate
        reading = piece
        self.channelCount = channelCount
        output = AudioBuffer(channelCount: channelCount, frameCapacity: Self.pieceFrameCount)
        stream = made
        let reach = RateStream.lookahead(ratio: ratio, quality: Self.quality)
        input = AudioBuffer(channelCount: channelCount, frameCapacity: max(Self.pieceFrameCount, 2 * reach + 1024))
    }

    /// Returns the converter for a piece; nil if its rate needs no conversion.
    private static func stream(
        for piece: FilePiece, _ channelCount: Int, to sampleRate: Double
    ) throws(AudioFileError) -> RateStream? {
        let rate = piece.sampleRate
        guard rate != sampleRate else { return nil }
        do throws(RateConversionError) {
            return try RateStream(channelCount: channelCount, from: rate, to: sampleRate, quality: quality)
        } catch {
            throw .resampling(path: piece.file.path, fromHertz: rate, toHertz: sampleRate, reason: error.reason)
        }
    }

    /// Feeds the end of the former piece to the converter, before any frame is made; the sound goes on from there.
    ///
    /// The number of frames is chosen so that the run begins nearest to its true position. Throws if that piece cannot be read any more;
    /// then the run begins out of silence.
    mutating func begin(after last: FilePiece) throws(AudioFileError) {
        guard stream != nil else { return }
        let reach = RateStream.lookahead(ratio: ratio, quality: Self.quality)
        func start(_ count: Int) -> Double { Double(count) * ratio + reading.offset }
        func distance(_ count: Int) -> Double { abs(start(count) - start(count).rounded()) }
        let counts = reach..<min(reach + 1024, input.frameCapacity)
        guard let count = counts.min(by: { (distance($0), $0) < (distance($1), $1) }) else { return }
        let isSame = last.sampleRate == rate
        let past =
            isSame
            ? try samples(of: last, from: max(0, last.frameCount - count), count).map {
                [Float](repeating: 0, count: count - $0.count) + $0
            }
            : try seam(last, reading, future: 0, past: count).past
        // Cannot trap: a frame of the input buffer.
        surplus = Int(start(count).rounded())
        fill(past, count)
    }

    /// Computes the sound on the other side of a seam, one array a channel.
    private mutating func seam(
        _ before: FilePiece, _ after: FilePiece, future: Int, past: Int
    ) throws(AudioFileError) -> (future: [[Float]], past: [[Float]]) {
        let beforeCount = RateSeam.reach(past, at: after.sampleRate, of: before.sampleRate)
        let afterCount = RateSeam.reach(future, at: before.sampleRate, of: after.sampleRate)
        let tail = try samples(of: before, from: max(0, before.frameCount - beforeCount), beforeCount)
        let head = try samples(of: after, from: 0, afterCount)
        return RateSeam(rateBefore: before.sampleRate, rateAfter: after.sampleRate).meet(
            tail, head, futureCount: future, pastCount: past)
    }

    private mutating func samples(of piece: FilePiece, from start: Int, _ count: Int) throws(AudioFileError) -> [[Float]] {
        let buffer = AudioBuffer(channelCount: channelCount, frameCapacity: count)
        let block = buffer.block(frameCount: count)
        let got = try piece.read(from: start, count, into: block, through: &scratch)
        return (0..<channelCount).map { Array(UnsafeBufferPointer(start: block[$0], count: got)) }
    }

    private mutating func fill(_ samples: [[Float]], _ count: Int) {
        let block = input.block(frameCount: count)
        for channel in 0..<channelCount {
            for frame in 0..<count { block[channel][frame] = frame < samples[channel].count ? samples[channel][frame] : 0 }
        }
        (inputStart, inputCount) = (0, count)
    }

    /// Makes up to `count` frames for `piece`; fewer only at a failure or while the end is held back.
    ///
    /// `pieces` are successive ones, from `piece` on. With `isDue` nothing is held back.
    mutating func make(_ count: Int, for piece: FilePiece, among pieces: [FilePiece], isDue: Bool) -> Progress {
        var made = 0
        do throws(AudioFileError) {
            while made < count {
                let step = stream == nil ? try copy(count - made, for: piece) : convert(count - made, for: piece, pieces, isDue)
                guard step > 0 else { return made > 0 ? .made(made) : .held }
                made += step
            }
            return .made(made)
        } catch {
            return .failed(error)
        }
    }

    /// Copies frames that have the player's own rate.
    private mutating func copy(_ count: Int, for piece: FilePiece) throws(AudioFileError) -> Int {
        let block = output.block(frameCount: min(count, Self.pieceFrameCount))
        let start = piece.frames.pointee.written.load(ordering: .relaxed)
        let got = try piece.read(from: start, block.frameCount, into: block, through: &scratch)
        guard got > 0 else { throw truncation(of: piece, at: start) }
        piece.frames.pointee.write(block, from: 0, got)
        return got
    }

    private mutating func convert(
        _ count: Int, for piece: FilePiece, _ pieces: [FilePiece], _ isDue: Bool
    ) -> Int {
        while true {
            if inputCount == 0, !refill(piece, pieces, isDue) { return 0 }
            let block = output.block(frameCount: Self.pieceFrameCount)
            let room = surplus > 0 ? min(surplus, Self.pieceFrameCount) : min(count, Self.pieceFrameCount)
            guard
                let step = stream?.convert(
                    input.block(frameCount: inputCount).channels, from: inputStart, inputCount, to: block.channels, from: 0, room)
            else { return 0 }
            inputStart += step.taken
            inputCount -= step.taken
            if surplus > 0 {
                surplus -= step.made
            } else if step.made > 0 {
                piece.frames.pointee.write(block, from: 0, step.made)
                return step.made
            }
        }
    }

    /// Reads the next frames; false if they are held back.
    private mutating func refill(_ piece: FilePiece, _ pieces: [FilePiece], _ isDue: Bool) -> Bool {
        while !isClosed {
            if nextFrame < reading.frameCount {
                if read(for: piece) { return true }
                break
            }
            let place = pieces.firstIndex { $0 === reading }
            guard let next = pieces.dropFirst(place.map { $0 + 1 } ?? 0).first else {
                guard isDue else { return false }
                break
            }
            guard next.continues else { break }
            guard next.sampleRate == rate else {
                let reach = RateStream.lookahead(ratio: ratio, quality: Self.quality)
                // A file that cannot be read fails when its turn comes.
                guard let future = try? seam(reading, next, future: reach, past: 0).future else { break }
                fill(future, reach)
                isClosed = true
                return true
            }
            (reading, nextFrame) = (next, 0)
        }
        isClosed = true
        fill([[Float]](repeating: [], count: channelCount), Self.pieceFrameCount)
        return true
    }

    /// Reads frames of the file; false if there are no more, though there should be.
    private mutating func read(for piece: FilePiece) -> Bool {
        do throws(AudioFileError) {
            let block = input.block(frameCount: Self.pieceFrameCount)
            let got = try reading.read(from: nextFrame, Self.pieceFrameCount, into: block, through: &scratch)
            guard got > 0 else { throw truncation(of: reading, at: nextFrame) }
            nextFrame += got
            (inputStart, inputCount) = (0, got)
            return true
        } catch {
            // A file that is read ahead of its turn fails again at its turn.
            guard reading === piece else { return false }
            piece.fail(error)
            piece.frames.pointee.shorten(to: Int(nearestFrame: (Double(nextFrame) * ratio).rounded(.down)))
            return false
        }
    }

    private func truncation(of piece: FilePiece, at frame: Int) -> AudioFileError {
        .truncatedFrames(path: piece.file.path, promised: piece.start + piece.frameCount, present: piece.start + frame)
    }
}
