// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Where a cycle that is rendered by hand is written, and that every buffer has the same sound. Test thread.

import HostingTestSupport
import Realtime
import Testing

@testable import AudioGraph

@Suite struct ManualRenderingTests {
    private func buffer(
        _ channelCount: Int, _ commonFormat: AudioCommonFormat = .pcmFormatFloat32, isInterleaved: Bool = false
    ) throws -> AudioPCMBuffer {
        let format = try #require(
            AudioFormat(commonFormat: commonFormat, sampleRate: Sounds.rate, channels: channelCount, interleaved: isInterleaved))
        let buffer = try #require(AudioPCMBuffer(pcmFormat: format, frameCapacity: 480))
        buffer.frameLength = 480
        return buffer
    }

    @Test func aCycleIsWrittenWhereTheProgramReadsIt() throws {
        let memory = AudioBuffer(channelCount: 2, frameCapacity: 480)
        let room = memory.block(frameCount: 480)
        let stereo = try buffer(2)
        #expect(ManualRendering.place(in: stereo, else: room).channels[0] == stereo.samples[0])
        for other in try [buffer(1), buffer(3), buffer(2, isInterleaved: true), buffer(2, .pcmFormatInt16)] {
            #expect(ManualRendering.place(in: other, else: room).channels[0] == room[0])
        }
    }

    @Test func everyBufferHasTheSameSound() throws {
        let engine = try AudioEngine.offline()
        let player = AudioPlayerNode()
        engine.attach(player)
        try engine.connect(player, to: engine.mainMixerNode)
        player.scheduleBuffer(try Sounds.ramp(480), options: .loops)
        player.play()
        try engine.start()
        let stereo = try buffer(2)
        try engine.renderOffline(480, to: stereo)
        let (wide, narrow, interleaved) = try (buffer(3), buffer(1), buffer(2, isInterleaved: true))
        for buffer in [wide, narrow, interleaved] { try engine.renderOffline(480, to: buffer) }
        let pairs = try #require(interleaved.standardized())
        for frame in 0..<480 {
            let (left, right) = (stereo.samples[0][frame], stereo.samples[1][frame])
            #expect(left == Float(frame + 1) / 65_536 && right == -left)
            #expect(wide.samples[0][frame] == left && wide.samples[1][frame] == right && wide.samples[2][frame] == 0)
            #expect(narrow.samples[0][frame] == left)
            #expect(pairs.samples[0][frame] == left && pairs.samples[1][frame] == right)
        }
    }
}
