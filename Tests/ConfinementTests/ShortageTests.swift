// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A temporary shortage is no gap of the machine: no process is confined less because of it.

import CLinuxShims
import Glibc
import LinuxSystem
import Testing

@testable import Confinement
@testable import PluginHosting

@Suite struct ShortageTests {
    /// In a process of its own, which searches for the first time while it has no descriptor left.
    @Test(.enabled(if: ConfinementOffer.current.namespaces.contains(.user), "there are no user namespaces here"))
    func whatWasShortWhenTheHostFirstLookedIsThereLater() async {
        await #expect(processExitsWith: .success) { [gapCount = ConfinementOffer.current.gaps.count as Int] in
            let treasury = try Treasury()
            var limit = rlimit(rlim_cur: 256, rlim_max: 256)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var fillers: [Int32] = []
            while case let filler = dup(2), filler >= 0 { fillers.append(filler) }
            let poor = ConfinementOffer.current
            #expect(poor.shortage == EMFILE)
            fillers.forEach { close($0) }
            #expect(throws: SystemError("find out how far a plug-in can be confined", code: EMFILE)) {
                _ = try Fugitive(.strict, treasury, offer: poor)
            }
            #expect(try Fugitive(.strict, treasury).process.gaps.count == gapCount)
        }
    }

    @Test(arguments: [EAGAIN, ENOMEM, EMFILE, ENFILE]) func whatIsShortMayBeHadLater(code: Int32) {
        #expect(ConfinementOffer.isShortage(code))
    }

    @Test(arguments: [EPERM, EACCES, ENOSPC, EUSERS, EINVAL, ENOSYS]) func whatIsRefusedStaysSo(code: Int32) {
        #expect(!ConfinementOffer.isShortage(code))
    }
}
