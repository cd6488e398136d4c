// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace meshwright::testing {

/// A lesson with a step of every kind, as a file.
inline constexpr std::string_view small_lesson = R"(---
title: A ring
plan: pretrain-8b
---

## What it is {#what}

A text with a block of its own:

```
not a question
```

```notes
Ask first.
```

## Bytes {#bytes}

```number
question: "{ranks} ranks reduce {bytes}. How much does each send?"
formula: ring-all-reduce
result: bytes_per_rank
draw:
  ranks: [4, 8]
  bytes: {values: [1, 2], unit: GB}
unit: GB
hints:
  - Count the phases.
slips:
  - {name: one phase, value: answer / 2, hint: "That is one phase of {ranks} ranks."}
```

## Longer {#longer}

```choice
question: Which takes longer?
draw: {bytes: {values: [1, 2], unit: GB}}
values:
  few: {formula: ring-all-reduce, result: seconds, with: {ranks: 2, bandwidth: 50 GB/s}}
  many: {formula: ring-all-reduce, result: seconds, with: {ranks: 64, bandwidth: 50 GB/s}}
right: largest
options:
  - {text: two ranks, value: few, why: Two ranks send one half twice.}
  - {text: 64 ranks, value: many}
```

## Order {#order}

```order
question: Fastest first
draw: {bytes: {values: [1, 2], unit: GB}}
values:
  two: {formula: ring-all-reduce, result: seconds, with: {ranks: 2, bandwidth: 50 GB/s}}
  four: {formula: ring-all-reduce, result: seconds, with: {ranks: 4, bandwidth: 50 GB/s}}
  eight: {formula: ring-all-reduce, result: seconds, with: {ranks: 8, bandwidth: 50 GB/s}}
items:
  - {text: two, value: two}
  - {text: four, value: four}
  - {text: eight, value: eight}
```

## Bug {#bug}

```bug
question: Which line is wrong?
draw: {ranks: [8, 16], bytes: {values: [1, 2], unit: GB}}
values:
  sent: {formula: ring-all-reduce, result: bytes_per_rank}
program: |
  chunk = bytes / ranks
  steps = 2 * ranks
  total = steps * chunk
check: {total: sent}
fixes:
  - {line: 1, code: chunk = bytes, text: The whole gradient is sent}
  - {line: 2, code: steps = 2 * (ranks - 1), text: A chunk passes N - 1 links}
```

## Code {#code}

```code
question: Write it.
draw: {ranks: [2, 4, 8], bytes: {values: [1, 2], unit: GB}}
formula: ring-all-reduce
result: bytes_per_rank
function: sent
parameters: [ranks, bytes]
```

## Design {#design}

```design
question: Make it fit.
start: {batch.micro_sequences: 4}
fields:
  batch.micro_sequences: [1, 2, 4]
goals:
  - {text: It fits, figure: verdict.fits, is: true}
```
)";

} // namespace meshwright::testing
