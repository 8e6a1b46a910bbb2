// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host that was started without a standard input: what it opens next has that number, and nobody is to lose it for that.

import LinuxSystem
import TestSupport
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct StandardInputTests {
    /// Each offer has something else opened first.
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
