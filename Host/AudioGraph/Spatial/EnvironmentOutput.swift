// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The output of an environment: loudspeakers or two ears. Any thread but the render thread.

import AudioFormats
import Rendering
import Spatial

/// The kind of output of an environment.
public enum AudioEnvironmentOutputType: Int, Hashable, Sendable, CaseIterable {
    /// The type of the device that the engine's driver plays to, as PipeWire tells it, also after a jack is plugged in.
    ///
    /// It counts as loudspeakers if the device does not tell, and when the engine is rendered by hand.
    case auto = 0
    /// Headphones.
    case headphones = 1
    /// The device's own loudspeakers.
    case builtInSpeakers = 2
    /// Other loudspeakers.
    case externalSpeakers = 3
}

extension AudioEnvironmentOutputType {
    /// The type of a driver's device; `auto` for an unknown one.
    init(_ output: DriverOutputKind?) {
        self =
            switch output {
            case .headphones: .headphones
            case .builtInSpeakers: .builtInSpeakers
            case .externalSpeakers: .externalSpeakers
            case nil: .auto
            }
    }
}

/// The panner and the decoder for the output of an environment.
package struct EnvironmentOutput: Sendable {
    let format: AudioFormat
    let type: AudioEnvironmentOutputType
    let arrangement: AudioEnvironmentArrangement?
    /// The head that the program has chosen.
    private let head: HeadSet?
    /// The reason why that head does not hear the sound field; nil if it does.
    private(set) var refusal: HeadSetError?
    /// The panner to more than two loudspeakers.
    package let panner: SpeakerPanner?
    /// The decoder of the sound field.
    package let decoder: FieldDecoder?
    /// The frames by which a spherical head delays its sources, and those by which the decoder does.
    package let headLatency: Int
    package let fieldLatency: Int

    /// Makes the panner, and the decoder for loudspeakers or for the head that a program has chosen.
    package init(
        _ format: AudioFormat, _ type: AudioEnvironmentOutputType, _ arrangement: AudioEnvironmentArrangement?, _ chosen: HeadSet?
    ) {
        (self.format, self.type, self.arrangement, self.head) = (format, type, arrangement, chosen)
        if case .soundField(let order) = arrangement {
            (panner, headLatency, fieldLatency) = (nil, 0, 0)
            decoder = .unchanged(order: order)
            return
        }
        let speakers = Self.panner(format, arrangement)
        panner = format.channels > 2 ? speakers : nil
        let head = SphericalHead()
        headLatency = format.channels == 2 ? head.latencyFrameCount(sampleRate: format.sampleRate) : 0
        if type == .headphones, format.channels == 2 {
            var hearing: any DirectionalHead = head
            do throws(HeadSetError) {
                if let chosen { hearing = try chosen.responses(sampleRate: format.sampleRate, quality: .short) }
            } catch {
                refusal = error
            }
            decoder = FieldDecoder(keepingMagnitudesOf: hearing, order: 3, sampleRate: format.sampleRate)
            fieldLatency = hearing.latencyFrameCount(sampleRate: format.sampleRate)
        } else {
            decoder = speakers.map { FieldDecoder(to: $0, order: 3) } ?? .mono
            fieldLatency = 0
        }
    }

    /// The panner to the loudspeakers of a format; nil for one channel, or if they do not surround the listener.
    static func panner(_ format: AudioFormat, _ arrangement: AudioEnvironmentArrangement?) -> SpeakerPanner? {
        if case .loudspeakers(let name) = arrangement {
            guard let speakers = SpeakerLayout(bs2051: name), speakers.places.count == format.channels else { return nil }
            return SpeakerPanner(speakers)
        }
        guard let layout = format.layout ?? ChannelLayout.usual(format.channels), layout.channelCount == format.channels,
            let speakers = SpeakerLayout(layout)
        else { return nil }
        return SpeakerPanner(speakers)
    }

    /// True if it was made for this format, type and arrangement.
    func suits(
        _ format: AudioFormat, _ type: AudioEnvironmentOutputType, _ arrangement: AudioEnvironmentArrangement?, _ head: HeadSet?
    ) -> Bool {
        self.head === head && self.format == format && self.format.layout == format.layout && self.type == type
            && self.arrangement == arrangement
    }
}
