// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Opens the sound files of a graph's document, and finds the frames of their parts. Control thread.

import AudioFiles
import AudioFormats
import AudioGraph
import LinuxSystem
import PluginHosting

/// A part of an open file.
struct OpenedPiece: Sendable {
    let file: AudioFile
    /// The frames of the file, at its own rate.
    let start: Int64
    let frameCount: Int
    let piece: GraphDocument.Piece

    /// The seconds of the part, without repeats.
    var seconds: Double { Double(frameCount) / file.fileFormat.sampleRate }
}

extension GraphDocument {
    /// Opens the files of all players; each player has its own, because each reads at its own position.
    ///
    /// The keys are the players' places among the nodes. Players at places that are not chosen are left out.
    func openedFiles(at isChosen: (Int) -> Bool = { _ in true }) throws(GraphDocumentError) -> [Int: [OpenedPiece]] {
        var opened: [Int: [OpenedPiece]] = [:]
        for (place, node) in nodes.enumerated() where isChosen(place) {
            guard case .player(let player) = node.kind else { continue }
            var files: [ExactPath: AudioFile] = [:]
            var pieces: [OpenedPiece] = []
            for piece in player.files {
                let path = path(of: piece)
                let file: AudioFile
                if let known = files[ExactPath(path)] { file = known } else { file = try Self.opened(path, of: node.id) }
                files[ExactPath(path)] = file
                pieces.append(try Self.piece(piece, of: file, node.id))
            }
            opened[place] = try Self.ordered(pieces, of: node.id)
        }
        return opened
    }

    /// The paths of all files that it names: sound, MIDI, heads, poses.
    package var namedFiles: [String] {
        let played = nodes.flatMap { node in
            guard case .player(let player) = node.kind else { return [String]() }
            return player.files.map { path(of: $0) }
        }
        let listeners = nodes.flatMap { node in
            guard case .environment(let environment) = node.kind else { return [String]() }
            return [environment.head, environment.headPoses?.path].compactMap { $0.map { path(from: $0) } }
        }
        return played + listeners + (midi?.files ?? []).map { path(of: $0) }
    }

    /// The sample rate of the first file; nil if no player has one.
    package func firstFileRate() throws(GraphDocumentError) -> Double? {
        for node in nodes {
            guard case .player(let player) = node.kind, let piece = player.files.first else { continue }
            return try Self.opened(path(of: piece), of: node.id).fileFormat.sampleRate
        }
        return nil
    }

    /// The first channel layout with this many channels among the players' first files; nil if there is none.
    package func firstFileLayout(of channelCount: Int) throws(GraphDocumentError) -> ChannelLayout? {
        for node in nodes {
            guard case .player(let player) = node.kind, let piece = player.files.first else { continue }
            let format = try Self.opened(path(of: piece), of: node.id).fileFormat
            if let layout = format.layout, layout.channelCount == channelCount { return layout }
        }
        return nil
    }

    private static func opened(_ path: String, of node: String) throws(GraphDocumentError) -> AudioFile {
        let file: AudioFile
        do throws(AudioFileError) {
            file = try AudioFile(forReading: path)
        } catch {
            throw .soundFile(node: node, error)
        }
        guard FilePath.isOrdinary(FilePath.resolved(path) ?? path) else {
            throw .soundPart(node: node, path: path, reason: "a graph can name regular files only")
        }
        return file
    }

    private static func piece(
        _ piece: Piece, of file: AudioFile, _ node: String
    ) throws(GraphDocumentError) -> OpenedPiece {
        let (rate, length) = (file.fileFormat.sampleRate, Double(file.length))
        let start = (piece.from * rate).rounded()
        let count = piece.length.map { ($0 * rate).rounded() } ?? length - start
        guard start < length, count > 0, start + count <= length else {
            let end = piece.length.map { " to \(piece.from + $0)" } ?? ""
            let reason = "it has \(length / rate) seconds, and the part goes from \(piece.from)\(end); choose one inside"
            throw .soundPart(node: node, path: piece.path, reason: reason)
        }
        return OpenedPiece(file: file, start: Int64(start), frameCount: Int(count), piece: piece)
    }

    /// The parts in the order of their times, each with those that follow it; throws for a part that begins before another one ends.
    ///
    /// A player plays one part at a time. A part may begin within the last frame of the one before.
    private static func ordered(_ pieces: [OpenedPiece], of node: String) throws(GraphDocumentError) -> [OpenedPiece] {
        var groups: [(start: Double, pieces: [OpenedPiece])] = []
        for piece in pieces {
            if let start = piece.piece.start ?? (groups.isEmpty ? 0 : nil) {
                groups.append((start, [piece]))
            } else {
                groups[groups.count - 1].pieces.append(piece)
            }
        }
        // A stable order: parts of one time stay in that of the document, and the second one is refused.
        groups = groups.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        var end = 0.0
        for (start, pieces) in groups {
            if let first = pieces.first, start < end - 1 / first.file.fileFormat.sampleRate {
                throw .soundPart(node: node, path: first.piece.path, reason: overlap(start, end))
            }
            end = pieces.reduce(max(end, start)) { $0 + ($1.piece.loops ? .infinity : $1.seconds * Double($1.piece.repeats)) }
        }
        return groups.flatMap(\.pieces)
    }

    private static func overlap(_ start: Double, _ end: Double) -> String {
        let former = end < .infinity ? "plays until \((end * 1000).rounded() / 1000) s" : "is repeated for ever"
        return "it begins at \(start) s, and a part before it \(former); choose a later \"at\", or give it a player of its own"
    }

    /// The seconds from a player's start to the end of its last part; a loop counts once.
    static func seconds(of pieces: [OpenedPiece]) -> Double {
        var (now, end) = (0.0, 0.0)
        for piece in pieces {
            now = max(now, piece.piece.start ?? 0) + piece.seconds * Double(piece.piece.repeats)
            end = max(end, now)
        }
        return end
    }
}
