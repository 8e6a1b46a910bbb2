// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The way of a sound to the output: by its channels, or by a place. Render thread.

/// The way of a channel of an asset to a channel of the output, or of a voice.
struct LeafRoute {
    let source: Int
    let destination: Int
    let gain: Float
}

/// The output side of a sound.
///
/// `[render]` throughout. Without a voice the routes lead to the output. With one they lead to the channels of the voice: one at a place,
/// or those of a bed around a listener.
struct LeafWay {
    let routes: UnsafeBufferPointer<LeafRoute>
    /// The voice at a place; nil for a channel mixer.
    let voice: UnsafeMutablePointer<VoiceCore>?

    /// True if filters of the voice would be heard in silence.
    var isAwake: Bool { @_noLocks get { voice?.pointee.isAwake ?? false } }

    @_noLocks
    func isGainMoving(from frame: Int64) -> Bool { voice?.pointee.isGainMoving(from: frame) ?? false }

    /// The gains of source and listener.
    @_noLocks
    func gain(at frame: Int64) -> Double { voice?.pointee.gain(at: frame) ?? 1 }
}
