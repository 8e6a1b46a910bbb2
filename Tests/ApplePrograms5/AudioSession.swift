// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sets an audio session up and tells of its route, until its input ends. The main thread, and that of notifications.

import AVFoundation

final class SessionController: @unchecked Sendable {
    // SAFETY: the main thread alone changes it.
    private var observers: [any NSObjectProtocol] = []

    func configure() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(
                .playAndRecord, mode: .measurement, options: [.defaultToSpeaker, .mixWithOthers, .allowBluetoothA2DP])
            try session.setPreferredSampleRate(44_100)
            try session.setPreferredIOBufferDuration(0.005)
            try session.overrideOutputAudioPort(.none)
            try session.setActive(true, options: .notifyOthersOnDeactivation)
        } catch {
            say("Failed to set up the audio session: \(error.localizedDescription)")
        }
    }

    func observe() {
        let center = NotificationCenter.default
        let session = AVAudioSession.sharedInstance()
        let route = center.addObserver(forName: AVAudioSession.routeChangeNotification, object: session, queue: nil) {
            [weak self] in
            self?.handleRouteChange($0)
        }
        let interruption = center.addObserver(
            forName: AVAudioSession.interruptionNotification, object: session, queue: nil
        ) { notification in
            guard let info = notification.userInfo, let value = info[AVAudioSessionInterruptionTypeKey] as? UInt,
                let type = AVAudioSession.InterruptionType(rawValue: value)
            else { return }
            if type == .ended, let value = info[AVAudioSessionInterruptionOptionKey] as? UInt {
                let options = AVAudioSession.InterruptionOptions(rawValue: value)
                say(options.contains(.shouldResume) ? "resume" : "stay")
            }
        }
        let loss = center.addObserver(
            forName: AVAudioSession.mediaServicesWereLostNotification, object: nil, queue: nil
        ) { _ in say("lost") }
        observers = [route, interruption, loss]
    }

    private func handleRouteChange(_ notification: Notification) {
        guard let info = notification.userInfo, let value = info[AVAudioSessionRouteChangeReasonKey] as? UInt,
            let reason = AVAudioSession.RouteChangeReason(rawValue: value)
        else { return }
        switch reason {
        case .newDeviceAvailable:
            tell("new device")
        case .oldDeviceUnavailable:
            guard let previous = info[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription else { return }
            tell("old device, before \(hasHeadphones(in: previous) ? "with" : "without") headphones")
        case .override:
            tell("override")
        default:
            tell("reason \(reason.rawValue)")
        }
    }

    private func hasHeadphones(in route: AVAudioSessionRouteDescription) -> Bool {
        !route.outputs.filter { $0.portType == .headphones }.isEmpty
    }

    func tell(_ event: String) {
        let session = AVAudioSession.sharedInstance()
        let outputs = session.currentRoute.outputs.map { "\($0.portName) (\($0.portType.rawValue))" }
        let inputs = session.currentRoute.inputs.map { "\($0.portName) (\($0.portType.rawValue))" }
        say("\(event): plays to \(outputs), records \(inputs) of \(session.availableInputs?.count ?? 0)")
    }
}

/// Prints a line at once, whoever reads it.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

enum AudioSession {
    static func run() throws {
        let controller = SessionController()
        controller.configure()
        controller.observe()
        let session = AVAudioSession.sharedInstance()
        say("\(session.category.rawValue), \(session.mode.rawValue), \(session.sampleRate) Hz")
        session.requestRecordPermission { allowed in
            say("recording is \(allowed ? "allowed" : "not allowed")")
            controller.tell("begin")
        }
        let engine = AVAudioEngine()
        while let line = readLine() {
            switch line {
            case "start":
                engine.mainMixerNode.outputVolume = 1
                try engine.start()
                say("\(engine.mainMixerNode.outputFormat(forBus: 0).sampleRate) Hz, \(session.ioBufferDuration) s")
            case "prefer":
                try session.setPreferredInput(session.availableInputs?.last)
                controller.tell("prefer")
            default:
                controller.tell(line)
            }
        }
        engine.stop()
        try session.setActive(false)
    }
}
