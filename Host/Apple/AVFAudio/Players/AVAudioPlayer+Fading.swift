// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The volume of an AVAudioPlayer, and its fades. Any thread but the render thread.

import AudioGraph
import Foundation

extension AVAudioPlayer {
    /// The seconds between two steps of a fade; the node glides over 25 ms from each step to the next.
    private static let fadeStep = 0.02

    /// The gain as a factor; a new value ends a fade.
    public var volume: Float {
        get { node.volume }
        set { setVolume(newValue, fadeDuration: 0) }
    }

    /// Fades the gain to a factor over `duration` seconds; the next call replaces the fade.
    public func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        let number = state.withLock { state in
            state.fadeNumber += 1
            return state.fadeNumber
        }
        guard duration > Self.fadeStep, duration.isFinite else {
            node.volume = volume
            return
        }
        fade(Fade(number: number, from: node.volume, to: volume, begin: mach_absolute_time(), seconds: duration))
    }

    private struct Fade {
        let number: Int
        let from: Float
        let to: Float
        /// The start in nanoseconds.
        let begin: UInt64
        let seconds: Double
    }

    private func fade(_ fade: Fade) {
        let elapsed = Double(mach_absolute_time() - fade.begin) / 1e9
        let part = Float(min(1, elapsed / fade.seconds))
        // This runs under the lock, so that no step follows the call that ends the fade.
        let goesOn = state.withLock { state in
            guard state.fadeNumber == fade.number else { return false }
            node.volume = fade.from + (fade.to - fade.from) * part
            return part < 1
        }
        guard goesOn else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.fadeStep) { [weak self] in self?.fade(fade) }
    }
}
