// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A watch from the network is no way to flood another machine: an address that has not answered gets little. Test thread.

import Glibc
import OpenSoundControl
import Testing

@testable import Control

@Suite struct OSCClientsTests {
    /// An address of the Internet Protocol, version 4 or 6, as the kernel writes it.
    private static func peer(_ address: String) -> OSCPeer {
        if address.contains(":") {
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            inet_pton(AF_INET6, address, &name.sin6_addr)
            return OSCPeer(address: withUnsafeBytes(of: &name) { Array($0) }, socket: 0)
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, address, &name.sin_addr)
        return OSCPeer(address: withUnsafeBytes(of: &name) { Array($0) }, socket: 0)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.8.7", true), ("::1", true), ("192.168.0.7", false), ("::2", false), ("fe80::1", false),
        ("::ffff:127.0.0.1", false),
    ])
    func addressesOfThisMachineAreKnown(address: String, isOwn: Bool) {
        #expect(Self.peer(address).isOnThisMachine == isOwn)
    }

    /// The bytes that go to a watching address in messages of 40 bytes.
    private func bytes(_ clients: inout OSCClients, to peer: OSCPeer) -> Int {
        (0..<1000).reduce(0) { sum, _ in sum + 40 * clients.admit(clients.watchers(of: .meters, at: 2), byteCount: 40).count }
    }

    @Test func anAddressThatHasNotAnsweredGetsLittleForEachOfItsPackets() throws {
        let peer = Self.peer("192.168.0.7")
        var clients = OSCClients()
        let isWatching = clients.watch(peer, [.meters], at: 1)
        var got = [bytes(&clients, to: peer), bytes(&clients, to: peer)]
        clients.hear(peer, at: 2)
        got.append(bytes(&clients, to: peer))
        #expect(isWatching && got[1] == 0)
        #expect([got[0], got[2]].allSatisfy((1...OSCClients.unansweredBytes).contains))
        // Another number is no answer, and a new watch asks for the same one.
        let question = try #require(clients.question(for: peer))
        clients.take(answer: question ^ 1, of: peer)
        let isStillWatching = clients.watch(peer, [.meters], at: 2)
        #expect(isStillWatching && clients.question(for: peer) == question)
        got = [bytes(&clients, to: peer)]
        clients.take(answer: question, of: peer)
        got.append(bytes(&clients, to: peer))
        #expect(clients.question(for: peer) == nil && got == [0, 40_000])
    }

    @Test func aProgramOnThisMachineGetsEverything() {
        let peer = Self.peer("127.0.0.1")
        var clients = OSCClients()
        let isWatching = clients.watch(peer, [.meters], at: 1)
        let got = bytes(&clients, to: peer)
        #expect(isWatching && clients.question(for: peer) == nil && got == 40_000)
    }
}
