// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The ports that the tracks of a file are for. Test thread.

import MIDIFiles
import Testing

@Suite struct PortTests {
    private func song(_ tracks: String...) throws -> MIDIFile {
        try MIDIFile(
            bytes: FileBytes.header(format: 1, tracks: tracks.count)
                + tracks.flatMap { FileBytes.chunk(FileBytes.hex($0 + " 00 FF 2F 00")) }, isStrict: true)
    }

    private func ports(_ song: MIDIFile) -> [[UInt8]] { song.tracks.map { $0.events.map(\.port) } }

    @Test func eachNumberIsAPort() throws {
        let song = try song("00 FF 51 03 07 A1 20", "00 FF 21 01 00 00 90 3C 64", "00 FF 21 01 01 00 90 3C 64")
        #expect(ports(song) == [[], [0], [1]] && song.portCount == 2)
        #expect(try MIDIFile(bytes: song.encoded()) == song)
    }

    @Test func portsWithoutMessagesAreNotCounted() throws {
        let song = try song("00 FF 21 01 00 00 FF 51 03 07 A1 20", "00 FF 21 01 07 00 90 3C 64", "00 FF 21 01 02 00 90 3C 64")
        #expect(ports(song) == [[], [1], [0]], "in the order of their numbers")
    }

    @Test func aTrackCanChangeItsPort() throws {
        #expect(ports(try song("00 90 3C 64 00 FF 21 01 01 00 91 3C 64 00 FF 21 01 00 00 92 3C 64")) == [[0, 1, 0]])
    }

    @Test func devicesThatShareAChannelArePorts() throws {
        let (a, b) = ("00 FF 09 01 41", "00 FF 09 01 42")
        #expect(ports(try song(a + " 00 90 3C 64", b + " 00 90 3C 64 00 91 3C 64")) == [[0], [1, 1]])
        #expect(ports(try song(a + " 00 90 3C 64", b + " 00 91 3C 64")) == [[0], [0]], "a device for each track is one port")
        #expect(ports(try song(b + " 00 90 3C 64", "00 91 3C 64")) == [[1], [0]], "a track without a device has port 0")
    }

    @Test func aNumberCountsBeforeADevice() throws {
        let song = try song("00 FF 09 01 41 00 FF 21 01 00 00 90 3C 64", "00 FF 09 01 42 00 FF 21 01 00 00 90 3C 64")
        #expect(song.portCount == 1)
    }

    @Test func moreThan256PortsAreDamage() throws {
        let tracks = (0..<300).flatMap { number -> [UInt8] in
            let name = [0x41 + UInt8(number % 20), 0x41 + UInt8(number / 20)]
            return FileBytes.chunk([0, 0xFF, 9, 2] + name + [0, 0x90, 60, 100, 0, 0xFF, 0x2F, 0])
        }
        let song = try MIDIFile(bytes: FileBytes.header(format: 1, tracks: 300) + tracks)
        #expect(song.portCount == 256 && song.damage?.count == 44)
    }
}
