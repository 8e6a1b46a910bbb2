// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a file in a terminal, optionally at another speed, pitch or tone, and shows its position. Main thread.

import AVFoundation

/// The arguments of the command line.
struct PlayerOptions {
    var path = ""
    var rate: Float = 1
    /// Semitones.
    var pitch: Float = 0
    /// Decibels below 150 Hz.
    var bass: Float = 0
    var volume: Float = 1

    init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("--") else {
                path = word
                continue
            }
            guard let value = words.popFirst().flatMap({ Float($0) }) else { return nil }
            switch word {
            case "--rate": rate = value
            case "--pitch": pitch = value
            case "--bass": bass = value
            case "--volume": volume = value
            default: return nil
            }
        }
        if path.isEmpty { return nil }
    }
}

final class CommandLinePlayer {
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let timePitch = AVAudioUnitTimePitch()
    private let equalizer = AVAudioUnitEQ(numberOfBands: 1)
    private let file: AVAudioFile

    init(_ options: PlayerOptions) throws {
        file = try AVAudioFile(forReading: URL(fileURLWithPath: options.path))
        timePitch.rate = options.rate
        timePitch.pitch = 100 * options.pitch
        let band = equalizer.bands[0]
        band.filterType = .lowShelf
        band.frequency = 150
        band.gain = options.bass
        band.bypass = options.bass == 0
        for node in [player, timePitch, equalizer] { engine.attach(node) }
        engine.connect(player, to: timePitch, format: file.processingFormat)
        engine.connect(timePitch, to: equalizer, format: file.processingFormat)
        engine.connect(equalizer, to: engine.mainMixerNode, format: file.processingFormat)
        engine.mainMixerNode.outputVolume = options.volume
    }

    /// Plays until the last frame has been heard.
    func play() throws {
        let isOver = DispatchSemaphore(value: 0)
        player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in isOver.signal() }
        try engine.start()
        player.play()
        while isOver.wait(timeout: .now() + .milliseconds(250)) == .timedOut { showProgress() }
        player.stop()
        engine.stop()
        print("\nIt is over.")
    }

    private func showProgress() {
        guard let nodeTime = player.lastRenderTime, let playerTime = player.playerTime(forNodeTime: nodeTime) else { return }
        let seconds = Double(playerTime.sampleTime) / playerTime.sampleRate
        let length = Double(file.length) / file.processingFormat.sampleRate
        print(String(format: "\r%.1f of %.1f s", min(seconds, length), length), terminator: "")
        fflush(nil)
    }
}

extension CommandLinePlayer {
    /// Runs with the arguments of a command line.
    static func main(_ words: [String]) {
        guard let options = PlayerOptions(words) else {
            print("usage: CommandLinePlayer FILE [--rate RATE] [--pitch SEMITONES] [--bass DECIBELS] [--volume GAIN]")
            exit(2)
        }
        do {
            try CommandLinePlayer(options).play()
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }
}
