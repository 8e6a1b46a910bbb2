// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Four-character codes, component descriptions with wildcards, and versions. Test thread.

import AudioUnits
import Testing

@Suite struct FourCharCodeTests {
    @Test func theFirstCharacterIsInTheHighestBits() {
        #expect(FourCharCode(String("aufx"))?.rawValue == 0x6175_6678)
        #expect(FourCharCode(rawValue: 0x6175_6678).description == "aufx")
    }

    @Test(arguments: ["", "a", "abc", "abcde", "ab:c", "abc\n", "äbc", "äb", "abc\u{7F}", "**", "****x"])
    func nothingButFourPrintableCharactersIsACode(text: String) {
        #expect(FourCharCode(text) == nil)
    }

    @Test func aStarIsTheWildcardAndFourAreNot() {
        #expect(FourCharCode("*") == .any)
        #expect(FourCharCode.any.description == "*")
        #expect(FourCharCode("****") != .any)
    }

    @Test func spacesCount() {
        #expect(FourCharCode(String("lp  "))?.description == "lp  ")
    }

    @Test func codesThatCannotBeWrittenAreKnown() {
        #expect(FourCharCode(String("gain"))!.isPrintable)
        #expect(FourCharCode.any.isPrintable)
        for raw in [0x0000_0001, 0x6161_6100, 0x6161_3A61, 0xFF61_6161] as [UInt32] {
            #expect(!FourCharCode(rawValue: raw).isPrintable)
        }
        #expect(FourCharCode(rawValue: 0x6100_FF61).description == "a??a")
    }
}

@Suite struct ComponentDescriptionTests {
    private let gain = ComponentDescription(.effect, "gain", "blkh")

    @Test func aDescriptionIsWrittenAndReadBack() {
        #expect(gain.description == "aufx:gain:blkh")
        #expect(ComponentDescription("aufx:gain:blkh") == gain)
        #expect(ComponentDescription("*:gain:*")?.type == .any)
    }

    @Test(arguments: [
        "", "aufx", "aufx:gain", "aufx:gain:blkh:x", "aufx::blkh", "aufx:gai:blkh", ":::", "aufx:gain:blkh ",
    ])
    func anythingElseIsNoDescription(text: String) {
        #expect(ComponentDescription(text) == nil)
    }

    @Test func everyFieldOfAQueryMustMatchOrBeAWildcard() {
        #expect(ComponentDescription().matches(gain))
        #expect(gain.matches(gain))
        #expect(ComponentDescription("aufx:*:blkh")!.matches(gain))
        #expect(!ComponentDescription("aumu:*:*")!.matches(gain))
        #expect(!ComponentDescription("*:gaim:*")!.matches(gain))
        #expect(!ComponentDescription("*:*:othr")!.matches(gain))
    }

    @Test func everyTypeHasACodeOfItsOwn() {
        #expect(Set(ComponentType.allCases.map(\.code)).count == ComponentType.allCases.count)
        for type in ComponentType.allCases { #expect(ComponentType(code: type.code) == type) }
    }

    @Test func versionsAreOrderedNumberByNumber() {
        #expect(UnitVersion(1, 2, 3).description == "1.2.3")
        #expect(UnitVersion(1, 2, 3) < UnitVersion(1, 3, 0))
        #expect(UnitVersion(1, 1023, 1023) < UnitVersion(2, 0, 0))
        #expect(UnitVersion(4095, 1023, 1023).rawValue == .max)
        #expect(UnitVersion(1, 2, 3).rawValue == 1 << 20 | 2 << 10 | 3)
    }
}
