// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timeline_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace meshwright {

/// Rows of forward passes, backward passes and idle time of unequal lengths, without gaps. The same seed gives the same
/// rows.
inline TimelineModelPointer unevenTimeline(int rows, int spansOfRow, unsigned seed = 1) {
    auto model = std::make_shared<TimelineModel>();
    model->styles = {TimelineStyle{},
                     {QStringLiteral("forward"), QStringLiteral("F"), Kind::Blue},
                     {QStringLiteral("backward"), QStringLiteral("B"), Kind::Yellow},
                     {QStringLiteral("idle"), {}, Kind::Grey, TimelineStyle::Fill::Hatched}};
    model->trackWord = QStringLiteral("rank");
    std::mt19937 random(seed);
    const auto draw = [&random] { return static_cast<double>(random() % 10'000) / 10'000; };
    double end = 0;
    for (int row = 0; row < rows; ++row) {
        std::vector<TimelineSpan> spans;
        double time = 0;
        for (int i = 0; i < spansOfRow; ++i) {
            const double length = 1e-3 * (0.05 + draw());
            const auto style = static_cast<std::uint8_t>(1 + random() % 3);
            spans.push_back({{time, time + length},
                             {.number = style == 3 ? -1 : i, .source = i, .style = style, .marked = i % 5 == 0}});
            time += length;
        }
        end = std::max(end, time);
        model->tracks.emplace_back(QString::number(row), spans);
    }
    model->whole = {0, end};
    return model;
}

} // namespace meshwright
