// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays sound files with AVAudioPlayer, and tells what it sees. The main thread.

import AVFoundation

final class SoundPlayer: NSObject, AVAudioPlayerDelegate, @unchecked Sendable {
    // SAFETY: the main thread alone uses it.
    private var player: AVAudioPlayer!
    private var isFinished = false

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        say("finished \(flag), on the main thread: \(Thread.isMainThread), at \(player.currentTime) s, plays: \(player.isPlaying)")
        isFinished = true
    }

    private func wait(_ seconds: TimeInterval) { RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds)) }

    private func waitForEnd() {
        let deadline = Date(timeIntervalSinceNow: 10)
        while !isFinished, Date() < deadline { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.02)) }
        // What has been rendered has still to reach the device.
        wait(0.3)
    }

    /// Plays a file twice, and shows its meters.
    func loop(_ path: String) throws {
        player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        player.delegate = self
        player.isMeteringEnabled = true
        player.numberOfLoops = 1
        say(
            "\(player.duration) s, \(player.numberOfChannels) channels, \(player.format.sampleRate) Hz, prepared: \(player.prepareToPlay())"
        )
        say("plays: \(player.play())")
        let deadline = Date(timeIntervalSinceNow: 5)
        while player.averagePower(forChannel: 0) < -30, Date() < deadline {
            wait(0.05)
            player.updateMeters()
        }
        wait(0.1)
        player.updateMeters()
        let (average, peak) = (player.averagePower(forChannel: 0), player.peakPower(forChannel: 1))
        say(String(format: "meters %.1f dB %.1f dB", average, peak))
        waitForEnd()
    }

    /// Pauses, goes on, jumps, and stops.
    func move(_ path: String) throws {
        player = try AVAudioPlayer(data: Data(contentsOf: URL(fileURLWithPath: path)))
        player.volume = 0.5
        player.play()
        while player.currentTime < 0.1 { wait(0.01) }
        player.pause()
        wait(0.05)
        let paused = player.currentTime
        wait(0.2)
        say("paused: \(player.currentTime == paused), plays: \(player.isPlaying)")
        player.play()
        wait(0.2)
        say("goes on: \(player.currentTime > paused), plays: \(player.isPlaying)")
        player.currentTime = 5
        wait(0.2)
        say("jumped: \(player.currentTime > 5 && player.currentTime < 5.5), plays: \(player.isPlaying)")
        player.stop()
        let stopped = player.currentTime
        wait(0.1)
        say("stopped: \(player.currentTime == stopped && stopped > 5), plays: \(player.isPlaying)")
        player.currentTime = 7
        say("moved: \(abs(player.currentTime - 7) < 0.001)")
        player.play()
        wait(0.2)
        say("begins there: \(player.currentTime > 7 && player.currentTime < 7.5)")
        // It falls silent when it is let go.
        player = nil
        wait(0.2)
        say("gone")
    }

    /// Plays a file at twice its pace.
    func hurry(_ path: String) throws {
        player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        player.delegate = self
        player.enableRate = true
        player.rate = 2
        player.play()
        waitForEnd()
    }

    /// Plays the begin of a file softer and softer.
    func fade(_ path: String) throws {
        player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        player.play()
        while player.currentTime < 0.1 { wait(0.01) }
        player.setVolume(0, fadeDuration: 1)
        wait(1.2)
        say(String(format: "volume %.2f", player.volume))
        player.stop()
    }

    /// Plays a file again and again, while PipeWire ends and begins.
    func survive(_ path: String) throws {
        player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        player.numberOfLoops = -1
        let (center, session) = (NotificationCenter.default, AVAudioSession.sharedInstance())
        let loss = center.addObserver(
            forName: AVAudioSession.mediaServicesWereLostNotification, object: session, queue: nil
        ) { _ in say("lost") }
        let reset = center.addObserver(
            forName: AVAudioSession.mediaServicesWereResetNotification, object: session, queue: nil
        ) { _ in
            let deadline = Date(timeIntervalSinceNow: 5)
            while session.currentRoute.outputs.isEmpty, Date() < deadline { Thread.sleep(forTimeInterval: 0.05) }
            say("reset, plays to \(session.currentRoute.outputs.map(\.portName))")
        }
        say("plays: \(player.play())")
        while readLine() != nil {}
        center.removeObserver(loss)
        center.removeObserver(reset)
    }

    /// Plays a file for ever, then once more.
    func endLoop(_ path: String) throws {
        player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        player.delegate = self
        player.numberOfLoops = -1
        player.play()
        wait(1.2)
        say("plays on: \(player.isPlaying && !isFinished)")
        player.numberOfLoops = 0
        waitForEnd()
    }
}
