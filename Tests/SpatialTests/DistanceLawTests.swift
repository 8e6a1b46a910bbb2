// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How the level falls with the distance. Test thread.

import Spatial
import Testing

@Suite struct DistanceLawTests {
    private func law(_ model: DistanceLaw.Model, rolloff: Float = 1, maximum: Float = 100) -> DistanceLaw {
        var law = DistanceLaw()
        (law.model, law.reference, law.maximum, law.rolloff) = (model, 2, maximum, rolloff)
        return law
    }

    @Test(
        arguments: [
            (.exponential, 1, 8, 0.25), (.exponential, 2, 8, 0.0625), (.inverse, 1, 8, 0.25), (.inverse, 2, 8, 2.0 / 14),
            (.linear, 1, 51, 0.5), (.linear, 0.5, 51, 0.75), (.linear, 2, 100, 0),
        ] as [(DistanceLaw.Model, Float, Double, Float)])
    func theGainFollowsTheFormula(model: DistanceLaw.Model, rolloff: Float, metres: Double, gain: Float) {
        #expect(abs(law(model, rolloff: rolloff).gain(at: metres) - gain) < 1e-6)
    }

    @Test(arguments: [.exponential, .inverse, .linear] as [DistanceLaw.Model])
    func nothingIsAddedNearbyAndNothingMoreIsLostFarAway(model: DistanceLaw.Model) {
        let law = law(model, rolloff: 0.5)
        #expect(law.gain(at: 0) == 1 && law.gain(at: 2) == 1)
        #expect(law.gain(at: 100) == law.gain(at: 1e9) && law.gain(at: .infinity) == law.gain(at: 100))
        #expect(self.law(model, maximum: 1).gain(at: 50) == 1)
    }
}
