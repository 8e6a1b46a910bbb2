// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The command: everything is in TerminalHost. Main thread.

import Glibc
import TerminalHost

exit(TerminalHost.run())
