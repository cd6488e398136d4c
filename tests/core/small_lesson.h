// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/library.h"
#include "input/diagnostic.h"
#include "lessons/figure_trial.h"
#include "lessons/lesson_document.h"
#include "lessons/lesson_reading.h"
#include "lessons/lesson_trial.h"

#include <string>
#include <string_view>

namespace meshwright::testing {

/// A lesson with a step of every kind and with figures, as a file.
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
start: {batch.micro_sequences: 8, recompute.mode: none}
fields:
  batch.micro_sequences: [1, 8, 3]
goals:
  - {text: Fast, figure: step.mfu, at_least: 0.2, at_most: 0.9}
  - {text: It fits, figure: verdict.fits, is: true}
```

## A card {#card}

```discussion
values:
  mfu: {figure: step.mfu}
  other: {figure: step.mfu, set: {plan: smollm-135m}}
  peak: {figure: memory.peak_bytes}
  fits: {figure: verdict.fits}
  sent: {formula: ring-all-reduce, result: bytes_per_rank, with: {ranks: 4, bytes: 2e9}}
```

It reaches {mfu}, another {other}; the peak is {peak}. Does it fit? {fits}. A ring sends {sent}.

## Memory {#memory}

The peak with {first} tokens.

```figure
kind: memory
turn:
  batch.micro_sequences: [2, 1]
  recompute.mode: [none, full]
```

```number
question: "{first}, {second} and again {first} tokens. Which share is misplaced?"
draw:
  first: [100, 300]
  second: [500, 700]
formula: accumulation-weights
result: misplaced_share
with: {microbatch_tokens: [first, second, first]}
hints:
  - Count the tokens.
  - {text: Look at the activations., marks: activations}
```

## Curve {#curve}

```figure
kind: curve
formula: ring-all-reduce
result: seconds
over: ranks
with: {ranks: 8, bytes: 1e9, bandwidth: 50e9}
```
)";

/// The problem of the lesson after a text in it is replaced, in one line; empty if there is none.
inline std::string problem_with(const std::string &from, const std::string &to) {
    std::string text(small_lesson);
    const std::size_t place = text.find(from);
    if (place == std::string::npos)
        return "the lesson has no " + from;
    text.replace(place, from.size(), to);
    constexpr std::uint64_t draws = 20;
    try {
        const LessonDocument document = lesson_document(text);
        LessonReading reading = read_lesson(document, "own", Library::standard());
        if (reading.problems.empty())
            reading.problems = document.with_lines(try_figures(reading.lesson, Library::standard()));
        if (reading.problems.empty())
            reading.problems = document.with_lines(try_questions(reading.lesson, Library::standard(), draws));
        return reading.problems.empty() ? std::string() : one_line("own.md", reading.problems);
    } catch (const InputError &error) {
        return one_line("own.md", error.diagnostics());
    }
}

} // namespace meshwright::testing
