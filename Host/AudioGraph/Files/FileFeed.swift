// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The pieces of files that a player will play, in order, and their stream, read ahead. Any thread but the render thread.

import AudioFiles
import AudioFormats
import LinuxSystem
import Synchronization

/// Makes one stream of the pieces of files that a player will play.
final class FileFeed: @unchecked Sendable {
    // SAFETY: only the thread that has set `isBusy` uses `pieces`, `run` and `last`.
    let channelCount: Int
    let sampleRate: Double
    private let player: PlayerSource
    private let isBusy = Atomic<Bool>(false)
    private let arrivals = Mutex(Arrivals())
    /// The pieces that are not yet read to their end, or not yet played to it.
    private var pieces: [FilePiece] = []
    private var run: FileRun?
    /// The piece that received the last frames.
    private var last: FilePiece?
    /// True if the run waits for the next piece to be known.
    private var isHeld = false

    private struct Arrivals {
        var pieces: [FilePiece] = []
        /// The exact end of the newest piece and its end in whole frames, both since the sound last began anew.
        var (end, boundary) = (0.0, 0)
    }

    /// The number of frames made in one step.
    private static let stepFrameCount = 8192
    /// The seconds that are read ahead, and the seconds before the end of the known pieces at which the end is made without waiting.
    private static let (most, least) = (2.0, 0.1)

    /// The longest wait of `begin` for a thread that reads, in nanoseconds.
    private static let patience: UInt64 = 250_000_000

    /// Makes a feed of a player, whose orders tell how much of it has been used up.
    init(channelCount: Int, sampleRate: Double, player: PlayerSource) {
        (self.channelCount, self.sampleRate, self.player) = (channelCount, sampleRate, player)
    }

    /// Adds a piece behind the others; nil without memory.
    ///
    /// With `continues` it goes on where they end.
    func append(_ file: AudioFile, from start: Int, _ frameCount: Int, continues: Bool) -> FilePiece? {
        arrivals.withLock { arrivals in
            if !continues { (arrivals.end, arrivals.boundary) = (0, 0) }
            let begin = (truth: arrivals.end, frame: arrivals.boundary)
            arrivals.end += Double(frameCount) * sampleRate / file.fileFormat.sampleRate
            arrivals.boundary = Int(nearestFrame: arrivals.end)
            let piece = FilePiece(
                file, from: start, frameCount, continues: continues, offset: Double(begin.frame) - begin.truth,
                length: arrivals.boundary - begin.frame, channelCount: channelCount, sampleRate: sampleRate, bell: FileReaders.bell)
            if let piece { arrivals.pieces.append(piece) }
            return piece
        }
    }

    /// Reads the beginning of the added piece, if that comes next, and starts to read the rest ahead.
    ///
    /// If no thread can read ahead, the pieces end early, and their completions say why.
    func begin(_ readers: FileReaders = .shared) {
        // A thread that reads an unwanted piece releases the feed soon, unless its disk is slow.
        let deadline = MonotonicClock.now() + Self.patience
        var isMine = claim()
        while !isMine, MonotonicClock.now() < deadline {
            Futex.pause(microseconds: 100)
            isMine = claim()
        }
        if isMine {
            if let ahead = framesAhead(), Double(ahead) < Self.least * sampleRate { step() }
            release()
        }
        readers.serve(self)
    }

    /// Ends all pieces where they have been read to: no thread reads them.
    func fail(_ error: SystemError) {
        while !claim() { Futex.pause(microseconds: 100) }
        defer { release() }
        takeArrivals()
        for piece in pieces where !piece.isReady {
            piece.fail(.system(path: piece.file.path, act: .read, code: error.code))
            piece.frames.pointee.shorten(to: piece.frames.pointee.written.load(ordering: .relaxed))
        }
        run = nil
        last = nil
    }

    // MARK: Claims

    func claim() -> Bool { !isBusy.exchange(true, ordering: .acquiringAndReleasing) }
    func release() { isBusy.store(false, ordering: .releasing) }

    /// True if nothing is left to read or to play.
    var isEmpty: Bool {
        takeArrivals()
        return pieces.isEmpty
    }

    /// The number of frames that are ready ahead of the player; nil if there is nothing to do now.
    func framesAhead() -> Int? {
        takeArrivals()
        let ahead = pieces.reduce(0) { $0 + $1.frames.pointee.ahead }
        guard Double(ahead) < Self.most * sampleRate, let piece = pieces.first(where: { !$0.isReady }) else { return nil }
        let room = piece.frames.pointee.room
        guard room >= Self.stepFrameCount / 2 || room == piece.remainingCount else { return nil }
        return isHeld && !isDue(piece, ahead) ? nil : ahead
    }

    private func isDue(_ piece: FilePiece, _ ahead: Int) -> Bool {
        // A player that takes many frames at once would come to the end before the next look.
        let demand = pieces.reduce(0) { max($0, $1.frames.pointee.demand.load(ordering: .relaxed)) }
        return max(Self.least * sampleRate, Double(3 * demand)) > Double(ahead)
            && player.orders.pointee.isPlaying.load(ordering: .relaxed)
            || piece.frames.pointee.isAwaited.load(ordering: .acquiring)
    }

    /// Returns true if the run will go on to a piece, or has read it already.
    private func runHolds(_ piece: FilePiece, at place: Int) -> Bool {
        guard run?.isClosed == true, let reading = run?.reading else { return true }
        return (pieces.firstIndex { $0 === reading } ?? -1) >= place
    }

    /// Makes some frames.
    func step() {
        takeArrivals()
        guard let place = pieces.firstIndex(where: { !$0.isReady }) else { return }
        let piece = pieces[place]
        isHeld = false
        if piece !== last, run != nil, !piece.continues || run?.rate != piece.sampleRate || !runHolds(piece, at: place) {
            run = nil
        }
        do throws(AudioFileError) {
            if run == nil {
                run = try FileRun(piece, channelCount: channelCount, sampleRate: sampleRate)
                // This piece begins after silence if its predecessor can no longer be read.
                if piece.continues, let last { try? run?.begin(after: last) }
            }
            last = piece
            let ahead = pieces.reduce(0) { $0 + $1.frames.pointee.ahead }
            let count = min(piece.frames.pointee.room, Self.stepFrameCount)
            switch run?.make(count, for: piece, among: Array(pieces[place...]), isDue: isDue(piece, ahead)) {
            case .made: break
            case .failed(let error): throw error
            case .held, nil: isHeld = true
            }
        } catch {
            piece.fail(error)
            piece.frames.pointee.shorten(to: 0)
            run = nil
            last = nil
        }
    }

    private func takeArrivals() {
        let new = arrivals.withLock { arrivals in
            defer { arrivals.pieces = [] }
            return arrivals.pieces
        }
        pieces += new
        if !new.isEmpty { isHeld = false }
        guard pieces.contains(where: \.isOver) else { return }
        // A piece that was stopped in the middle ends its run.
        if pieces.contains(where: { $0.isOver && !$0.isReady }) {
            run = nil
            last = nil
        }
        pieces.removeAll(where: \.isOver)
        isHeld = false
    }
}
