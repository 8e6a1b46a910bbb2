// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Weights the degrees of a sound field so that its energy points to the source. Any thread.

import Realtime

/// The weights of the degrees that make the energy vector as long as possible (max-rE).
///
/// They are the Legendre polynomials at the largest root of the polynomial of the next degree. Source: J. Daniel, "Représentation de champs
/// acoustiques" (2000); F. Zotter and M. Frank, "Ambisonics" (2019).
public enum MaximumEnergyWeights {
    /// The length of the energy vector of an order, from 0 to 3: 0, 1/√3, √(3/5), √(3/7 + 2/7·√(6/5)).
    public static func length(order: Int) -> Double {
        switch order {
        case ...0: 0
        case 1: Maths.sqrt(1.0 / 3)
        case 2: Maths.sqrt(0.6)
        default: Maths.sqrt(3.0 / 7 + 2.0 / 7 * Maths.sqrt(1.2))
        }
    }

    /// The weight of each degree.
    public static func weights(order: Int) -> [Double] {
        let root = length(order: order)
        let all = [1, root, (3 * root * root - 1) / 2, root * (5 * root * root - 3) / 2]
        return Array(all.prefix(max(0, min(3, order)) + 1))
    }
}
