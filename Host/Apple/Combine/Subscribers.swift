// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The end of values, and the number that a subscriber asks for. Any thread.

/// The types that belong to subscribers.
public enum Subscribers {
    /// The end of values.
    public enum Completion<Failure: Error> {
        /// The values are complete.
        case finished
        /// The values ended with an error.
        case failure(Failure)
    }

    /// A number of values.
    public struct Demand: Hashable, Sendable {
        /// The number; nil for all.
        public let max: Int?

        /// All values.
        public static let unlimited = Demand(max: nil)
        /// No value.
        public static let none = Demand(max: 0)
        /// So many values; a negative number counts as 0.
        public static func max(_ value: Int) -> Demand { Demand(max: Swift.max(0, value)) }

        /// The sum, which stays unlimited if one of both is.
        public static func + (left: Demand, right: Demand) -> Demand {
            guard let a = left.max, let b = right.max else { return .unlimited }
            let (sum, isTooLarge) = a.addingReportingOverflow(b)
            return isTooLarge ? .unlimited : .max(sum)
        }

        /// Adds a number.
        public static func += (left: inout Demand, right: Demand) { left = left + right }
    }
}

extension Subscribers.Completion: Sendable where Failure: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

extension Subscribers.Demand {
    /// One value less; all stay all.
    var reduced: Subscribers.Demand { max.map { .max($0 - 1) } ?? self }
}
