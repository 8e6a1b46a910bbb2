// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The process that tests start as `TestChild`: its first argument chooses what it does. Main thread.

import Glibc
import LinuxSystem

/// Byte offsets in the page that the test passes.
enum PageOffset {
    static let doorbell = 0
    static let lifeline = 64
    static let peer = 128
}

func words(of memory: SharedMemory) -> @Sendable (Int) -> UnsafeMutablePointer<UInt32> {
    { (memory.base + $0).assumingMemoryBound(to: UInt32.self) }
}

/// Takes the page that the test passes.
func takeMemory(_ control: ControlSocket) throws -> SharedMemory {
    let received = try control.receive(limit: 64, timeoutMilliseconds: 5000)
    return try SharedMemory(mapping: Descriptor(owning: received.descriptors[0]), name: "page", isWritable: true)
}

func say(_ control: ControlSocket, _ text: String) throws {
    try control.send(head: Array(text.utf8), body: [], descriptors: [])
}

/// Starts a thread that registers a lifeline if it should, and then sleeps until it is killed or told to return.
func sleepOnAThread(_ control: ControlSocket, isRegistered: Bool) throws {
    let memory = try takeMemory(control)
    let word = words(of: memory)
    let thread = try LinuxSystem.Thread(name: "sleeper") {
        if isRegistered { _ = try? Lifeline.register(lifeline: word(PageOffset.lifeline), doorbell: word(PageOffset.doorbell)) }
        try? say(control, "ready \(Scheduling.currentThread)")
        while word(PageOffset.peer).pointee == 0 { _ = Futex.wait(word(PageOffset.peer), while: 0, until: 0) }
    }
    thread.join()
    while true { pause() }
}

/// Waits at the peer's word and rings the doorbell, round after round.
func echo(_ control: ControlSocket, rounds: Int) throws {
    let memory = try takeMemory(control)
    let word = words(of: memory)
    try say(control, "ready")
    for round in 0..<UInt32(rounds) {
        while word(PageOffset.peer).pointee == round { _ = Futex.wait(word(PageOffset.peer), while: round, until: 0) }
        word(PageOffset.doorbell).pointee = round + 1
        Futex.wake(word(PageOffset.doorbell))
    }
}

/// Makes the kernel answer the futex calls of Linux 6.7 with `error`, as older kernels and the filters of containers do.
func refuseNewFutexCalls(with error: Int32) {
    typealias ProcessControl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
    let control = unsafeBitCast(dlsym(nil, "prctl"), to: ProcessControl.self)
    // Load the number; if it is futex_wake's or futex_wait's, return the error; allow. Code, jumps, operand: see bpf(4).
    let instructions: [(UInt16, UInt8, UInt8, UInt32)] = [
        (0x20, 0, 0, 0), (0x15, 1, 0, 454), (0x15, 0, 1, 455), (0x06, 0, 0, 0x0005_0000 | UInt32(error)), (0x06, 0, 0, 0x7FFF_0000),
    ]
    let setNoNewPrivileges: Int32 = 38
    let setSeccomp: Int32 = 22
    let filterMode: UInt = 2
    let isFiltered = instructions.withUnsafeBytes { bytes in
        withUnsafeBytes(of: (UInt(instructions.count), bytes.baseAddress)) { program in
            control(setNoNewPrivileges, 1, 0, 0, 0) == 0
                && control(setSeccomp, filterMode, UInt(bitPattern: program.baseAddress), 0, 0) == 0
        }
    }
    guard isFiltered else { exit(3) }
}

/// Connects to a Unix socket as another user, sends a line, and prints what comes back; exits with the error number where it cannot.
func knock(at path: String, as user: uid_t) -> Never {
    guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { exit(255) }
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard connected == 0 else { exit(errno) }
    let request = Array("{\"id\":1,\"method\":\"stop\"}\n".utf8)
    _ = send(number, request, request.count, Int32(MSG_NOSIGNAL))
    var bytes = [UInt8](repeating: 0, count: 4096)
    var count = read(number, &bytes, bytes.count)
    while count > 0 {
        _ = write(1, bytes, count)
        count = read(number, &bytes, bytes.count)
    }
    exit(0)
}

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "knock" { knock(at: arguments[2], as: uid_t(arguments[3]) ?? 65_534) }
let control = ControlSocket(owning: Descriptor(owning: 3))
let number = arguments.count > 2 ? Int32(arguments[2]) ?? 0 : 0
switch arguments.count > 1 ? arguments[1] : "" {
case "exit": exit(number)
case "raise":
    raise(number)
    while true { pause() }
case "orphan":
    // A process in this one's group, which holds its control socket as well.
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("sleep"), strdup("20"), nil]
    var orphan: pid_t = 0
    guard posix_spawn(&orphan, "/bin/sleep", nil, nil, &words, environ) == 0 else { exit(2) }
    try say(control, "\(orphan)")
    if number != 0 { raise(number) }
    exit(0)
case "sleep": while true { pause() }
case "descriptors":
    let open = (0..<64).filter { fcntl(Int32($0), F_GETFD) >= 0 }
    try say(control, open.map(String.init).joined(separator: " "))
case "links":
    let paths = (0..<3).map { number in
        var bytes = [UInt8](repeating: 0, count: 4096)
        bytes.removeLast(bytes.count - max(0, readlink("/proc/self/fd/\(number)", &bytes, bytes.count)))
        return String(decoding: bytes, as: UTF8.self)
    }
    try say(control, paths.joined(separator: " "))
case "environment":
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
        names.append(String(cString: text))
        entry += 1
    }
    try say(control, names.sorted().joined(separator: " "))
case "registered": try sleepOnAThread(control, isRegistered: true)
case "unregistered": try sleepOnAThread(control, isRegistered: false)
case "echo":
    if arguments.count > 3, let error = Int32(arguments[3]) { refuseNewFutexCalls(with: error) }
    try echo(control, rounds: Int(number))
default: exit(2)
}
