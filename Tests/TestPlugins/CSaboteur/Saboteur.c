// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A plug-in that breaks one rule of the protocol at each order. The library is part of this file, so that all of it can be broken.
#define VARIANT_SABOTEUR
#define VARIANT_NAME "Saboteur"
#define VARIANT_COMPONENT "aufx:sabo:test"
#include "Variant.c"

#include "Answers.c"
#include "Doorbells.c"
#include "Orders.c"
#include "Threads.c"
#include "Words.c"
