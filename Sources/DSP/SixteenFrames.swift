// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Sixteen successive frames as one vector, also if fewer exist. Render thread.

import Realtime

extension SIMD16<Float> {
    /// `[render]` The first `count` of sixteen frames, and zeros after them.
    @inlinable @inline(__always) @_noLocks
    public static func load(_ frames: UnsafePointer<Float>, count: Int) -> SIMD16<Float> {
        if count >= 16 { return UnsafeRawPointer(frames).loadUnaligned(as: SIMD16<Float>.self) }
        var vector = SIMD16<Float>(repeating: 0)
        for lane in 0..<count { vector[lane] = frames[lane] }
        return vector
    }

    /// `[render]` The sum of the products of frames.
    @_noLocks
    public static func product(
        _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int
    ) -> Float {
        var sum = SIMD16<Float>(repeating: 0)
        var frame = 0
        while frame < count {
            let left = Swift.min(16, count &- frame)
            sum += load(first + frame, count: left) * load(second + frame, count: left)
            frame &+= 16
        }
        return sum.sum()
    }

    /// `[render]` Stores the first `count` of sixteen frames.
    @inlinable @inline(__always) @_noLocks
    public func store(to frames: UnsafeMutablePointer<Float>, count: Int) {
        if count >= 16 { return UnsafeMutableRawPointer(frames).storeBytes(of: self, as: SIMD16<Float>.self) }
        for lane in 0..<count { frames[lane] = self[lane] }
    }

    /// `[render]` The frames, with silence in place of NaN, infinity and magnitudes from 1e4 up.
    @inlinable @inline(__always) @_noLocks
    public func withoutWildFrames() -> SIMD16<Float> {
        let size = unsafeBitCast(unsafeBitCast(self, to: SIMD16<UInt32>.self) & 0x7FFF_FFFF, to: SIMD16<Float>.self)
        return replacing(with: 0, where: .!(size .< 1e4))
    }
}
