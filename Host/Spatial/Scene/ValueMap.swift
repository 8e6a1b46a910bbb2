// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Numbers the gliding values of a source. Any thread.

/// The places of a source's values: those of the head and the air first, then the gains from each column to each row.
///
/// Column 0 is the source as one point, and column n + 1 its channel n. Rows are the channels of the bus, then those of the sound field.
struct ValueMap {
    /// The gain of channels that go through at once.
    static var through: Int { @_noLocks get { 0 } }
    /// The delays of the left and the right ear in frames, behind the middle of the head.
    static var earDelays: Int { @_noLocks get { 1 } }
    /// The shadow of the left ear: the weights of the present and the former sample; then that of the right ear.
    static var shadows: Int { @_noLocks get { 3 } }
    /// The two coefficients of the air.
    static var air: Int { @_noLocks get { 7 } }
    /// The gain of channels that go through as late as the algorithm.
    static var lateThrough: Int { @_noLocks get { 9 } }
    /// The levels of the bands of the source's directivity; then those of the listener's.
    static var sourceBands: Int { @_noLocks get { 10 } }
    static var listenerBands: Int { @_noLocks get { 18 } }
    private static var firstGain: Int { @_noLocks get { 26 } }
    /// The channels of a sound field.
    static var fieldChannelCount: Int { @_noLocks get { 16 } }

    /// The channels of the bus, at most those of a panner.
    let channelCount: Int
    /// The channels of the source, at most 64.
    let sourceChannelCount: Int

    init(channelCount: Int, sourceChannelCount: Int) {
        self.channelCount = min(SpeakerPanner.mostChannels, channelCount)
        self.sourceChannelCount = min(SpeakerPanner.mostChannels, sourceChannelCount)
    }

    /// The number of rows.
    var rowCount: Int {
        @_noLocks get { channelCount &+ Self.fieldChannelCount }
    }

    /// The number of values.
    var count: Int {
        @_noLocks get { Self.firstGain &+ (sourceChannelCount &+ 1) &* rowCount }
    }

    /// The first gain of a column.
    @inline(__always) @_noLocks
    func column(_ index: Int) -> Int { Self.firstGain &+ index &* rowCount }
}
