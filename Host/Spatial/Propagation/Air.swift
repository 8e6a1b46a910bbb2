// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Calculates the absorption of sound by air, and its speed. Any thread.

import Realtime

/// The air between a source and a listener.
///
/// Source of the formulas: ISO 9613-1.
public struct Air: Hashable, Sendable {
    /// The temperature in degrees Celsius, from −50 to 60.
    public var temperatureCelsius = 20.0
    /// The relative humidity in per cent, from 0 to 100.
    public var relativeHumidity = 50.0
    /// The pressure in kilopascals, from 10 to 200.
    public var pressureKilopascals = 101.325

    private static let referencePressure = 101.325
    private static let referenceTemperature = 293.15
    private static let triplePoint = 273.16

    /// Air of 20 °C with a humidity of 50 %, at sea level.
    public init() {}

    /// The speed of sound in metres a second: 343.2 at 20 °C.
    public var speedOfSound: Double { 343.2 * Maths.sqrt(bounded.kelvin / Self.referenceTemperature) }

    /// The loss of a pure tone in decibels a metre.
    public func attenuation(atHertz hertz: Double) -> Double {
        let (air, square) = (bounded, hertz * hertz)
        let warmth = air.kelvin / Self.referenceTemperature
        let (oxygen, nitrogen) = air.relaxations
        let classical = 1.84e-11 / air.relativePressure * Maths.sqrt(warmth)
        let byOxygen = 0.01275 * Maths.exp(-2239.1 / air.kelvin) / (oxygen + square / oxygen)
        let byNitrogen = 0.1068 * Maths.exp(-3352 / air.kelvin) / (nitrogen + square / nitrogen)
        return 8.686 * square * (classical + Maths.pow(warmth, -2.5) * (byOxygen + byNitrogen))
    }

    /// The frequencies in hertz above which oxygen and nitrogen no longer follow the sound.
    private var relaxations: (oxygen: Double, nitrogen: Double) {
        let warmth = kelvin / Self.referenceTemperature
        let saturation = Maths.pow(10, -6.8346 * Maths.pow(Self.triplePoint / kelvin, 1.261) + 4.6151)
        let water = relativeHumidity * saturation / relativePressure
        let oxygen = relativePressure * (24 + 4.04e4 * water * (0.02 + water) / (0.391 + water))
        let cold = Maths.exp(-4.17 * (Maths.pow(warmth, -1.0 / 3) - 1))
        return (oxygen, relativePressure / Maths.sqrt(warmth) * (9 + 280 * water * cold))
    }

    private var kelvin: Double { temperatureCelsius + 273.15 }
    private var relativePressure: Double { pressureKilopascals / Self.referencePressure }

    /// The air within the limits of its values; NaN counts as the usual value.
    private var bounded: Air {
        var air = Air()
        air.temperatureCelsius = Self.bounded(temperatureCelsius, -50, 60, air.temperatureCelsius)
        air.relativeHumidity = Self.bounded(relativeHumidity, 0, 100, air.relativeHumidity)
        air.pressureKilopascals = Self.bounded(pressureKilopascals, 10, 200, air.pressureKilopascals)
        return air
    }

    private static func bounded(_ value: Double, _ low: Double, _ high: Double, _ usual: Double) -> Double {
        value.isNaN ? usual : max(low, min(high, value))
    }
}
