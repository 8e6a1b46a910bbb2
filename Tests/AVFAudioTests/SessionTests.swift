// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The session: its values, and its route in a PipeWire of its own. Test thread.

import AVFoundation
import PipeWireIO
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(15))) struct SessionTests {
    @Test func whatIsSetIsKept() throws {
        let session = AVAudioSession.sharedInstance()
        #expect(session === AVAudioSession.sharedInstance())
        try session.setCategory(.playback, mode: .moviePlayback, policy: .longFormAudio, options: [.allowAirPlay])
        #expect(session.category == .playback && session.mode == .moviePlayback && session.routeSharingPolicy == .longFormAudio)
        #expect(session.categoryOptions == .allowAirPlay)
        try session.setMode(.spokenAudio)
        #expect(session.category == .playback && session.mode == .spokenAudio && session.categoryOptions == .allowAirPlay)
        try session.setCategory(.ambient)
        #expect(session.category == .ambient && session.mode == .spokenAudio && session.categoryOptions == [])
        try session.setPreferredOutputNumberOfChannels(2)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        #expect(session.preferredOutputNumberOfChannels == 2 && session.allowHapticsAndSystemSoundsDuringRecording)
        #expect(session.recordPermission == .granted && AVAudioApplication.shared.recordPermission == .granted)
    }

    @Test func valuesAreThoseOfApplesHeaders() {
        #expect(AVAudioSession.Category.playAndRecord.rawValue == "AVAudioSessionCategoryPlayAndRecord")
        #expect(AVAudioSession.Mode.default.rawValue == "AVAudioSessionModeDefault")
        #expect(AVAudioSession.Port.builtInMic.rawValue == "MicrophoneBuiltIn")
        #expect(AVAudioSession.CategoryOptions.interruptSpokenAudioAndMixWithOthers.contains(.mixWithOthers))
        #expect(AVAudioSession.InterruptionType(rawValue: 1) == .began && AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
        #expect(AVAudioSession.RecordPermission.granted.rawValue == 1_735_552_628)
    }

    @Test func whatCannotBeThrows() {
        let session = AVAudioSession.sharedInstance()
        #expect(throws: (any Error).self) { try session.setCategory(AVAudioSession.Category(rawValue: "Loud")) }
        #expect(throws: (any Error).self) { try session.setPreferredSampleRate(.nan) }
        #expect(throws: (any Error).self) { try session.setPreferredIOBufferDuration(-1) }
        #expect(throws: (any Error).self) { try session.setPreferredInputNumberOfChannels(-1) }
        #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
    }

    @Test func preferencesBecomeRequestsOfDrivers() throws {
        let session = AVAudioSession.sharedInstance()
        defer { PipeWireRequests.current = PipeWireRequests() }
        try session.setPreferredIOBufferDuration(0.005)
        #expect(PipeWireRequests.current.quantum == 256 && PipeWireRequests.current.sampleRate == nil)
        try session.setPreferredSampleRate(96_000)
        #expect(PipeWireRequests.current.quantum == 512 && PipeWireRequests.current.sampleRate == 96_000)
        try session.setPreferredIOBufferDuration(0)
        try session.setPreferredSampleRate(0)
        #expect(PipeWireRequests.current == PipeWireRequests())
    }

    @Test func anApplicationAndAnArbiterAnswer() async throws {
        let application = AVAudioApplication.shared
        #expect(await AVAudioApplication.requestRecordPermission())
        #expect(await AVAudioSession.sharedInstance().requestRecordPermission())
        let isTold = Flag()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioApplication.inputMuteStateChangeNotification, object: application, queue: nil
        ) { isTold.isSet = $0.userInfo?[AVAudioApplication.muteStateKey] as? Bool == true }
        try application.setInputMuted(true)
        #expect(application.isInputMuted && isTold.isSet)
        NotificationCenter.default.removeObserver(observer)
        try application.setInputMuted(false)
        #expect(try await !AVAudioRoutingArbiter.shared.begin(category: .playback))
        AVAudioRoutingArbiter.shared.leave()
    }

    @Test(arguments: [5, 6])
    func aProgramFollowsTheRoute(mode: Int) throws {
        let pipeWire = try PrivatePipeWire(sinkName: "first")
        defer { pipeWire.close() }
        let program = try RunningProgram(mode, ["session"], in: pipeWire)
        #expect(
            try program.line(beginning: "AVAudioSessionCategory")
                == "AVAudioSessionCategoryPlayAndRecord, AVAudioSessionModeMeasurement, 48000.0 Hz")
        #expect(try program.line(beginning: "recording") == "recording is allowed")
        #expect(try program.line(beginning: "begin") == "begin: plays to [\"first (Virtual)\"], records [] of 0")

        try pipeWire.makeDevice("microphone", isSink: false, "device.form-factor=webcam")
        #expect(
            try program.line(beginning: "new device")
                == "new device: plays to [\"first (Virtual)\"], records [\"The microphone (MicrophoneBuiltIn)\"] of 1")
        try pipeWire.makeDevice("phones", isSink: true, "device.form-factor=headphone priority.session=1")
        try pipeWire.choose("phones", isSink: true)
        _ = try line(of: program, ending: "The phones (Headphones)\"], records [\"The microphone (MicrophoneBuiltIn)\"] of 1")
        try pipeWire.choose("first", isSink: true)
        #expect(try program.line(beginning: "override: plays to [\"first").contains("(Virtual)"))
        try pipeWire.choose("phones", isSink: true)
        _ = try program.line(beginning: "override: plays to [\"The phones")
        try pipeWire.run("pw-cli", "destroy", "phones")
        #expect(
            try program.line(beginning: "old device").hasPrefix(
                "old device, before with headphones: plays to [\"first (Virtual)\"]"))
        pipeWire.killDaemon()
        _ = try program.line(beginning: "lost")
        #expect(try program.line(beginning: "reason") == "reason 7: plays to [], records [] of 0")
        #expect(program.finish() == 0)
    }

    private func line(of program: RunningProgram, ending text: String) throws -> String {
        let deadline = ContinuousClock.now + .seconds(Patience.seconds())
        while ContinuousClock.now < deadline {
            if let line = program.printed.last(where: { $0.hasSuffix(text) }) { return line }
            usleep(10_000)
        }
        throw TestFailure("No line has ended with \"\(text)\", but there are \(program.printed)")
    }

    @Test func anEngineRequestsWhatTheSessionPrefers() throws {
        let pipeWire = try PrivatePipeWire()
        defer { pipeWire.close() }
        try pipeWire.run("pw-metadata", "-n", "settings", "0", "clock.allowed-rates", "[ 44100 48000 ]")
        try pipeWire.makeDevice("first", isSink: false)
        try pipeWire.makeDevice("second", isSink: false)
        let program = try RunningProgram(6, ["session"], in: pipeWire)
        #expect(try program.line(beginning: "AVAudioSessionCategory").hasSuffix("44100.0 Hz"))
        program.write("prefer")
        #expect(try program.line(beginning: "prefer").hasSuffix("records [\"The second (Virtual)\"] of 2"))
        program.write("start")
        // 0.005 s are 220.5 frames, of which 256 is the nearest power of two.
        #expect(try program.line(beginning: "44100.0 Hz") == "44100.0 Hz, \(256.0 / 44_100) s")
        #expect(program.finish() == 0)
    }

    @Test func withoutADaemonThereIsNoRoute() throws {
        let pipeWire = try PrivatePipeWire()
        pipeWire.close()
        let program = try RunningProgram(5, ["session"], in: pipeWire)
        #expect(try program.line(beginning: "begin") == "begin: plays to [], records [] of 0")
        #expect(program.finish() == 0)
    }
}
