// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The memory of the voices of an instrument, which outlives no kernel. Control thread.

/// Owns what `Voices` points at.
///
/// A type of its own, neither generic nor inlined, because the optimiser leaves out the `deinit` of a generic type that is.
@usableFromInline
struct VoiceMemory: ~Copyable {
    @usableFromInline let book: UnsafeMutablePointer<VoiceBook>
    /// One pointer a channel, to room for a voice that fades.
    @usableFromInline let scratch: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let voices: UnsafeMutableRawPointer
    private let freeVoices: (UnsafeMutableRawPointer, Int) -> Void

    /// Takes the voices over: `freeVoices` gets them and their number at the end.
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
