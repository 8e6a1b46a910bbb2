// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// AVAudioPlayer, AVAudioRecorder and the input of an engine, in a PipeWire of their own. Test thread.

import AVFoundation
import PipeWireIO
import TestSupport
import Testing

@Suite(.timed("plays and records in a PipeWire of its own"), .serialized, .timeLimit(.minutes(1))) struct PlayerTests {
    /// Writes a tone of 440 Hz and amplitude 0.5 in two channels.
    private func writeTone(to path: String, seconds: Double, rate: Double) throws {
        let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)!
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(seconds * rate))!
        buffer.frameLength = buffer.frameCapacity
        for frame in 0..<Int(buffer.frameLength) {
            let sample = Float(0.5 * sin(2 * Double.pi * 440 * Double(frame) / rate))
            (buffer.floatChannelData![0][frame], buffer.floatChannelData![1][frame]) = (sample, sample)
        }
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 2]
        let file = try AVAudioFile(forWriting: URL(fileURLWithPath: path), settings: settings)
        try file.write(from: buffer)
        try file.close()
    }

    /// Runs a program that plays a file, and returns its lines and what the sink heard.
    private func play(_ mode: Int, _ name: String, seconds: Double, rate: Double = 48_000) throws -> (lines: [String], heard: Sound)
    {
        let pipeWire = try PrivatePipeWire()
        defer { pipeWire.close() }
        let folder = ScratchFolder()
        try writeTone(to: folder.file("tone.wav"), seconds: seconds, rate: rate)
        let recorder = try PipeWireRecorder(
            sinkName: pipeWire.sinkName, path: folder.file("heard.wav"), environment: pipeWire.environment)
        let program = try RunningProgram(mode, [name, folder.file("tone.wav")], in: pipeWire)
        #expect(program.finish() == 0, "\(program.printed)")
        recorder.stop()
        return (program.printed, Sound(try AVAudioPCMBuffer(contentsOf: folder.file("heard.wav"))))
    }

    @Test(arguments: [5, 6])
    func aPlayerLoopsWithoutASeamAndTellsOfItsEnd(mode: Int) throws {
        // Another rate than the sink's.
        let (lines, heard) = try play(mode, "loop", seconds: 0.5, rate: 44_100)
        #expect(lines.prefix(2) == ["0.5 s, 2 channels, 44100.0 Hz, prepared: true", "plays: true"])
        #expect(lines.last == "finished true, on the main thread: true, at 0.0 s, plays: false")
        // A sine of amplitude 0.5 has −6.0 dB at its peak, and −9.0 dB in the mean.
        #expect(lines.count == 4 && lines[2] == "meters -9.0 dB -6.0 dB", "\(lines)")
        #expect(abs(heard.duration - 1) < 0.03, "\(heard.duration) s")
        #expect(abs(heard.amplitude(of: 440) - 0.5) < 0.01 && heard.amplitude(of: 660) < 0.005)
        // A sine of this amplitude and frequency steps by 0.029.
        #expect(heard.largestStep < 0.04, "\(heard.largestStep)")
    }

    @Test func aPlayerPausesJumpsAndStops() throws {
        let (lines, heard) = try play(6, "move", seconds: 10)
        #expect(
            lines == [
                "paused: true, plays: false", "goes on: true, plays: true", "jumped: true, plays: true",
                "stopped: true, plays: false",
                "moved: true", "begins there: true", "gone",
            ])
        #expect(abs(heard.peak - 0.25) < 0.01)
    }

    @Test func aPlayerAtTwiceThePaceKeepsThePitch() throws {
        let (lines, heard) = try play(5, "hurry", seconds: 2)
        #expect(lines == ["finished true, on the main thread: true, at 0.0 s, plays: false"])
        #expect(abs(heard.duration - 1) < 0.05, "\(heard.amplitude(of: 440)) \(heard.duration) s")
        #expect(heard.amplitude(of: 440) > 0.4 && heard.amplitude(of: 880) < 0.05)
    }

    @Test func loopsCanBeEndedWhileThePlayerPlays() throws {
        let (lines, heard) = try play(6, "end-loop", seconds: 0.5)
        #expect(lines == ["plays on: true", "finished true, on the main thread: true, at 0.0 s, plays: false"])
        #expect(heard.duration > 1.2 && heard.duration < 2.6, "\(heard.duration) s")
    }

    @Test func aPlayerFadesItsVolume() throws {
        let (lines, heard) = try play(5, "fade", seconds: 10)
        #expect(lines == ["volume 0.00"])
        let peaks = heard.peaks(0.1)
        #expect(peaks.count >= 9 && zip(peaks.dropFirst(2), peaks.dropFirst(3)).allSatisfy { $0 > $1 }, "\(peaks)")
        #expect(heard.largestStep < 0.04, "\(heard.largestStep)")
    }

    @Test func aPlayerGoesOnWhenPipeWireIsBack() throws {
        let pipeWire = try PrivatePipeWire()
        defer { pipeWire.close() }
        let folder = ScratchFolder()
        try writeTone(to: folder.file("tone.wav"), seconds: 0.5, rate: 48_000)
        let program = try RunningProgram(6, ["survive", folder.file("tone.wav")], in: pipeWire)
        #expect(try program.line(beginning: "plays") == "plays: true")
        pipeWire.killDaemon()
        _ = try program.line(beginning: "lost")
        let daemons = try pipeWire.startAgain()
        defer { for daemon in daemons { daemon.terminate() } }
        _ = try program.line(beginning: "reset, plays to [\"bulkhead-sink\"]")
        let recorder = try PipeWireRecorder(
            sinkName: pipeWire.sinkName, path: folder.file("heard.wav"), environment: pipeWire.environment)
        usleep(700_000)
        recorder.stop()
        #expect(program.finish() == 0, "\(program.printed)")
        let heard = Sound(try AVAudioPCMBuffer(contentsOf: folder.file("heard.wav")))
        #expect(abs(heard.amplitude(of: 440) - 0.5) < 0.02)
    }

    /// Runs a program in a PipeWire whose default source is a microphone that hears a tone of 440 Hz and amplitude 0.25.
    private func listen(_ mode: Int, _ arguments: String...) throws -> [String] {
        let pipeWire = try PrivatePipeWire(quantum: 1024)
        defer { pipeWire.close() }
        let voice = try speak(in: pipeWire)
        defer { voice.stop() }
        let program = try RunningProgram(mode, arguments, in: pipeWire)
        #expect(program.finish() == 0, "\(program.printed)")
        return program.printed
    }

    /// Makes a microphone, and an engine that plays into it.
    private func speak(in pipeWire: PrivatePipeWire) throws -> AVAudioEngine {
        try pipeWire.makeDevice("microphone", isSink: false)
        var configuration = PipeWireConfiguration(nodeName: "voice", description: "Voice")
        (configuration.socketPath, configuration.sink) = (pipeWire.socketPath, .named("microphone"))
        let engine = AVAudioEngine(driver: PipeWireDriver(configuration))
        let source = Sine.node(frequency: 440, amplitude: 0.25)
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        try engine.start()
        return engine
    }

    @Test(arguments: [5, 6])
    func aRecorderRecordsTheDefaultSourceForATime(mode: Int) throws {
        let folder = ScratchFolder()
        let lines = try listen(mode, "record", folder.file("voice.wav"))
        // A sine of amplitude 0.25 has −15.1 dB in the mean.
        #expect(
            lines.first == "prepared: true, records: true" && lines.dropFirst().first?.hasPrefix("meters -15.") == true, "\(lines)")
        #expect(lines.last == "finished true, on the main thread: true, records: false")
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: folder.file("voice.wav")))
        #expect(file.length == Int64(35_280) && file.fileFormat.sampleRate == 44_100 && file.fileFormat.channelCount == 1)
        let sound = Sound(try AVAudioPCMBuffer(contentsOf: folder.file("voice.wav")))
        #expect(abs(sound.amplitude(of: 440) - 0.25) < 0.01)
    }

    @Test func aRecorderPausesAndItsFileIsCompleteWhenItHasStopped() throws {
        let folder = ScratchFolder()
        let lines = try listen(6, "record-twice", folder.file("voice.wav"))
        #expect(
            lines == [
                "paused: true, records: false", "goes on: true", "complete: true, records: false",
                "finished true, on the main thread: true, records: false", "deleted: true",
                "refused: Couldn't begin \"\(folder.file("voice.wav"))\": its settings need AVSampleRateKey above 0 and "
                    + "AVNumberOfChannelsKey from 1 to 255.",
            ])
        #expect(folder.names == [])
    }

    @Test func aRecorderThatIsLetGoCompletesItsFile() throws {
        let folder = ScratchFolder()
        #expect(try listen(5, "abandon", folder.file("voice.wav")) == ["abandoned: true"])
    }

    @Test(arguments: ["before", "while-running"])
    func anEngineHearsAMicrophoneThatComesLater(moment: String) throws {
        let pipeWire = try PrivatePipeWire(quantum: 256)
        defer { pipeWire.close() }
        let recorder = try RunningProgram(5, ["record-nothing"], in: pipeWire)
        #expect(try recorder.line(beginning: "records") == "records: false")
        #expect(recorder.finish() == 0)
        let program = try RunningProgram(5, ["listen", moment], in: pipeWire)
        #expect(try program.line(beginning: "listens") == "listens: true")
        usleep(300_000)
        let voice = try speak(in: pipeWire)
        defer { voice.stop() }
        #expect(program.finish() == 0, "\(program.printed)")
        #expect(program.printed == ["listens: true", "hears 0.25", "muted 0.00"])
    }

    @Test(arguments: ["before", "while-running"])
    func anEngineRecordsWhenItsInputIsTapped(moment: String) throws {
        #expect(try listen(6, "listen", moment) == ["listens: true", "hears 0.25", "muted 0.00"])
    }
}
