// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace meshwright {

/// Documents packed one after another into sequences of equal length. A document that does not fit continues in the
/// next sequence. Sources: GPT-3, arXiv 2005.14165, appendix B, without a mask; Llama 3, arXiv 2407.21783, section 3.2,
/// for a mask between documents, and section 3.3.2 for context-parallel ranks with two chunks each.
struct PackedDocuments {
    double tokens = 0;
    double sequences = 0; ///< number of sequences, including the last, which is padded
    double padded_sequences = 0; ///< number of sequences if each document is padded to whole sequences
    double causal_pairs = 0; ///< query-key pairs under the causal mask alone
    double masked_pairs = 0; ///< query-key pairs within the same document
    double busiest_pairs =
        0; ///< query-key pairs within documents on the busiest context-parallel rank, summed over sequences
};

enum class ContextSplit {
    zigzag, ///< rank r of c ranks takes chunks r and 2 c - 1 - r of 2 c chunks
    contiguous ///< each rank takes one chunk
};

/// @param sequence_length, context integers, at least 1
/// @param documents lengths of the documents in tokens, integers, at least 1
PackedDocuments packed_documents(double sequence_length, double context, ContextSplit split,
                                 std::span<const double> documents);

/// Effect of averaging the mean losses of microbatches with different numbers of tokens. Each microbatch then has the
/// same weight, although a loss over all tokens would weight it by its number of tokens.
struct AveragedMicrobatches {
    double tokens = 0;
    double naive_share = 0; ///< weight of each microbatch under naive averaging
    double misplaced_share = 0; ///< half of the sum of absolute differences from the correct weights
    double most_weight = 0; ///< weight of a token in the shortest microbatch relative to its correct weight
    double least_weight = 0; ///< weight of a token in the longest microbatch relative to its correct weight
};
/// @param tokens tokens per microbatch, at least 1 each
AveragedMicrobatches averaged_microbatches(std::span<const double> tokens);

} // namespace meshwright
