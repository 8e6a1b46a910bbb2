// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Renders a MIDI file through instruments and effects into a sound file. Main thread.

import AudioFiles
import AudioFormats
import AudioGraph
import PluginHosting

extension FileRender {
    /// The rate for songs, which have none of their own, without --rate.
    private static let usualRate = 48_000.0

    /// Renders a MIDI file in the same way as a sound file.
    func runSong(_ path: String, into output: String, observe: (Facts) -> Void) throws {
        let song = try MIDISongFile(path: path)
        try prepare(path, output)
        let rate = offline.wishes.sampleRate ?? AudioFileWriter.rate(nearest: Self.usualRate, path: output)
        let format = AudioFormat(sampleRate: rate, channelCount: 2)
        let started = try startedChain(for: output, rate, playedBy: .song(path: path), [song])
        let session = try OfflineSession(into: output, format, blockSize: offline.blockSize)
        try render(try started.graph(in: session), SongSource(song, sampleRate: rate), in: session, like: nil, observe)
    }
}

/// The frames of a song, up to the end of its longest track.
struct SongSource: OfflineSource {
    let frameCount: Int
    let isAudible: Bool
    var invalidSampleCount: Int { 0 }

    init(_ song: MIDISongFile, sampleRate: Double) {
        frameCount = Int(nearestFrame: (song.seconds * sampleRate).rounded(.up))
        isAudible = song.hasNotes
    }

    func throwFailure() throws {}

    func settle() throws {}
}
