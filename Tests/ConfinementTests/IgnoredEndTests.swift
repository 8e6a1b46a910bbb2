// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A host that ignores SIGCHLD, or inherited that: the kernel reaps its processes and reports no exit status.

import Glibc
import LinuxSystem
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct IgnoredEndTests {
    @Test(arguments: ConfinementProfile.allCases)
    func anEndIsNoticedThoughNobodyIsToldOfIt(profile: ConfinementProfile) async {
        await #expect(processExitsWith: .success) {
            [name = profile.rawValue as String, gapCount = ConfinementOffer.current.gaps.count as Int] in
            signal(SIGCHLD, SIG_IGN)
            let treasury = try Treasury()
            let profile = try #require(ConfinementProfile(rawValue: name))
            let fugitive = try Fugitive(profile, treasury)
            #expect(fugitive.process.gaps.count == (profile == .off ? 0 : gapCount))
            #expect(fugitive.process.poll() == nil)
            kill(fugitive.process.identifier, SIGKILL)
            #expect(fugitive.process.wait(milliseconds: 5000) != nil && fugitive.process.poll() != nil)
        }
    }
}
