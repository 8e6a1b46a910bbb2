// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Makes PipeWire the driver of programs that name none. Control thread.

/// Makes a driver that follows `PipeWireRequests`, for `AudioEngine()`; the caller owns it.
@_cdecl("Bulkhead_makeDefaultDriver")
public func makeDefaultDriver() -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(PipeWireDriver(followsRequests: true) as AnyObject).toOpaque()
}
