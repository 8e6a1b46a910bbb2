// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// What libFuzzer calls; which parser gets the bytes says BULKHEAD_FUZZ_TARGET. The fuzzer's thread.

import Glibc

private let chosen: FuzzTarget = {
    let name = getenv("BULKHEAD_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    leave(2, "BULKHEAD_FUZZ_TARGET is \"\(name)\"; it has to be one of \(names).")
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
