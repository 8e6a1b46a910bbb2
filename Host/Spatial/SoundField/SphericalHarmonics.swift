// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Encodes a direction as real spherical harmonics. Any thread.

import Realtime

/// A sound field of order 0 to 3 by real spherical harmonics, with channels in the order of ACN.
///
/// Channel l² + l + m has degree l and index m. Axes are those of `SpacePoint`, seen from the listener: ambisonics counts x to the front,
/// y to the left and z upwards.
public enum SphericalHarmonics {
    /// The weights of the degrees.
    public enum Normalization: Hashable, Sendable {
        /// All degrees have 1 as the largest power of a direction; the usual one of files (SN3D).
        case sn3d
        /// The channels are orthonormal over all directions (N3D).
        case n3d
    }

    /// The highest order.
    public static var highestOrder: Int { @_noLocks get { 3 } }
    /// The channels of the highest order.
    static var mostChannels: Int { @_noLocks get { 16 } }

    /// The number of channels of an order.
    @_noLocks
    public static func channelCount(order: Int) -> Int { (order &+ 1) &* (order &+ 1) }

    /// The order with this number of channels; nil for other numbers than 1, 4, 9 and 16.
    public static func order(channelCount: Int) -> Int? {
        (0...highestOrder).first { Self.channelCount(order: $0) == channelCount }
    }

    /// The factor from SN3D to N3D for a degree.
    @_noLocks
    public static func n3dFactor(degree: Int) -> Double { Maths.sqrt(Double(2 &* degree &+ 1)) }

    /// The degree of a channel.
    @_noLocks
    public static func degree(ofChannel channel: Int) -> Int { channel < 1 ? 0 : channel < 4 ? 1 : channel < 9 ? 2 : 3 }

    /// The gains of a plane wave from a direction; order 3, ACN.
    ///
    /// `direction` has length 1 and head axes: x to the right, y upwards, z to the back.
    public static func encode(_ direction: SpacePoint, _ normalization: Normalization = .sn3d) -> [Double] {
        [Double](unsafeUninitializedCapacity: mostChannels) { gains, count in
            guard let first = gains.baseAddress else { return }
            encode(direction, into: first)
            count = mostChannels
            guard normalization == .n3d else { return }
            for channel in 0..<count { gains[channel] *= n3dFactor(degree: degree(ofChannel: channel)) }
        }
    }

    /// `[render]` Writes the 16 gains in SN3D.
    @_noLocks
    static func encode(_ direction: SpacePoint, into gains: UnsafeMutablePointer<Double>) {
        let (x, y, z) = (-direction.z, -direction.x, direction.y)
        (gains[0], gains[1], gains[2], gains[3]) = (1, y, z, x)
        let root3 = 1.732_050_807_568_877_2
        gains[4] = root3 * x * y
        gains[5] = root3 * y * z
        gains[6] = (3 * z * z - 1) / 2
        gains[7] = root3 * x * z
        gains[8] = root3 / 2 * (x * x - y * y)
        let (root58, root15, root38) = (0.790_569_415_042_094_8, 3.872_983_346_207_417, 0.612_372_435_695_794_5)
        gains[9] = root58 * y * (3 * x * x - y * y)
        gains[10] = root15 * x * y * z
        gains[11] = root38 * y * (5 * z * z - 1)
        gains[12] = z * (5 * z * z - 3) / 2
        gains[13] = root38 * x * (5 * z * z - 1)
        gains[14] = root15 / 2 * z * (x * x - y * y)
        gains[15] = root58 * x * (x * x - 3 * y * y)
    }
}
