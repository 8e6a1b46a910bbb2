// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Finds the triangle of a direction, and the filter there. Render thread.

import CSpatialKernels
import Realtime

extension HeadTable {
    /// Finds the filter for a source at a place in metres, seen from the head: x to its right, y upwards, z to its back.
    ///
    /// Each place has one filter, and neighbouring places have similar ones, over the poles and through the middle of the head too.
    /// Delays, and filters at the far ear, are curved inside a triangle, so that a way over an edge hardly has a bend there. The search
    /// begins at the triangle that was found last at each distance.
    @_noLocks
    func look(at place: SIMD3<Float>, gain: Float, from last: UnsafeMutablePointer<Int32>, into blend: inout HeadBlend) {
        blend.removeAll()
        let distance = Float(Maths.sqrt(Double(place.x * place.x + place.y * place.y + place.z * place.z)))
        let outside = min(1, distance / Float(SpatialListener.headRadius))
        let direction = distance > 1e-6 ? place / distance : SIMD3(0, 0, -1)
        if outside > 0 {
            let (near, share) = distances(around: distance)
            add(near, direction, outside * (1 - share), gain, last, &blend)
            if share > 0 { add(near &+ 1, direction, outside * share, gain, last, &blend) }
        }
        guard outside < 1 else { return }
        // Inside the head the direction fades, so that a source that passes through does not jump from ear to ear.
        for ear in 0..<2 { blend.append(UnsafePointer(middle), (1 - outside) * gain, ear: ear) }
        blend.delays += (1 - outside) * middleDelay
    }

    /// A mixture without rows, with a delay in frames.
    @_noLocks
    func delayed(by frames: Float) -> CSpatialKernels_Mixture {
        let place = max(0, frames * delayStepCount)
        let row = min(Int(place), delayRowCount &- 2)
        var mixture = CSpatialKernels_Mixture()
        mixture.delay = UnsafePointer(delayRows + row &* transformSize)
        mixture.nextDelay = UnsafePointer(delayRows + (row &+ 1) &* transformSize)
        mixture.fraction = min(1, place - Float(row))
        return mixture
    }

    /// The measured distance that is not beyond a distance, and the share of the next one.
    @_noLocks
    private func distances(around distance: Float) -> (near: Int, share: Float) {
        var near = 0
        while near &+ 1 < shellCount, shells[near &+ 1].radius <= distance { near &+= 1 }
        guard near &+ 1 < shellCount, distance > shells[near].radius else { return (near, 0) }
        return (near, (distance - shells[near].radius) / (shells[near &+ 1].radius - shells[near].radius))
    }

    @_noLocks
    private func add(
        _ index: Int, _ direction: SIMD3<Float>, _ weight: Float, _ gain: Float, _ last: UnsafeMutablePointer<Int32>,
        _ blend: inout HeadBlend
    ) {
        let shell = shells[index]
        let (triangle, found) = Self.find(direction, in: shell, from: Int(last[index]))
        last[index] = Int32(truncatingIfNeeded: triangle)
        let shares = SIMD3<Float>(Self.rounded(found.x), Self.rounded(found.y), Self.rounded(found.z))
        // Cannot be 0: a direction lies in front of the triangle that is found, so one share is positive.
        let place = shares / max(1e-6, shares.x + shares.y + shares.z)
        let curve = SIMD2<Float>(Self.curve(farSide: direction.x), Self.curve(farSide: -direction.x))
        let (corners, middles) = (shell.triangles[triangle].corners, shell.triangles[triangle].middles)
        for corner in 0..<3 {
            let (own, next, last) = (place[corner], place[(corner &+ 1) % 3], place[(corner &+ 2) % 3])
            guard shell.isCurved else {
                add(Int(corners[corner]), shell, own * weight, SIMD2(repeating: own * weight * gain), &blend)
                continue
            }
            let (straight, curved) = (max(0, 2 * own - 1), own * (2 * own - 1))
            add(
                Int(corners[corner]), shell, curved * weight, (straight + curve * (curved - straight)) * (weight * gain), &blend)
            let (straightAcross, curvedAcross) = (min(2 * next, min(2 * last, max(0, 1 - 2 * own))), 4 * next * last)
            add(
                Int(middles[corner]), shell, curvedAcross * weight,
                (straightAcross + curve * (curvedAcross - straightAcross)) * (weight * gain), &blend)
        }
    }

    /// The share of the curved rule at an ear for the part of a direction that points to the other side.
    ///
    /// Within about 50 degrees of the far side the sound comes around the head from everywhere, and filters change fastest. Elsewhere
    /// they are linear in triangles of half the size, which takes three rows instead of six.
    @_noLocks
    private static func curve(farSide: Float) -> Float {
        let share = max(0, min(1, (farSide - 0.5) * 5))
        return share * share * (3 - 2 * share)
    }

    /// Adds the filters of a direction with a weight for each ear, and its delays.
    @_noLocks
    private func add(
        _ direction: Int, _ shell: Shell, _ delayWeight: Float, _ weights: SIMD2<Float>, _ blend: inout HeadBlend
    ) {
        let row = UnsafePointer(shell.filters + direction &* stride)
        for ear in 0..<2 { blend.append(row, weights[ear], ear: ear) }
        blend.delays += delayWeight * shell.delays[direction]
    }

    /// Takes a share that is nothing but a rounding error for 0, so that a measured direction has its own filter alone.
    @_noLocks
    private static func rounded(_ share: Float) -> Float { share > 4e-6 ? share : 0 }

    /// Walks from triangle to triangle towards a direction.
    ///
    /// Among irregular triangles a walk can run in a circle. Then all triangles are searched.
    @_noLocks
    static func find(_ direction: SIMD3<Float>, in shell: Shell, from start: Int) -> (triangle: Int, shares: SIMD3<Float>) {
        var index = start
        for _ in 0..<mostSteps {
            let shares = shell.triangles[index].shares(of: direction)
            let least = leastCorner(shares)
            guard shares[least] < -1e-6 else { return (index, shares) }
            index = Int(shell.triangles[index].beyond[least])
        }
        return search(direction, in: shell)
    }

    /// More steps than a walk around the sphere takes.
    private static var mostSteps: Int {
        @_noLocks get { 1000 }
    }

    /// Finds the triangle that a direction lies in, or misses by the least.
    @_noLocks
    private static func search(_ direction: SIMD3<Float>, in shell: Shell) -> (triangle: Int, shares: SIMD3<Float>) {
        var (best, bestShares) = (0, shell.triangles[0].shares(of: direction))
        for index in 1..<shell.triangleCount {
            let shares = shell.triangles[index].shares(of: direction)
            if shares[leastCorner(shares)] > bestShares[leastCorner(bestShares)] { (best, bestShares) = (index, shares) }
        }
        return (best, bestShares)
    }

    @_noLocks
    private static func leastCorner(_ shares: SIMD3<Float>) -> Int {
        let least = shares.y < shares.x ? 1 : 0
        return shares.z < shares[least] ? 2 : least
    }
}
