// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a stream through an equalizer while it is decoded; three pieces always wait. Main thread.

import AudioFiles
import AudioGraph
import Dispatch
import Glibc
import PipeWireIO

/// Plays a stream through a low shelf and a band.
final class StreamingEqualizer {
    let engine = AudioEngine()
    private let player = AudioPlayerNode()
    private let equalizer = AudioUnitEQ(numberOfBands: 2)
    private let stream: any SoundStream
    /// One signal for each piece that may be scheduled.
    private let room = DispatchSemaphore(value: StreamingEqualizer.waitingCount)
    private var isAtEnd = false
    /// The frames that have been scheduled.
    private(set) var scheduledCount = 0

    /// The pieces that wait.
    static let waitingCount = 3

    init(_ stream: any SoundStream) { self.stream = stream }

    func begin() throws {
        let (shelf, band) = (equalizer.bands[0], equalizer.bands[1])
        (shelf.filterType, shelf.frequency, shelf.gain, shelf.bypass) = (.lowShelf, 150, -12, false)
        (band.filterType, band.frequency, band.bandwidth, band.gain, band.bypass) = (.parametric, 1000, 1, 9, false)
        engine.attach(player)
        engine.attach(equalizer)
        try engine.connect(player, to: equalizer, format: stream.format)
        try engine.connect(equalizer, to: engine.mainMixerNode, format: stream.format)
        for _ in 0..<Self.waitingCount { try scheduleNext() }
        try engine.start()
        player.play()
    }

    /// Decodes the next piece, waits until there is room for it, and schedules it.
    ///
    /// False at the end of the stream.
    @discardableResult
    func scheduleNext() throws -> Bool {
        guard !isAtEnd, let piece = try stream.next() else {
            isAtEnd = true
            return false
        }
        room.wait()
        try player.scheduleBuffer(piece) { [room] _ in room.signal() }.get()
        scheduledCount += piece.frameLength
        return true
    }
}

extension StreamingEqualizer {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) async {
        guard words.count == 1 || words.count == 2 else {
            print(
                "usage: StreamingEqualizer FILE|- [OUTPUT]\n- is standard input: raw 16-bit stereo at 48 kHz. Without OUTPUT it plays."
            )
            exit(2)
        }
        do {
            let stream: any SoundStream = words[0] == "-" ? RawStream() : try FileStream(path: words[0])
            try await run(stream, words.count > 1 ? words[1] : nil)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    /// Plays until the stream has ended and all its pieces have been heard, or renders them into a file.
    static func run(_ stream: any SoundStream, _ output: String?) async throws {
        let example = StreamingEqualizer(stream)
        let (rate, channelCount) = (stream.format.sampleRate, stream.format.channelCount)
        guard let output else {
            try example.begin()
            while try example.scheduleNext() {}
            let rest = StreamingEqualizer.waitingCount * pieceFrameCount
            try await Task.sleep(nanoseconds: UInt64((Double(rest) / rate + 0.2) * 1e9))
            return example.engine.stop()
        }
        try example.engine.enableManualRenderingMode(.offline, format: stream.format, maximumFrameCount: 512)
        try example.begin()
        let writer = try AudioFileWriter(path: output, sampleRate: rate, channelCount: channelCount)
        guard let block = AudioPCMBuffer(pcmFormat: stream.format, frameCapacity: 512) else { return }
        while true {
            // Offline rendering waits for the stream, where a sound card would not.
            while example.scheduledCount - writer.frameCount <= (StreamingEqualizer.waitingCount - 1) * pieceFrameCount,
                try example.scheduleNext()
            {}
            let left = example.scheduledCount - writer.frameCount
            guard left > 0 else { break }
            try example.engine.renderOffline(min(512, left), to: block)
            try writer.write(block)
        }
        example.engine.stop()
        try writer.finish()
        print("Rendered \(writer.frameCount) frames into \(output).")
    }
}
