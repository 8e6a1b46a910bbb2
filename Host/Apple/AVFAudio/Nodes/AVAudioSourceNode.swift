// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sources that a block fills, and sinks that a block reads, by the names of Apple's systems. Setup, and the render thread.

import AudioGraph
import Foundation

/// A source whose block makes the sound.
public typealias AVAudioSourceNode = AudioSourceNode
/// A sink whose block takes the sound.
public typealias AVAudioSinkNode = AudioSinkNode

/// Fills a list of buffers with a number of frames; sets the first argument to true if all of them are silent.
public typealias AVAudioSourceNodeRenderBlock = (
    UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// Takes a list of buffers with a number of frames.
public typealias AVAudioSinkNodeReceiverBlock = (
    UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

extension AudioSourceNode {
    /// Makes a source in the format of its connection.
    ///
    /// The source is silent in a cycle whose status is not `noErr`, and the first such status is written on standard error.
    public convenience init(renderBlock: @escaping AVAudioSourceNodeRenderBlock) {
        let (lists, status) = (BlockLists(scratch: nil), BlockStatus(Self.tell))
        self.init(format: nil, status: status, renderBlock: lists.renderBlock(renderBlock, status))
    }

    /// Makes a source whose block fills buffers of `format`, of any sample format.
    public convenience init(format: AudioFormat, renderBlock: @escaping AVAudioSourceNodeRenderBlock) {
        let (lists, status) = (BlockLists(scratch: format.isStandard ? nil : format), BlockStatus(Self.tell))
        self.init(format: format.standard, status: status, renderBlock: lists.renderBlock(renderBlock, status))
    }

    private static func tell(of node: String, _ status: Int32) {
        AVFAudioLog.write("The block of \"\(node)\" returned the error \(status): it is silent as long as it does.")
    }
}

extension AudioSinkNode {
    /// Makes a sink in the format of its connection.
    public convenience init(receiverBlock: @escaping AVAudioSinkNodeReceiverBlock) {
        let lists = BlockLists(scratch: nil)
        self.init(receiverBlock: lists.receiverBlock(receiverBlock))
    }
}

/// The buffer lists for a block, made in setup.
private final class BlockLists: @unchecked Sendable {
    // SAFETY: only the render thread uses it.
    private let list = AudioBufferListMemory(count: 255)
    /// Frames in the program's own format; nil if the engine's memory is used.
    private let scratch: AudioPCMBuffer?

    init(scratch format: AudioFormat?) {
        scratch = format.flatMap { AudioPCMBuffer(pcmFormat: $0, frameCapacity: Self.longestCycle) }
    }

    deinit { list.deallocate() }

    /// The longest cycle in frames.
    private static let longestCycle = 8192

    func renderBlock(
        _ block: @escaping AVAudioSourceNodeRenderBlock, _ errors: BlockStatus
    ) -> AudioSourceNode.RenderBlock {
        { [self] isSilence, sampleTime, output in
            var isSilent = ObjCBool(false)
            var stamp = Self.stamp(sampleTime)
            let frameCount = AVAudioFrameCount(truncatingIfNeeded: output.frameCount)
            let status: OSStatus
            if let scratch {
                scratch.frames = output.frameCount
                status = block(&isSilent, &stamp, frameCount, scratch.mutableAudioBufferList)
                scratch.copy(0..<output.frameCount, into: output)
            } else {
                status = block(&isSilent, &stamp, frameCount, pointed(at: output))
            }
            errors.take(status)
            isSilence = isSilent.boolValue || status != noErr
        }
    }

    func receiverBlock(_ block: @escaping AVAudioSinkNodeReceiverBlock) -> AudioSinkNode.ReceiverBlock {
        { [self] _, sampleTime, input in
            var stamp = Self.stamp(sampleTime)
            _ = block(&stamp, AVAudioFrameCount(truncatingIfNeeded: input.frameCount), pointed(at: input))
        }
    }

    private func pointed(at block: AudioBlock) -> UnsafeMutablePointer<AudioBufferList> {
        list.setCount(block.channelCount)
        for channel in 0..<block.channelCount { list.set(channel, block[channel], byteCount: 4 * block.frameCount) }
        return list.start.assumingMemoryBound(to: AudioBufferList.self)
    }

    private static func stamp(_ sampleTime: Int64) -> AudioTimeStamp {
        var stamp = AudioTimeStamp(sampleTime: Double(sampleTime))
        (stamp.mHostTime, stamp.mFlags) = (mach_absolute_time(), .sampleHostTimeValid)
        return stamp
    }
}
