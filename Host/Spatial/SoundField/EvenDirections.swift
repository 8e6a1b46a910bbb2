// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Spreads directions evenly over the sphere. Control thread.

import Glibc

/// Directions over the whole sphere.
enum EvenDirections {
    /// A direction and its share of the sphere.
    struct Point {
        let direction: SpacePoint
        let weight: Double
    }

    /// Directions along a spiral from the bottom to the top, each with the same share.
    static func spiral(_ count: Int) -> [SpacePoint] {
        (0..<count).map { index in
            let height = (Double(index) + 0.5) / Double(count) * 2 - 1
            let (radius, angle) = ((1 - height * height).squareRoot(), Double(index) * Double.pi * (3 - 5.0.squareRoot()))
            return SpacePoint(radius * sin(angle), height, -radius * cos(angle))
        }
    }

    /// Gauss's 4 heights times 8 azimuths: sums over them are exact for harmonics up to degree 7, the products of two of order 3.
    static let quadrature: [Point] = [
        (0.339_981_043_584_856_3, 0.652_145_154_862_546_1), (0.861_136_311_594_052_6, 0.347_854_845_137_453_9),
    ].flatMap { height, weight in
        [height, -height].flatMap { height in
            (0..<8).map { index in
                let (radius, angle) = ((1 - height * height).squareRoot(), (Double(index) + 0.5) * Double.pi / 4)
                return Point(
                    direction: SpacePoint(-radius * sin(angle), height, -radius * cos(angle)), weight: weight / 16)
            }
        }
    }
}
