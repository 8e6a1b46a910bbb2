// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Manual rendering by the names of Apple's systems. The thread that renders.

import AudioGraph

/// Renders the next frames into a list of buffers of the engine's manual rendering format.
public typealias AVAudioEngineManualRenderingBlock = (
    AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// Provides frames to a manually rendered engine: all requested frames, or nil.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

extension AudioEngine {
    /// Switches to manual rendering, in blocks of at most `maximumFrameCount` frames.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format: AudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try enableManualRenderingMode(mode, format: format.standard, maximumFrameCount: Int(maximumFrameCount))
    }

    /// The most frames of one call.
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount {
        UInt32(clamping: longestManualRendering)
    }

    /// Renders the next frames into a buffer.
    @discardableResult
    public func renderOffline(
        _ frameCount: AVAudioFrameCount, to buffer: AudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus { try renderOffline(Int(frameCount), to: buffer) }

    /// Renders the next frames into a list of buffers; fetch it once, before rendering begins.
    public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
        let capacity = max(1, longestManualRendering)
        let buffer = AudioPCMBuffer(pcmFormat: manualRenderingFormat, frameCapacity: capacity)
        return { [weak self] frameCount, list, status in
            guard let self, let buffer else { return .cannotDoInCurrentContext }
            do throws(AudioEngineError) {
                let result = try self.renderOffline(Int(frameCount), to: buffer)
                UnsafeMutableAudioBufferListPointer(list).copy(from: buffer)
                status?.pointee = noErr
                return result
            } catch {
                status?.pointee = kAudio_ParamError
                return .cannotDoInCurrentContext
            }
        }
    }
}

extension UnsafeMutableAudioBufferListPointer {
    /// Copies the samples of channels with separate buffers; false if there are too few.
    fileprivate func copy(into block: AudioBlock) -> Bool {
        let byteCount = 4 * block.frameCount
        guard count >= block.channelCount else { return false }
        for channel in 0..<block.channelCount {
            guard let samples = self[channel].mData, self[channel].mDataByteSize >= byteCount else { return false }
            UnsafeMutableRawPointer(block[channel]).copyMemory(from: samples, byteCount: byteCount)
        }
        return true
    }

    /// Takes the samples of a buffer, as far as there is room.
    fileprivate func copy(from buffer: AudioPCMBuffer) {
        let source = UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList)
        for index in 0..<Swift.min(count, source.count) {
            guard let to = self[index].mData, let from = source[index].mData else { continue }
            let byteCount = Swift.min(self[index].mDataByteSize, source[index].mDataByteSize)
            to.copyMemory(from: from, byteCount: Int(byteCount))
            self[index].mDataByteSize = byteCount
        }
    }
}

extension AudioInputNode {
    /// Sets the input of a manually rendered engine; false in another mode, or at another rate, which `start()` throws.
    @discardableResult
    public func setManualRenderingInputPCMFormat(
        _ format: AudioFormat, inputBlock: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        // SAFETY: only the thread that renders calls the block, as the program knows.
        nonisolated(unsafe) let inputBlock = inputBlock
        return setManualRenderingInputPCMFormat(format.standard) { (block: AudioBlock) -> Bool in
            guard let list = inputBlock(AVAudioFrameCount(block.frameCount)) else { return false }
            if format.isStandard {
                return UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)).copy(into: block)
            }
            guard let buffer = AudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list), buffer.frames >= block.frameCount
            else { return false }
            buffer.copy(0..<block.frameCount, into: block)
            return true
        }
    }
}
