// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Plays a graph on a driver to its end. Main thread.

import AudioFormats
import AudioGraph
import Console
import Control
import Glibc
import GraphDocuments
import LinuxSystem
import PluginHosting
import Rendering

extension BuiltGraph {
    /// Throws which players were silent for how long because their files were not read in time; nothing if all were.
    func complainOfUnderruns(sampleRate: Double) throws {
        guard !underruns.isEmpty else { return }
        let parts = underruns.map { "\"\($0.player)\" \((Double($0.frameCount) / max(1, sampleRate)).digits(3)) s" }
        throw CommandError.failed(
            "The disk was too slow, so these players were silent for a while: \(parts.joined(separator: ", ")). "
                + "Copy their files to a faster one.")
    }
}

/// A graph that is played.
struct GraphPlayback {
    private let setup: GraphSetup
    private let driver: any AudioDriver
    private let durationSeconds: Double?
    private let sound: SoundArguments
    private let isPlain: Bool
    private let channelCount: Int
    private let layout: ChannelLayout?
    private let wakeUp: EventDescriptor

    /// The longest tail after the end of the players, in seconds.
    private static let longestTail = 15.0

    init(_ setup: GraphSetup, _ driver: DriverArguments, _ sound: SoundArguments, durationSeconds: Double?, isPlain: Bool) throws {
        (self.setup, self.sound, self.durationSeconds, self.isPlain) = (setup, sound, durationSeconds, isPlain)
        let document = setup.document
        channelCount = document.channelCount ?? 2
        layout = channelCount > 2 ? try document.firstFileLayout(of: channelCount) : nil
        self.driver =
            document.readsInput && driver.kind == .pipewire
            ? driver.insert(channelCount: channelCount)
            : driver.player(
                channelCount: channelCount, sampleRate: try document.sampleRate ?? document.firstFileRate() ?? 48_000,
                layout: layout)
        wakeUp = try EventDescriptor()
    }

    func run() throws {
        let engine = AudioEngine(driver: driver)
        let devices = DeviceMessages(of: engine, ringing: wakeUp)
        engine.setPolicy(PolicyArguments().policy)
        let session: Session
        let recorder: SoundRecorder?
        do {
            try engine.awaitRate()
            let graph = try setup.build(into: engine, at: .scene("graph"))
            graph.play()
            session = try Session(named: "graph", graph, allowing: setup.allowances, ringing: wakeUp)
            if let failure = session.controlFailure { Terminal.printError("This host cannot be controlled: \(failure)") }
            let format = AudioFormat(sampleRate: driver.status.sampleRate, channelCount: channelCount, layout: layout)
            recorder = try sound.recordPath.map { try SoundRecorder($0, of: engine.mainMixerNode, format) }
            try engine.start()
            try session.begin()
        } catch {
            engine.stop()
            throw error
        }
        let display = GraphDisplay(session, title: "Playing \(FilePath.name(of: setup.path))", isPlain: isPlain)
        defer { display.finish() }
        for name in setup.document.idleOutputBuses { display.say("Nothing leads to the output bus \"\(name)\": it is silent.") }
        for name in setup.document.idleInputBuses { display.say("The input bus \"\(name)\" leads nowhere: it is not heard.") }
        let result = Result { try watch(session, devices, recorder, display) }
        session.end()
        fadeOut(engine)
        engine.pause()
        driver.stop()
        let recorded = Result { try recorder?.finish() }
        try result.get()
        try recorded.get()
        try session.graph.complainOfUnderruns(sampleRate: driver.status.sampleRate)
    }

    /// Waits for the end, and tells of faults meanwhile.
    private func watch(
        _ session: Session, _ devices: DeviceMessages, _ recorder: SoundRecorder?, _ display: GraphDisplay
    ) throws {
        let started = MonotonicClock.now()
        var messages = FaultMessages()
        var quarantine = QuarantineKeeper()
        while !Interruption.isRequested, !session.isStopped, !display.isLeft {
            // Clients may have made it another one.
            let graph = session.graph
            let end = end(of: graph)
            if let peaks = graph.engine.player?.takePeaks() { session.tick(peaks: peaks) }
            let seconds = Double(MonotonicClock.now() - started) / 1e9
            if let failure = graph.failure { throw failure }
            quarantine.remember(graph)
            for message in messages.take(from: graph) + devices.take().map(\.sentence) + (recorder?.takeMessages() ?? []) {
                display.say(message)
            }
            display.update()
            if let durationSeconds, seconds >= durationSeconds { return }
            if let end {
                let played = graph.document.length == nil ? graph.playedSeconds : seconds
                if played >= end { return }
                display.show(played / max(end, 0.001))
            }
            usleep(50_000)
        }
    }

    /// The seconds after which everything has been heard; nil for a graph that is played until somebody stops it.
    private func end(of graph: BuiltGraph) -> Double? {
        if let length = graph.document.length { return length }
        guard graph.seconds > 0, !graph.isEndless, !graph.awaitsMIDI else { return nil }
        let rate = max(1, driver.status.sampleRate)
        let tail = graph.tailFrameCount == .max ? Self.longestTail : min(Self.longestTail, Double(graph.tailFrameCount) / rate)
        return graph.seconds + tail + Double(graph.latencyFrameCount) / rate
    }

    private func fadeOut(_ engine: AudioEngine) {
        guard driver.failure == nil else { return }
        engine.mainMixerNode.outputVolume = 0
        let status = driver.status
        let cycle = status.sampleRate > 0 ? Double(status.quantum) / status.sampleRate : 0
        usleep(useconds_t((0.025 + 2 * cycle) * 1e6))
    }
}
