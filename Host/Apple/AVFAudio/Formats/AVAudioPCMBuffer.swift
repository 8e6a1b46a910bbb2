// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buffers by the names of Apple's systems. Any thread, one at a time.

import AudioGraph

/// Samples of a format.
public typealias AVAudioPCMBuffer = AudioPCMBuffer
/// Samples of a format: all buffers hold PCM here.
public typealias AVAudioBuffer = AudioPCMBuffer

extension AudioPCMBuffer {
    /// The most frames that the buffer holds.
    public var frameCapacity: AVAudioFrameCount { UInt32(clamping: capacity) }

    /// The number of frames with sound; values beyond the capacity are clamped.
    public var frameLength: AVAudioFrameCount {
        get { UInt32(clamping: frames) }
        set { frames = Int(newValue) }
    }

    /// Makes a buffer with `frameLength` 0; nil for an unsupported format, no frames, or too little memory.
    public convenience init?(pcmFormat format: AudioFormat, frameCapacity: AVAudioFrameCount) {
        self.init(pcmFormat: format, frameCapacity: Int(frameCapacity))
    }

    /// Makes a buffer over existing samples, all with sound; `deallocator` is called at the end of the buffer.
    ///
    /// nil if the list does not fit the format, or has no frames.
    public convenience init?(
        pcmFormat format: AudioFormat, bufferListNoCopy list: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let buffers = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        let frameByteCount = format.commonFormat.byteCount * (format.isInterleaved ? format.channels : 1)
        guard frameByteCount > 0, let byteCount = buffers.map(\.mDataByteSize).min() else { return nil }
        self.init(
            pcmFormat: format, planes: buffers.compactMap(\.mData), frameCapacity: Int(byteCount) / frameByteCount,
            release: { deallocator?(list) })
        frames = Int(byteCount) / frameByteCount
    }

    /// The list of the samples' addresses; valid as long as the buffer lives.
    public var audioBufferList: UnsafePointer<AudioBufferList> { UnsafePointer(mutableAudioBufferList) }

    /// The list of the samples' addresses; valid as long as the buffer lives.
    ///
    /// `frameLength` sets the byte counts of its buffers; changes of the list itself do not change the buffer.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> {
        bufferList.assumingMemoryBound(to: AudioBufferList.self)
    }

    /// A separate buffer with the same samples.
    public func copy() -> Any {
        guard let copy = AudioPCMBuffer(pcmFormat: format, frameCapacity: capacity) else { return self }
        copy.frames = frames
        let (from, to) = (
            UnsafeMutableAudioBufferListPointer(mutableAudioBufferList),
            UnsafeMutableAudioBufferListPointer(copy.mutableAudioBufferList)
        )
        for (source, destination) in zip(from, to) {
            guard let bytes = source.mData else { continue }
            destination.mData?.copyMemory(from: bytes, byteCount: Int(min(source.mDataByteSize, destination.mDataByteSize)))
        }
        return copy
    }
}
