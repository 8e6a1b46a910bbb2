// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The reasons why a measurement failed. Any thread.

import PluginHosting

/// The reason why a measurement failed.
package enum MeasurementError: Error, Equatable, CustomStringConvertible {
    case tooManyEffects(limit: Int)
    /// Effects or branches must be spread, but the kernel places the threads.
    case spreadWithoutProcessor(UnitPlacement)
    /// Effects or branches must be spread, but this process may use only one processor.
    case noSecondProcessor(UnitPlacement, processor: Int)
    case processorNotAllowed(Int, allowed: [Int])
    /// The plug-in does not consent to running in the host's process, where it is also measured.
    case noConsent(unit: String)
    /// The user has not trusted the plug-in, so that it was not measured in the host's process.
    case notTrusted(unit: String, id: String)
    /// No unit of a saved chain is left.
    case emptyChain(String)
    /// A unit was lost while it was measured; `fault` continues the sentence "it …".
    case unitLost(String, fault: String?)
    /// A unit has no process whose start could be measured.
    case noProcess(String)
    case floorNotStarted
    /// This process was not started as a peer of the floor.
    case notAPeer
    /// The measuring thread ended without a result.
    case noResult

    package var description: String {
        switch self {
        case .tooManyEffects(let limit): "Couldn't measure more than \(limit) effects, in all branches together."
        case .spreadWithoutProcessor(let placement):
            "Couldn't measure \(Self.noun(placement)) that are spread: the kernel places the threads."
        case .noSecondProcessor(let placement, let processor):
            "Couldn't measure \(Self.noun(placement)) that are spread: this process may use processor \(processor) alone."
        case .processorNotAllowed(let number, let allowed):
            "Couldn't measure on processor \(number): this process may use \(allowed.map(String.init).joined(separator: ", "))."
        case .noConsent(let unit):
            "Couldn't measure \"\(unit)\": it does not consent to running in process, and the cost is the difference to that."
        case .notTrusted(let unit, let id):
            "What \"\(unit)\" costs in process was left out, because you have not trusted it with the host's process. "
                + "Run: bulkhead trust \(ShellWord.quoted(id))"
        case .emptyChain(let chain): "Couldn't measure the chain \"\(chain)\": nothing of it is left."
        case .unitLost(let name, let fault): "Couldn't measure \"\(name)\": it \(fault ?? "was lost")."
        case .noProcess(let name): "Couldn't measure the start of \"\(name)\": it has no process."
        case .floorNotStarted: "Couldn't start the other processes that the floor is measured with."
        case .notAPeer: "This process is not a peer of the floor."
        case .noResult: "Couldn't measure."
        }
    }

    /// The noun for the objects that are spread.
    package static func noun(_ placement: UnitPlacement) -> String { placement == .branches ? "branches" : "effects" }
}
