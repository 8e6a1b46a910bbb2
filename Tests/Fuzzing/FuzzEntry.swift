// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The function that libFuzzer calls; BULKHEAD_FUZZ_TARGET chooses the parser that gets the bytes. The fuzzer's thread.

import Glibc

private let chosen: FuzzTarget = {
    let name = getenv("BULKHEAD_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    if let target = FuzzTarget.all.first(where: { $0.name == name }) { return target }
    let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
    leave(2, "BULKHEAD_FUZZ_TARGET is \"\(name)\"; it has to be one of \(names).")
}()

/// libFuzzer's entry point: gives the chosen parser one input.
///
/// It returns 0, so that libFuzzer may keep the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
