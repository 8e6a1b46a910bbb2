// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The impulse responses of a head for any place, as its filters have them. Control thread.

import CSpatialKernels

extension HeadResponses {
    /// `[control]` Returns the impulse response of the left ear and of the right ear for a source at a place in metres.
    ///
    /// The place is seen from the head: x to its right, y upwards, z to its back. Responses include the delays of the ears.
    public func response(at place: SIMD3<Float>) -> [[Float]] {
        var blend = HeadBlend()
        var triangles = [Int32](repeating: 0, count: HeadTable.mostShells)
        defer { blend.deallocate() }
        table.pointee.look(at: place, gain: 1, from: &triangles, into: &blend)
        return (0..<2).map { ear in
            var response = [Float](
                repeating: 0, count: (table.pointee.partCount + 1) * format.partFrameCount)
            for part in 0..<table.pointee.partCount {
                for (frame, sample) in partResponse(blend, ear, part).enumerated() {
                    response[part * format.partFrameCount + frame] += sample
                }
            }
            return response
        }
    }

    private func partResponse(_ blend: HeadBlend, _ ear: Int, _ part: Int) -> [Float] {
        let size = format.transformSize
        let offset = (ear * table.pointee.partCount + part) * size
        var mixed = [Float](repeating: 0, count: size)
        for index in 0..<blend.counts[ear] {
            let (row, weight) = (blend.row(index, ear: ear) + offset, blend.weight(index, ear: ear))
            for number in 0..<size { mixed[number] += weight * row[number] }
        }
        var filter = [Float](repeating: 0, count: size)
        mixed.withUnsafeBufferPointer { row in
            var mixture = table.pointee.delayed(by: blend.delays[ear])
            mixture.mixNothingBut(row.baseAddress)
            CSpatialKernels_mix(table.pointee.build, size, &mixture, &filter)
        }
        return transform.samples(of: filter)
    }
}
