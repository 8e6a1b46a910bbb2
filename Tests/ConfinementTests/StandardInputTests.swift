// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host without a standard input: the next descriptor that it opens has that number, and no child must lose it.

import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct StandardInputTests {
    /// With each offer something else is opened first.
    private static let offers = [
        ConfinementOffer.current, .current.lacking(landlock: true), .current.lacking(Set(Namespace.allCases)),
        .current.lacking(Set(Namespace.allCases), landlock: true),
    ]

    @Test(arguments: offers.indices) func whoIsStartedHasNothingToReadWhereTheHostHasNoInput(offer: Int) async {
        await #expect(processExitsWith: .success) { [offer = offer as Int] in
            let treasury = try Treasury()
            let fugitive = try Fugitive(.strict, treasury, offer: Self.offers[offer], withoutInput: true)
            #expect(try fugitive.attempt("read-nothing", treasury) == .gotThrough)
        }
    }
}
