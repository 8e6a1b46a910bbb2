// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An instrument as a test sees it: settings and messages in, sound out. Test thread.

import AudioUnits
import HostingTestSupport
import PluginHosting
import TestSupport

/// What a message does to an instrument at a frame.
struct MIDIEvent {
    let frame: Int
    let message: MIDIMessage

    init(_ frame: Int, _ status: UInt8, _ first: UInt8, _ second: UInt8? = nil) {
        self.frame = frame
        message = MIDIMessage(status, first, second ?? 0, byteCount: second == nil ? 2 : 3)
    }

    private init(_ frame: Int, _ message: MIDIMessage) { (self.frame, self.message) = (frame, message) }

    /// A system-exclusive message, whose bytes between F0 and F7 are given, in its pieces.
    static func exclusive(_ frame: Int, _ bytes: [UInt8]) -> [MIDIEvent] {
        MIDIMessage.pieces(of: [0xF0] + bytes + [0xF7]).map { MIDIEvent(frame, $0) }
    }

    /// A registered parameter, selected and set.
    static func registered(_ frame: Int, channel: UInt8 = 0, _ parameter: UInt8, _ msb: UInt8, _ lsb: UInt8? = nil) -> [MIDIEvent] {
        let status = 0xB0 | channel
        let selection = [
            MIDIEvent(frame, status, 101, 0), MIDIEvent(frame, status, 100, parameter), MIDIEvent(frame, status, 6, msb),
        ]
        return selection + (lsb.map { [MIDIEvent(frame, status, 38, $0)] } ?? [])
    }
}

/// An instrument under test, and its render conditions.
struct RenderedInstrument {
    /// The name of the plug-in.
    let name: String
    var sampleRate: Double
    /// The sizes of blocks, in turn.
    var blockSizes: [Int]
    var isInProcess: Bool
    /// A factory preset.
    var preset: String?
    /// Values set before rendering starts; other parameters have the preset's values or their defaults.
    var values: [String: Double]
    /// The path of a sound bank; nil for the one that the tests install, and empty for that of the system, which may be another.
    var bank: String?
    /// New values while the instrument renders.
    var automation: [AutomationPoint] = []

    init(
        _ name: String, sampleRate: Double = 48_000, blockSizes: [Int] = [512], isInProcess: Bool = false, preset: String? = nil,
        values: [String: Double] = [:], bank: String? = nil
    ) {
        self.name = name
        self.sampleRate = sampleRate
        self.blockSizes = blockSizes
        self.isInProcess = isInProcess
        self.preset = preset
        self.values = values
        self.bank = bank
    }

    /// The bank of Debian's timgm6mb-soundfont.
    static let generalMIDI = "/usr/share/sounds/sf2/TimGM6mb.sf2"

    func unit() throws -> HostedUnit {
        let unit = try Build.unit(name, inProcess: isInProcess)
        if let preset { try unit.selectFactoryPreset(preset) }
        for (keyPath, value) in values { try unit.set(keyPath, to: value) }
        let bank = bank ?? (name == "Sampler" ? Self.generalMIDI : "")
        if !bank.isEmpty { try unit.setText("soundBank", to: bank) }
        return unit
    }

    /// Renders both channels.
    func render(_ events: [MIDIEvent], frameCount: Int, of unit: HostedUnit) throws -> [[Float]] {
        let silence = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: 2)
        var bench = try Bench([unit], input: silence, maximumFrameCount: 4096, sampleRate: sampleRate)
        for point in automation {
            let time = Int64((point.seconds * sampleRate).rounded())
            try unit.schedule(point.keyPath, to: point.value, at: time, rampFrameCount: point.rampFrameCount)
        }
        var (blocks, left) = ([Int](), frameCount)
        while left > 0 {
            blocks.append(min(left, blockSizes[blocks.count % blockSizes.count]))
            left -= blocks.last ?? 0
        }
        var (sound, next) = ([[Float]](repeating: [], count: 2), events[...])
        for block in blocks {
            while let event = next.first, event.frame < sound[0].count + block {
                try unit.send(event.message, at: Int64(event.frame))
                next = next.dropFirst()
            }
            let rendered = bench.render(block)
            for channel in 0..<2 { sound[channel] += rendered[channel] }
        }
        try bench.checkWholeness()
        return sound
    }

    func render(_ events: [MIDIEvent], frameCount: Int) throws -> [[Float]] {
        try render(events, frameCount: frameCount, of: unit())
    }

    /// Renders one channel.
    func renderLeft(_ events: [MIDIEvent], frameCount: Int) throws -> [Float] { try render(events, frameCount: frameCount)[0] }
}

extension [MIDIEvent] {
    /// Sorted by frame; events of one frame stay in their order.
    var inOrder: [MIDIEvent] {
        enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element)
    }
}
