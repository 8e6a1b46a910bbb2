// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Records with AVAudioRecorder and with taps, and tells what it hears. The main thread.

import AVFoundation

final class SoundRecorder: NSObject, AVAudioRecorderDelegate, @unchecked Sendable {
    // SAFETY: the main thread alone uses it, and a lock protects the level, which the tap's thread writes.
    private var recorder: AVAudioRecorder!
    private var isFinished = false
    private let lock = NSLock()
    private var lastLevel: Float = 0

    /// The level of the last buffer of the tap.
    private var level: Float {
        get { lock.withLock { lastLevel } }
        set { lock.withLock { lastLevel = newValue } }
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        say("finished \(flag), on the main thread: \(Thread.isMainThread), records: \(recorder.isRecording)")
        isFinished = true
    }

    private func wait(_ seconds: TimeInterval) { RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds)) }

    private func wait(until isOver: () -> Bool) {
        let deadline = Date(timeIntervalSinceNow: 10)
        while !isOver(), Date() < deadline { wait(0.02) }
    }

    private func open(_ path: String) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
        ]
        recorder = try AVAudioRecorder(url: URL(fileURLWithPath: path), settings: settings)
        recorder.delegate = self
        recorder.isMeteringEnabled = true
    }

    /// Records for 0.8 seconds.
    func record(_ path: String) throws {
        try open(path)
        say("prepared: \(recorder.prepareToRecord()), records: \(recorder.record(forDuration: 0.8))")
        wait(until: { recorder.currentTime > 0.4 })
        recorder.updateMeters()
        say(String(format: "meters %.1f dB", recorder.averagePower(forChannel: 0)))
        wait(until: { isFinished })
    }

    /// Records, pauses, records again, and stops.
    func recordTwice(_ path: String) throws {
        try open(path)
        recorder.record()
        wait(until: { recorder.currentTime > 0.2 })
        recorder.pause()
        let paused = recorder.currentTime
        wait(0.3)
        say("paused: \(recorder.currentTime == paused), records: \(recorder.isRecording)")
        recorder.record()
        wait(until: { recorder.currentTime > paused + 0.2 })
        say("goes on: \(recorder.isRecording)")
        recorder.stop()
        let file = try AVAudioFile(forReading: recorder.url)
        let seconds = Double(file.length) / file.fileFormat.sampleRate
        say(
            "complete: \(abs(seconds - recorder.currentTime) < 0.0001 && seconds > 0.4 && seconds < 1), records: \(recorder.isRecording)"
        )
        wait(until: { isFinished })
        say("deleted: \(recorder.deleteRecording())")
        do {
            _ = try AVAudioRecorder(url: recorder.url, settings: [AVFormatIDKey: Int(kAudioFormatMPEG4AAC)])
        } catch {
            say("refused: \(error.localizedDescription)")
        }
    }

    /// Lets a recorder go while it records.
    func abandon(_ path: String) throws {
        try open(path)
        recorder.record()
        wait(until: { recorder.currentTime > 0.3 })
        recorder = nil
        say("abandoned: \(try AVAudioFile(forReading: URL(fileURLWithPath: path)).length > 13_000)")
    }

    /// Records where there is no source.
    func recordNothing() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("nothing-\(UUID().uuidString).wav").path
        try open(path)
        say("records: \(recorder.record())")
        recorder = nil
        try FileManager.default.removeItem(atPath: path)
    }

    /// Taps the input while the engine is idle, or while it runs.
    func listen(isRunning: Bool) throws {
        let engine = AVAudioEngine()
        engine.mainMixerNode.outputVolume = 0
        if isRunning {
            try engine.start()
            wait(0.2)
        }
        let input = engine.inputNode
        input.installTap(onBus: 0, bufferSize: 1024, format: input.outputFormat(forBus: 0)) { [weak self] buffer, _ in
            guard let self, let samples = buffer.floatChannelData?[0] else { return }
            var peak: Float = 0
            for frame in 0..<Int(buffer.frameLength) { peak = max(peak, abs(samples[frame])) }
            self.level = peak
        }
        if !isRunning {
            engine.prepare()
            try engine.start()
        }
        say("listens: \(engine.isRunning)")
        wait(until: { level > 0.2 })
        say(String(format: "hears %.2f", level))
        try AVAudioApplication.shared.setInputMuted(true)
        wait(until: { level == 0 })
        say(String(format: "muted %.2f", level))
        input.removeTap(onBus: 0)
        engine.stop()
    }
}
