// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Hears when poses begin and when they end. The main queue, or the queue of the updates.

import Foundation

/// Hears when the poses of a head begin and end, on the queue of the updates, or on the main queue if they have none.
public protocol CMHeadphoneMotionManagerDelegate: NSObjectProtocol {
    /// The first pose has come since the updates began.
    func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager)
    /// The source of the poses has been taken away.
    func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager)
}

extension CMHeadphoneMotionManagerDelegate {
    /// Does nothing.
    public func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) {}
    /// Does nothing.
    public func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) {}
}
