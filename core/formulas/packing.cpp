// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/packing.h"

#include "formulas/catalogue.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

/// Number of query-key pairs in a sequence if each token attends to itself and to all tokens before it.
double causal_pairs_of(double tokens) {
    return tokens * (tokens + 1) / 2;
}

class Packer {
public:
    Packer(double sequence_length, double context, ContextSplit split)
        : m_length(sequence_length)
        , m_context(context)
        , m_split(split) { }

    void add(double document) {
        m_packed.tokens += document;
        m_packed.padded_sequences += std::ceil(document / m_length);
        const double first = std::min(document, m_length - m_filled);
        append(first);
        const double whole = std::floor((document - first) / m_length);
        if (whole > 0)
            close({m_length}, whole);
        if (const double rest = document - first - whole * m_length; rest > 0)
            append(rest);
    }
    PackedDocuments finish() {
        if (m_filled > 0)
            close(std::exchange(m_ends, {}), 1);
        m_packed.causal_pairs = m_packed.sequences * causal_pairs_of(m_length);
        return m_packed;
    }

private:
    void append(double tokens) {
        m_filled += tokens;
        m_ends.push_back(m_filled);
        if (m_filled == m_length) {
            close(std::exchange(m_ends, {}), 1);
            m_filled = 0;
        }
    }
    /// Counts `times` copies of a sequence whose documents end at the given tokens.
    void close(const std::vector<double> &ends, double times) {
        const std::vector<double> ranks = pairs_of_ranks(ends);
        double pairs = 0;
        for (const double one : ranks)
            pairs += one;
        m_packed.sequences += times;
        m_packed.masked_pairs += times * pairs;
        m_packed.busiest_pairs += times * *std::max_element(ranks.begin(), ranks.end());
    }
    std::vector<double> pairs_of_ranks(const std::vector<double> &ends) const {
        const bool zigzag = m_split == ContextSplit::zigzag;
        const auto ranks = static_cast<std::size_t>(m_context);
        const std::vector<double> chunks = pairs_of_chunks(ends, zigzag ? 2 * ranks : ranks);
        if (!zigzag)
            return chunks;
        std::vector<double> pairs(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            pairs[rank] = chunks[rank] + chunks[2 * ranks - 1 - rank];
        return pairs;
    }
    std::vector<double> pairs_of_chunks(const std::vector<double> &ends, std::size_t count) const {
        std::vector<double> chunks;
        chunks.reserve(count);
        double finished = 0; // query-key pairs in documents that end before the chunk
        double start = 0; // start of the document in which the chunk ends
        double before = 0;
        std::size_t document = 0;
        for (std::size_t chunk = 1; chunk <= count; ++chunk) {
            const double limit = std::floor(m_length * static_cast<double>(chunk) / static_cast<double>(count));
            for (; document < ends.size() && ends[document] <= limit; ++document) {
                finished += causal_pairs_of(ends[document] - start);
                start = ends[document];
            }
            const double open = document < ends.size() ? causal_pairs_of(limit - start) : 0;
            chunks.push_back(finished + open - before);
            before = finished + open;
        }
        return chunks;
    }

    double m_length;
    double m_context;
    ContextSplit m_split;
    double m_filled = 0; ///< tokens in the partly filled sequence
    std::vector<double> m_ends; ///< document ends in the partly filled sequence
    PackedDocuments m_packed;
};

} // namespace

PackedDocuments packed_documents(double sequence_length, double context, ContextSplit split,
                                 std::span<const double> documents) {
    Packer packer(sequence_length, context, split);
    for (const double document : documents)
        packer.add(document);
    return packer.finish();
}

AveragedMicrobatches averaged_microbatches(std::span<const double> tokens) {
    AveragedMicrobatches averaged;
    for (const double one : tokens)
        averaged.tokens += one;
    const auto count = static_cast<double>(tokens.size());
    averaged.naive_share = 1 / count;
    for (const double one : tokens)
        averaged.misplaced_share += std::abs(averaged.naive_share - one / averaged.tokens) / 2;
    averaged.most_weight = averaged.tokens / (count * *std::min_element(tokens.begin(), tokens.end()));
    averaged.least_weight = averaged.tokens / (count * *std::max_element(tokens.begin(), tokens.end()));
    return averaged;
}

namespace catalogue {

using enum Quantity;

namespace {

/// A result that needs only the packed documents. Arguments: sequence, document_tokens.
template <double (*Of)(const PackedDocuments &, double)>
double of_packed(std::span<const double> values) {
    return Of(packed_documents(values[0], 1, ContextSplit::contiguous, values.subspan(1)), values[0]);
}
double tokens_of(const PackedDocuments &packed, double /*length*/) {
    return packed.tokens;
}
double sequences_of(const PackedDocuments &packed, double /*length*/) {
    return packed.sequences;
}
double padded_sequences_of(const PackedDocuments &packed, double /*length*/) {
    return packed.padded_sequences;
}
double useful_share_of(const PackedDocuments &packed, double length) {
    return packed.tokens / (packed.sequences * length);
}
double padded_share_of(const PackedDocuments &packed, double length) {
    return packed.tokens / (packed.padded_sequences * length);
}
double attention_share_of(const PackedDocuments &packed, double /*length*/) {
    return packed.masked_pairs / packed.causal_pairs;
}

/// 12 FLOPs per query-key pair, layer and element of the attention width: two GEMMs forward, four backward. Source:
/// PaLM, arXiv 2204.02311, appendix B.
double attention_flops_of(double pairs, double layers, double width) {
    return 12 * layers * width * pairs;
}
/// Arguments: layers, width, sequence, document_tokens.
double flops_without_mask(std::span<const double> values) {
    const PackedDocuments packed = packed_documents(values[2], 1, ContextSplit::contiguous, values.subspan(3));
    return attention_flops_of(packed.causal_pairs, values[0], values[1]);
}
double flops_with_mask(std::span<const double> values) {
    const PackedDocuments packed = packed_documents(values[2], 1, ContextSplit::contiguous, values.subspan(3));
    return attention_flops_of(packed.masked_pairs, values[0], values[1]);
}
/// Arguments: context, split, sequence, document_tokens.
double context_imbalance(std::span<const double> values) {
    const ContextSplit split = values[1] == 0 ? ContextSplit::zigzag : ContextSplit::contiguous;
    const PackedDocuments packed = packed_documents(values[2], values[0], split, values.subspan(3));
    return packed.busiest_pairs * values[0] / packed.masked_pairs;
}

template <double AveragedMicrobatches::*Member>
double of_averaged(std::span<const double> tokens) {
    return averaged_microbatches(tokens).*Member;
}
/// Arguments: microbatch, microbatch_tokens.
double token_share(std::span<const double> values) {
    const std::span<const double> tokens = values.subspan(1);
    if (values[0] > static_cast<double>(tokens.size()))
        return formula::undefined;
    return tokens[static_cast<std::size_t>(values[0]) - 1] / averaged_microbatches(tokens).tokens;
}

Symbol listed_tokens(std::string_view name, std::string_view letter, std::string_view meaning) {
    Symbol symbol = amount(tokens, name, letter, meaning);
    symbol.high = 1e9;
    symbol.whole = true;
    symbol.is_list = true;
    return symbol;
}

Formula packing() {
    return {
        .id = "document-packing",
        .title = "Document packing and document mask",
        .topic = topic::compute,
        .symbols = {whole("sequence", "s", "sequence length in tokens"),
                    listed_tokens("document_tokens", "l", "tokens of each document"),
                    whole("layers", "L", "layers", 1, 1e6), whole("width", "w", "heads times head dimension", 1, 1e7),
                    otherwise(whole("context", "c", "context-parallel ranks", 1, 256), 1),
                    otherwise(
                        choice("split", "z",
                               "zigzag: one early and one late chunk per context-parallel rank; contiguous: one chunk",
                               {"zigzag", "contiguous"}),
                        0)},
        .results = {procedure({"attention_share", "r", "attention FLOPs with the mask, relative to no mask", share},
                              {"sequence", "document_tokens"}, of_packed<attention_share_of>),
                    procedure({"tokens", "D", "tokens of all documents", tokens}, {"sequence", "document_tokens"},
                              of_packed<tokens_of>),
                    procedure({"sequences", "n", "packed sequences", count}, {"sequence", "document_tokens"},
                              of_packed<sequences_of>),
                    procedure({"useful_share", "u", "fraction of positions that hold a token, with packing", share},
                              {"sequence", "document_tokens"}, of_packed<useful_share_of>),
                    procedure(
                        {"padded_sequences", "n_p", "number of sequences if each holds one padded document", count},
                        {"sequence", "document_tokens"}, of_packed<padded_sequences_of>),
                    procedure({"padded_useful_share", "u_p",
                               "fraction of positions that hold a token, with one padded document per sequence", share},
                              {"sequence", "document_tokens"}, of_packed<padded_share_of>),
                    procedure({"flops", "C", "attention FLOPs without the mask, forward and backward", flops},
                              {"layers", "width", "sequence", "document_tokens"}, flops_without_mask),
                    procedure({"masked_flops", "C_m", "attention FLOPs with the mask", flops},
                              {"layers", "width", "sequence", "document_tokens"}, flops_with_mask),
                    procedure({"imbalance", "x",
                               "attention of the busiest context-parallel rank relative to the mean, with the mask",
                               Quantity::number},
                              {"context", "split", "sequence", "document_tokens"}, context_imbalance)},
        .source = "Packing without a mask: GPT-3, arXiv 2005.14165, appendix B. Document mask and two chunks per "
                  "context-parallel rank: Llama 3, arXiv 2407.21783, sections 3.2 and 3.3.2",
        .notes = "Attention is causal with and without the document mask, and every token attends to itself. A "
                 "document that does not fit "
                 "into a sequence continues in the next one, where it cannot attend to its beginning."};
}

Formula averaging() {
    return {
        .id = "accumulation-weights",
        .title = "Averaging over microbatches with unequal token counts",
        .topic = topic::batch_and_learning_rate,
        .symbols = {listed_tokens("microbatch_tokens", "n", "trained tokens of each microbatch"),
                    otherwise(whole("microbatch", "i", "microbatch, from 1", 1, 1e5), 1)},
        .results =
            {procedure({"misplaced_share", "e",
                        "fraction of the total averaging weight that naive averaging assigns to the wrong microbatches",
                        share},
                       {"microbatch_tokens"}, of_averaged<&AveragedMicrobatches::misplaced_share>),
             procedure({"most_weight", "w_1",
                        "weight of a token in the shortest microbatch relative to its correct weight",
                        Quantity::number},
                       {"microbatch_tokens"}, of_averaged<&AveragedMicrobatches::most_weight>),
             procedure({"least_weight", "w_0",
                        "weight of a token in the longest microbatch relative to its correct weight", Quantity::number},
                       {"microbatch_tokens"}, of_averaged<&AveragedMicrobatches::least_weight>),
             procedure({"tokens", "D", "tokens of all microbatches", tokens}, {"microbatch_tokens"},
                       of_averaged<&AveragedMicrobatches::tokens>),
             procedure({"naive_share", "a", "weight of each microbatch under naive averaging", share},
                       {"microbatch_tokens"}, of_averaged<&AveragedMicrobatches::naive_share>),
             procedure({"token_share", "a_i", "correct weight of the microbatch: its share of the tokens", share},
                       {"microbatch", "microbatch_tokens"}, token_share)},
        .source = "Derived by comparing the mean of the microbatches' mean losses with the mean over all tokens; "
                  "Unsloth, Bugs in "
                  "LLM training: gradient accumulation fix, 2024",
        .notes = "A mean over data-parallel ranks has the same error. The remedy is to divide the sum of the losses by "
                 "the tokens of the whole batch."};
}

} // namespace

std::vector<Formula> packing_formulas() {
    return {packing(), averaging()};
}

} // namespace catalogue

} // namespace meshwright
