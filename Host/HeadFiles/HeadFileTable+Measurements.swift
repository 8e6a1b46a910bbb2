// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Checks what a file of a head says, and turns it to the axes of the head. Control thread.

import Glibc
import Printing
import Spatial

extension HeadFileTable {
    /// The measurements; throws the first reason that forbids to use them.
    func measurements(named name: String) throws(HeadSetError) -> HeadMeasurements {
        func refuse(_ reason: String) -> HeadSetError { HeadSetError(name, reason) }
        guard header.convention == "SimpleFreeFieldHRIR", header.dataType == "FIR" else {
            let found = PrintableText.cleaned("\(header.convention) with data of type \(header.dataType)")
            throw refuse("it holds \(found), and not SimpleFreeFieldHRIR with data of type FIR")
        }
        let (count, taps) = (header.measurementCount, header.sampleCount)
        guard count > 0, taps > 0, header.receiverCount == 2 else {
            throw refuse("it has \(count) measurements of \(taps) samples at \(header.receiverCount) ears, and not at 2")
        }
        guard self[.response].count / 2 / taps == count, self[.response].count % (2 * taps) == 0 else {
            throw refuse("\(count) measurements of \(taps) samples do not fit its \(self[.response].count) samples")
        }
        let rates = Set(self[.sampleRate])
        guard let rate = rates.first, rates.count == 1 else { throw refuse("it has \(rates.count) sample rates, and not one") }
        let positions = try relativePositions(name)
        return try HeadMeasurements(
            name: name, sampleRate: Double(rate), positions: positions, tapCount: taps,
            responses: isLeftFirst ? self[.response] : swapped(self[.response], taps),
            delays: isLeftFirst ? self[.delay] : swapped(self[.delay], 1))
    }

    /// True if the first receiver is the left ear, as usual.
    private var isLeftFirst: Bool {
        guard let ears = try? points(.receiverPosition, 2, ""), ears.count == 2 else { return true }
        // To the left is −x.
        return ears[0].x <= ears[1].x
    }

    /// The same numbers with both ears exchanged.
    private func swapped(_ numbers: [Float], _ length: Int) -> [Float] {
        numbers.indices.map { index in
            let other = (index / length) ^ 1
            let place = other * length + index % length
            return numbers.indices.contains(place) ? numbers[place] : 0
        }
    }

    /// The positions of the sources, as seen from the listener's head.
    private func relativePositions(_ name: String) throws(HeadSetError) -> [SpacePoint] {
        let count = header.measurementCount
        let sources = try points(.sourcePosition, count, name)
        let listeners = self[.listenerPosition].isEmpty ? [SpacePoint(0, 0, 0)] : try points(.listenerPosition, count, name)
        let views = self[.listenerView].isEmpty ? [SpacePoint(0, 0, -1)] : try points(.listenerView, count, name)
        let tops = self[.listenerUp].isEmpty ? [SpacePoint(0, 1, 0)] : try points(.listenerUp, count, name)
        var positions: [SpacePoint] = []
        for index in 0..<count {
            func item(_ points: [SpacePoint]) -> SpacePoint { points[points.count == 1 ? 0 : index] }
            let (view, top) = (item(views), item(tops))
            guard let axes = HeadAxes(forward: view, up: top) else {
                throw HeadSetError(name, "its listener looks along \(Self.text(view)) with the head up along \(Self.text(top))")
            }
            let way = item(sources) - item(listeners)
            positions.append(SpacePoint((way * axes.right).sum(), (way * axes.up).sum(), -(way * axes.forward).sum()))
        }
        return positions
    }

    /// A direction in the coordinates of the file.
    private static func text(_ point: SpacePoint) -> String { "(\(-point.z), \(-point.x), \(point.y))" }

    /// The points of an array: one, or one for each of `count`; x to the right, y upwards, z to the back.
    private func points(_ field: HeadReaderHeader.Field, _ count: Int, _ name: String) throws(HeadSetError) -> [SpacePoint] {
        let (numbers, type) = (self[field], header.type(field))
        guard numbers.count == 3 || numbers.count / 3 == count && numbers.count % 3 == 0 else {
            throw HeadSetError(name, "its \(field) has \(numbers.count) numbers, and not 3 or 3 for each of \(count)")
        }
        // The default of a direction is cartesian.
        guard type == "spherical" || type == "cartesian" || type.isEmpty && field != .sourcePosition else {
            throw HeadSetError(name, "its \(field) has coordinates of the type \"\(PrintableText.cleaned(type))\"")
        }
        return stride(from: 0, to: numbers.count, by: 3).map { start in
            let (a, b, c) = (Double(numbers[start]), Double(numbers[start + 1]), Double(numbers[start + 2]))
            guard type == "spherical" else { return SpacePoint(-b, c, -a) }
            let (azimuth, elevation) = (a * .pi / 180, b * .pi / 180)
            return c * SpacePoint(-sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation))
        }
    }
}
