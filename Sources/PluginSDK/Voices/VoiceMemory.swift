// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of an instrument's voices, which lives no longer than its kernel. Control thread.

/// Owns the memory at which `Voices` points.
///
/// A type of its own, neither generic nor inlined, because the optimiser leaves out the `deinit` of a generic type that is.
@usableFromInline
struct VoiceMemory: ~Copyable {
    @usableFromInline let book: UnsafeMutablePointer<VoiceBook>
    /// One pointer a channel, to room for a fading voice.
    @usableFromInline let scratch: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let voices: UnsafeMutableRawPointer
    private let freeVoices: (UnsafeMutableRawPointer, Int) -> Void

    /// Takes the voices over; in the end `freeVoices` is called with them and their number.
    @usableFromInline
    init(
        _ setup: RenderSetup, book: UnsafeMutablePointer<VoiceBook>, voices: UnsafeMutableRawPointer,
        freeVoices: @escaping (UnsafeMutableRawPointer, Int) -> Void
    ) {
        (self.book, self.voices, self.freeVoices) = (book, voices, freeVoices)
        let (channelCount, frameCount) = (max(1, setup.channelCount), setup.maximumFrameCount)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * frameCount)
        samples.initialize(repeating: 0, count: channelCount * frameCount)
        scratch = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { scratch[channel] = samples + channel * frameCount }
    }

    @usableFromInline
    static func makeBook(_ setup: RenderSetup, limit: Int) -> UnsafeMutablePointer<VoiceBook> {
        let book = UnsafeMutablePointer<VoiceBook>.allocate(capacity: 1)
        book.initialize(to: VoiceBook(setup, limit: limit))
        return book
    }

    deinit {
        freeVoices(voices, book.pointee.slotCount)
        book.deinitialize(count: 1)
        book.deallocate()
        scratch[0].deallocate()
        scratch.deallocate()
    }
}
