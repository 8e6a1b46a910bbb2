// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that was started and cannot be watched is ended, and everything that was started with it.

import FoundationEssentials
import Glibc
import LinuxSystem
import Synchronization
import Testing

@testable import PluginHosting

/// System calls that the kernel refuses to a thread and its children.
private enum Refusal {
    private static let pidfdOpen: UInt32 = 434
    /// Numbers of prctl(2): to give up new privileges, without which the kernel takes no filter, and to set a filter.
    private static let (keepFromPrivileges, filter): (Int32, Int32) = (38, 22)
    private static let byInstructions: UInt = 2

    /// One instruction of a filter of system calls: `struct sock_filter`.
    private struct Instruction {
        var code: UInt16
        var jumpTrue: UInt8 = 0
        var jumpFalse: UInt8 = 0
        var value: UInt32
    }

    /// `struct sock_fprog`.
    private struct Program {
        var count: UInt16
        var instructions: UnsafeMutablePointer<Instruction>?
    }

    /// Refuses pidfd_open with EMFILE, for the rest of the calling thread's life.
    static func ofPidfds() throws {
        // Loads the number of the call; answers that one with an error and allows every other.
        var instructions = [
            Instruction(code: 0x20, value: 0), Instruction(code: 0x15, jumpFalse: 1, value: pidfdOpen),
            Instruction(code: 0x06, value: 0x0005_0000 | UInt32(EMFILE)), Instruction(code: 0x06, value: 0x7FFF_0000),
        ]
        // SAFETY: prctl(2) takes integers only, and these calling conventions pass them alike with and without variable
        // arguments.
        typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let prctl = unsafeBitCast(try #require(dlsym(nil, "prctl")), to: Call.self)
        instructions.withUnsafeMutableBufferPointer { instructions in
            var program = Program(count: UInt16(instructions.count), instructions: instructions.baseAddress)
            withUnsafePointer(to: &program) { program in
                _ = prctl(keepFromPrivileges, 1, 0, 0, 0)
                _ = prctl(filter, byInstructions, UInt(bitPattern: program), 0, 0)
            }
        }
    }
}

@Suite struct UnwatchedProcessTests {
    @Test(arguments: [ConfinementProfile.strict, .standard, .off])
    func nothingStaysOfAProcessThatCannotBeWatched(profile: ConfinementProfile) throws {
        let outcome = Mutex<(error: (any Error)?, children: String?)>((nil, nil))
        // A filter belongs to a thread, and so do the thread's children as long as it lives.
        let thread = try LinuxSystem.Thread(name: "refused") {
            do {
                try Refusal.ofPidfds()
                _ = try Fugitive(profile, try Treasury())
            } catch {
                let children = FileManager.default.contents(atPath: "/proc/thread-self/children")
                outcome.withLock { $0 = (error, children.map { String(decoding: $0, as: UTF8.self) }) }
            }
        }
        thread.join()
        let (error, children) = outcome.withLock { $0 }
        #expect((error as? SystemError)?.code == EMFILE)
        #expect(children == "")
    }
}
