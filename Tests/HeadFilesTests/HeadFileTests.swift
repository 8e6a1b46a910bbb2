// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Files that are read by a confined process: whole, missing, cut short and damaged. Test thread.

import Glibc
import Spatial
import TestSupport
import Testing

@testable import HeadFiles

/// True if Debian's head is installed.
let hasStandardHead = access(HeadFile.standardPath, R_OK) == 0

@Suite struct HeadFileTests {
    private func refusal(_ path: String) -> HeadSetError? {
        do throws(HeadSetError) { _ = try HeadFile.read(path) } catch { return error }
        return nil
    }

    @Test(.enabled(if: hasStandardHead, "libmysofa1 is not installed")) func theStandardHeadIsKEMAR() throws {
        let set = try HeadFile.read(HeadFile.standardPath)
        #expect(set.positions.count == 710 && set.tapCount == 512 && set.sampleRate == 44_100)
        #expect(set.positions.allSatisfy { abs(($0 * $0).sum().squareRoot() - 1.4) < 1e-3 })
    }

    @Test func aMissingFileIsNamedWithItsRemedy() throws {
        let error = try #require(refusal("/nowhere/head.sofa"))
        #expect(error.set == "/nowhere/head.sofa" && error.remedy == "Check the path.")
    }

    @Test func otherFilesAreRefused() throws {
        let folder = ScratchFolder()
        for (name, bytes) in [
            ("empty", []), ("text", Array("no SOFA at all\n".utf8)), ("magic", [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10]),
        ]
            as [(String, [UInt8])]
        {
            let path = folder.write("\(name).sofa", bytes)
            let error = try #require(refusal(path))
            #expect(error.description.hasPrefix("Couldn't use the head \"\(path)\": "))
        }
        #expect(refusal(folder.path) != nil)
    }

    @Test(.enabled(if: hasStandardHead, "libmysofa1 is not installed")) func filesThatAreCutShortAreRefusedByName() throws {
        let whole = try read(HeadFile.standardPath)
        let folder = ScratchFolder()
        for count in (0..<16).map({ whole.count * $0 / 16 }) + [whole.count - 40_000] {
            let path = folder.write("short.sofa", Array(whole.prefix(count)))
            let error = try #require(refusal(path), "\(count) bytes")
            #expect(error.set == path && !error.reason.isEmpty, "\(count) bytes")
        }
    }

    @Test(
        .enabled(if: hasStandardHead, "libmysofa1 is not installed"),
        arguments: ["MultiSpeakerBRIR", "GeneralTF", "SimpleFreeFieldSOS"])
    func filesOfOtherConventionsAreRefusedByName(convention: String) throws {
        var bytes = try read(HeadFile.standardPath)
        let usual = Array("SimpleFreeFieldHRIR".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: usual) })
        let other = Array(convention.utf8) + [UInt8](repeating: 0, count: usual.count - convention.utf8.count)
        bytes.replaceSubrange(place..<place + usual.count, with: other)
        let folder = ScratchFolder()
        let error = try #require(refusal(folder.write("other.sofa", bytes)))
        #expect(error.reason == "it holds \(convention) with data of type FIR, and not SimpleFreeFieldHRIR with data of type FIR")
    }

    /// Bytes are cut off or changed; the host reads on, and gets a sound table or a reason.
    @Test(.enabled(if: hasStandardHead, "libmysofa1 is not installed")) func damagedFilesAreRefusedOrSound() throws {
        let whole = try read(HeadFile.standardPath)
        let folder = ScratchFolder()
        var random: UInt64 = 11
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        var refused = 0
        for round in 0..<40 {
            var bytes = whole
            // The first bytes hold the tables of the format, so damage there is worse.
            if round % 4 == 0 { bytes.removeLast(next(bytes.count)) }
            for _ in 0..<8 where !bytes.isEmpty {
                bytes[next(min(bytes.count, round % 2 == 0 ? 65_536 : bytes.count))] = UInt8(next(256))
            }
            let path = folder.write("damaged.sofa", bytes)
            do throws(HeadSetError) {
                let set = try HeadFile.read(path)
                #expect(set.positions.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }, "seed 11, round \(round)")
            } catch {
                refused += 1
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(refused > 5)
    }

    private func read(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
        return bytes
    }
}
