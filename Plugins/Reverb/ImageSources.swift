// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sources of a box-shaped room's first reflections. Control thread.

import PluginSDK

/// One reflection on its way from a loudspeaker to an ear.
struct Reflection {
    /// The delay relative to the direct sound, in crossings of the room.
    let lateness: Float
    let gain: Float
}

/// The image sources of a box with a pair of loudspeakers and a pair of ears, none of them in the middle.
///
/// Source: J. Allen, D. Berkley, *Image method for efficiently simulating small-room acoustics*, JASA 65, 1979.
enum ImageSources {
    /// The number of reflections used from each loudspeaker to each ear.
    static var pathCount: Int { @_noLocks get { 8 } }
    private static let room: [Double] = [1, 0.83, 0.58]
    private static let speakers: [[Double]] = [[0.27, 0.34, 0.23], [0.31, 0.59, 0.25]]
    private static let ears: [[Double]] = [[0.66, 0.39, 0.27], [0.69, 0.54, 0.29]]
    /// The share of the amplitude that a wall reflects.
    private static let reflectance = 0.8

    /// The earliest reflections from one loudspeaker to one ear.
    ///
    /// At each ear the energies from both loudspeakers add up to 1.
    static func reflections(speaker: Int, ear: Int) -> [Reflection] {
        let direct = distance(speakers[speaker], ears[ear])
        let images = images(of: speakers[speaker]).map { image in
            let path = distance(image.place, ears[ear])
            let gain = direct / path * Maths.pow(reflectance, Double(image.order))
            return (lateness: path - direct, gain: image.order % 2 == 0 ? gain : -gain)
        }
        let first = images.filter { $0.lateness > 0.02 }.sorted { $0.lateness < $1.lateness }.prefix(pathCount)
        let energy = first.reduce(0) { $0 + $1.gain * $1.gain }
        return first.map { Reflection(lateness: Float($0.lateness), gain: Float($0.gain / (2 * energy).squareRoot())) }
    }

    /// The images of a source, mirrored once or twice at the six walls.
    private static func images(of source: [Double]) -> [(place: [Double], order: Int)] {
        let range = -2...2
        return range.flatMap { x in
            range.flatMap { y in
                range.compactMap { z in
                    let order = abs(x) + abs(y) + abs(z)
                    guard order == 1 || order == 2 else { return nil }
                    return (zip([x, y, z], zip(source, room)).map { mirror($0, $1.0, $1.1) }, order)
                }
            }
        }
    }

    /// The position of the image behind `count` walls along one axis.
    private static func mirror(_ count: Int, _ place: Double, _ length: Double) -> Double {
        count % 2 == 0 ? Double(count) * length + place : Double(count) * length + (length - place)
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
}
