// SPDX-License-Identifier: GPL-3.0-or-later
#include "derived_formulas.h"
#include "formulas/formula.h"
#include "formulas/packing.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace meshwright {

namespace {

using testing::given;
using testing::near;

/// Numbers that an algorithm reads from and writes to HBM per head.
struct Moved {
    double numbers = 0; ///< elements of queries, keys, values, outputs, scores and their gradients
    double statistics = 0; ///< softmax statistics, in FP32
};

/// Counts the traffic of FlashAttention block by block (arXiv 2205.14135, algorithms 1 and 4).
Moved moved_by_blocks(int sequence, int head_dim, int block) {
    Moved moved;
    for (int first_key = 0; first_key < sequence; first_key += block) {
        const int keys = std::min(block, sequence - first_key);
        moved.numbers += 2 * keys * head_dim; // K and V are read
        moved.numbers += (2 + 2) * keys * head_dim; // backward: K and V are read, their gradients are written
        for (int query = 0; query < sequence; ++query) {
            moved.numbers += 2 * head_dim + head_dim; // Q and O are read, O is written
            moved.statistics += 2 + 2;
            moved.numbers += 4 * head_dim + head_dim; // backward: Q, O, dO and dQ are read, dQ is written
            moved.statistics += 2;
        }
    }
    return moved;
}

double scores_passes_and_rows(double sequence, double head_dim) {
    const double row = sequence * head_dim;
    const double scores = sequence * sequence;
    double numbers = 0;
    numbers += 2 * row + scores; // S = Q K^T
    numbers += 2 * scores; // P = softmax(S)
    numbers += scores + row + row; // O = P V
    numbers += scores + row + row; // dV = P^T dO
    numbers += 2 * row + scores; // dP = dO V^T
    numbers += 3 * scores; // dS, from P and dP
    numbers += scores + row + row; // dQ = dS K
    numbers += scores + row + row; // dK = dS^T Q
    return numbers;
}

} // namespace

TEST(AttentionHbm, CountsTheAlgorithmsOfThePaper) {
    for (const auto &[sequence, head_dim, on_chip] :
         {std::array{1024, 64, 196608}, std::array{1000, 80, 100 * 1024}, std::array{128, 128, 196608}}) {
        const auto bytes = [&, s = sequence, d = head_dim, m = on_chip](const char *result) {
            return given("attention-hbm", result,
                         {{"batch", 3}, {"heads", 5}, {"sequence", s}, {"head_dim", d}, {"on_chip_bytes", m}});
        };
        const int block = static_cast<int>(bytes("block"));
        EXPECT_EQ(block, (on_chip / 2 + 4 * head_dim - 1) / (4 * head_dim)) << "M / 4 d numbers";
        const Moved moved = moved_by_blocks(sequence, head_dim, block);
        near(bytes("fused_bytes"), 15 * (2 * moved.numbers + 4 * moved.statistics));
        near(bytes("plain_bytes"), 15 * 2 * scores_passes_and_rows(sequence, head_dim));
        near(bytes("traffic_ratio"), bytes("plain_bytes") / bytes("fused_bytes"));
        EXPECT_LT(bytes("fused_forward_bytes"), bytes("fused_bytes"));
        near(bytes("plain_forward_bytes"), 15 * 2.0 * (4 * sequence * head_dim + 4.0 * sequence * sequence));
    }
}

/// By theorem 2, the numbers moved grow as N^2 d^2 / M; a forward pass of algorithm 1 moves 12 times that.
TEST(AttentionHbm, FallsWithOnChipMemory) {
    const auto numbers = [](double on_chip_numbers) {
        return given("attention-hbm", "fused_forward_bytes",
                     {{"batch", 1},
                      {"heads", 1},
                      {"sequence", 1 << 22},
                      {"head_dim", 128},
                      {"on_chip_bytes", 2 * on_chip_numbers}})
            / 2;
    };
    for (const double on_chip : {8192.0, 65536.0}) {
        const double quadratic = std::pow(2.0, 44) * 128 * 128 / on_chip;
        // The statistics add another 8 numbers of 16 bits to the 3 x 128 per query in each pass.
        EXPECT_NEAR(numbers(on_chip) / quadratic, 12 * (3 * 128 + 8) / (3 * 128.0), 1e-3);
    }
}

namespace {

/// Counts the attended pairs per context-parallel rank, token by token; returns the maximum divided by the mean.
double busiest_over_mean(const std::vector<double> &documents, int length, int ranks, ContextSplit split) {
    std::vector<int> starts; // start of each token's document within its sequence
    for (const double tokens : documents)
        for (int i = 0, start = 0; i < static_cast<int>(tokens); ++i) {
            const int place = static_cast<int>(starts.size()) % length;
            start = i == 0 || place == 0 ? place : start;
            starts.push_back(start);
        }
    const int chunks = split == ContextSplit::zigzag ? 2 * ranks : ranks;
    double busiest = 0;
    double all = 0;
    for (std::size_t first = 0; first < starts.size(); first += static_cast<std::size_t>(length)) {
        std::vector<double> pairs(static_cast<std::size_t>(ranks), 0);
        for (int place = 0; place < length && first + static_cast<std::size_t>(place) < starts.size(); ++place) {
            int chunk = 0;
            while (place >= length * (chunk + 1) / chunks)
                ++chunk;
            const int rank = chunk < ranks ? chunk : 2 * ranks - 1 - chunk;
            const double keys = place - starts[first + static_cast<std::size_t>(place)] + 1;
            pairs[static_cast<std::size_t>(rank)] += keys;
            all += keys;
        }
        busiest += *std::max_element(pairs.begin(), pairs.end());
    }
    return busiest * ranks / all;
}

} // namespace

RC_GTEST_PROP(DocumentPacking, LeavesContextRanksUnequal, ()) {
    const int length = *rc::gen::inRange(1, 40);
    const int ranks = *rc::gen::inRange(1, 6);
    std::vector<double> documents;
    for (int i = *rc::gen::inRange(1, 12); i > 0; --i)
        documents.push_back(*rc::gen::inRange(1, 91));
    for (const ContextSplit split : {ContextSplit::zigzag, ContextSplit::contiguous}) {
        const PackedDocuments packed = packed_documents(length, ranks, split, documents);
        const double imbalance = packed.busiest_pairs * ranks / packed.masked_pairs;
        RC_ASSERT(std::abs(imbalance - busiest_over_mean(documents, length, ranks, split)) < 1e-9);
        RC_ASSERT(imbalance >= 1 - 1e-12);
    }
}

TEST(DocumentPacking, BalancesOneDocumentByTwoChunks) {
    const auto imbalance = [](const char *split) {
        return calculate("document-packing",
                         {{"sequence", "8192"}, {"document_tokens", "8192"}, {"context", "4"}, {"split", split}})
            .values.back()
            .value;
    };
    near(imbalance("zigzag"), 1);
    EXPECT_NEAR(imbalance("contiguous"), 2 - 1.0 / 4, 1e-3); // the last of 4 ranks has the most attended keys
}

} // namespace meshwright
