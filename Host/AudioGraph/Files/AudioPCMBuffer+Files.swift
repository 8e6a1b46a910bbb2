// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Buffers from sound files, and into them. Control threads.

import AudioFiles

extension AudioPCMBuffer {
    /// Reads a whole sound file, at the file's own rate and with its channels.
    ///
    /// Throws the errors of `AudioFileReader`, and `notEnoughMemory` for a file larger than the machine's memory.
    public convenience init(contentsOf path: String) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        let format = AudioFormat(
            sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount, layout: reader.format.channelLayout)
        let frameCount = Int(reader.format.frameCount)
        guard let memory = Self.memory(pcmFormat: format, frameCapacity: frameCount) else {
            throw .notEnoughMemory(path: path, byteCount: UInt64(clamping: frameCount) &* UInt64(clamping: 4 * format.channelCount))
        }
        self.init(format, memory, frameCapacity: frameCount)
        frameLength = frameCapacity
        frameLength = try reader.read(into: samples.channels, frameCount: frameCapacity)
    }
}

extension AudioFileWriter {
    /// Writes a buffer's frames.
    ///
    /// Throws the errors of the other `write`, and `AudioFileError.channelMismatch` for another channel count.
    public func write(_ buffer: AudioPCMBuffer) throws(AudioFileError) {
        guard buffer.format.channelCount == channelCount else {
            throw .channelMismatch(path: path, count: buffer.format.channelCount, wanted: channelCount, act: .write)
        }
        guard let standard = buffer.standardized() else {
            throw .notEnoughMemory(path: path, byteCount: UInt64(clamping: 4 * buffer.frameLength * channelCount))
        }
        try write(standard.samples.channels, frameCount: standard.frameLength)
    }
}
