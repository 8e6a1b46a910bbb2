// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What the command advises where a library's error names no command.

import PluginHosting
import Testing

@testable import TerminalHost

@Suite struct AdviceTests {
    private static let errors: [(HostingError, String)] = [
        (
            .noConsent(unit: "Delay"),
            "Couldn't load \"Delay\" into the host: the plug-in does not consent to it. Leave --in-process out."
        ),
        (
            .notTrusted(unit: "Hall", id: "lv2:http://example.org/verb#hall"),
            "Couldn't load \"Hall\" into the host: you have not trusted it. Leave --in-process out, or run: "
                + "bulkhead trust 'lv2:http://example.org/verb#hall'"
        ),
        (
            .inChain("Mine", .noConsent(unit: "Delay")),
            "Couldn't use the chain \"Mine\" with \"Delay\": it does not consent to being loaded into the host. "
                + "Save the chain anew without --in-process."
        ),
        (
            .blocked(unit: "Amplifier", id: "ladspa:amp:mono"),
            "Couldn't use \"Amplifier\": you have blocked it. Use it again with: bulkhead unblock ladspa:amp:mono"
        ),
        (
            .cannotReadWhilePlaying(unit: "Sampler", id: "lv2:x", act: "set file of"),
            "Couldn't set file of \"Sampler\": it cannot be given another file to read while it plays. Set it before. "
                + "Or let it read the folder: bulkhead grant lv2:x --read FOLDER"
        ),
    ]

    @Test(arguments: errors)
    func aSentenceEndsWithWhatTheUserCanType(error: HostingError, sentence: String) {
        #expect(error.sentenceWithAdvice == sentence)
        #expect(!error.description.contains("--") && !error.description.contains("bulkhead "))
    }

    @Test func anErrorWithoutAdviceIsItsOwnSentence() {
        let error = HostingError.refused(unit: "Delay", act: "set mix of", cause: .readOnlyParameter("mix"))
        #expect(error.sentenceWithAdvice == "Couldn't set mix of \"Delay\": mix can only be read.")
    }
}
