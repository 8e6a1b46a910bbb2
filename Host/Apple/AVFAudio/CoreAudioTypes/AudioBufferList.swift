// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The list of buffers for render blocks, in Core Audio's layout. Any thread.

/// The samples of one channel, or of several interleaved ones.
public struct AudioBuffer {
    /// The number of channels that are interleaved in the buffer.
    public var mNumberChannels: UInt32
    /// The size of the buffer in bytes.
    public var mDataByteSize: UInt32
    /// The samples.
    public var mData: UnsafeMutableRawPointer?

    /// Makes a buffer of its parts.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        (self.mNumberChannels, self.mDataByteSize, self.mData) = (mNumberChannels, mDataByteSize, mData)
    }

    /// Makes a buffer of samples.
    public init<Element>(_ samples: UnsafeMutableBufferPointer<Element>, numberOfChannels: Int) {
        self.init(
            mNumberChannels: UInt32(clamping: numberOfChannels),
            mDataByteSize: UInt32(clamping: samples.count * MemoryLayout<Element>.stride),
            mData: UnsafeMutableRawPointer(samples.baseAddress))
    }

    /// Makes a buffer without channels.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
}

extension UnsafeMutableBufferPointer {
    /// The samples of a buffer.
    public init(_ buffer: AudioBuffer) {
        let count = Int(buffer.mDataByteSize) / Swift.max(1, MemoryLayout<Element>.stride)
        self.init(start: buffer.mData?.assumingMemoryBound(to: Element.self), count: buffer.mData == nil ? 0 : count)
    }
}

extension UnsafeBufferPointer {
    /// The samples of a buffer.
    public init(_ buffer: AudioBuffer) { self.init(UnsafeMutableBufferPointer<Element>(buffer)) }
}

/// Several buffers: the first one is part of this value, and the others follow it in memory.
public struct AudioBufferList {
    /// The number of buffers.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// Makes a list of one buffer.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        (self.mNumberBuffers, self.mBuffers) = (mNumberBuffers, mBuffers)
    }

    /// Makes a list without buffers.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// The size in bytes of a list of `maximumBuffers` buffers.
    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        MemoryLayout<AudioBufferList>.size + max(0, maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
    }

    /// Makes a list of `maximumBuffers` empty buffers; free it with C's `free`.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let byteCount = sizeInBytes(maximumBuffers: maximumBuffers)
        // Cannot trap: the size is the program's own, and Apple's function has no other answer.
        guard let memory = calloc(1, byteCount) else { fatalError("Couldn't allocate \(byteCount) bytes of memory.") }
        let list = memory.bindMemory(to: AudioBufferList.self, capacity: 1)
        list.pointee.mNumberBuffers = UInt32(clamping: maximumBuffers)
        return UnsafeMutableAudioBufferListPointer(list)
    }
}

/// A list of buffers as a collection.
public struct UnsafeMutableAudioBufferListPointer {
    /// The list.
    public let unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// The buffers of a list.
    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

    /// The buffers of a list; nil for none.
    public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
        guard let pointer else { return nil }
        unsafeMutablePointer = pointer
    }

    /// The list as a read-only pointer.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// The number of buffers; set it to at most the number that the memory holds.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    private var first: UnsafeMutablePointer<AudioBuffer> {
        let offset = MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) ?? 8
        return (UnsafeMutableRawPointer(unsafeMutablePointer) + offset).assumingMemoryBound(to: AudioBuffer.self)
    }
}

extension UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of buffers.
    public var endIndex: Int { count }

    /// Buffer `index`.
    public subscript(index: Int) -> AudioBuffer {
        get {
            // Cannot trap: the index is the program's own, as an array's.
            precondition(indices.contains(index), "The list has \(count) buffers, and none with the number \(index).")
            return first[index]
        }
        nonmutating set {
            // Cannot trap: the index is the program's own, as an array's.
            precondition(indices.contains(index), "The list has \(count) buffers, and none with the number \(index).")
            first[index] = newValue
        }
    }
}
