// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evidence/evidence_set.h"

#include <array>

namespace meshwright {

class FigureSentence;
class TextLabel;

/// How well measured runs are predicted, in six figures: how many there are, median, 90th percentile and bias of the
/// step's errors, how many lie in their interval, and the same of memory. With constants set otherwise each says what
/// it was without.
class AccuracyStrip : public Card {
    Q_OBJECT

public:
    explicit AccuracyStrip(QWidget *parent = nullptr);

    void showSets(const EvidenceSet &set, const EvidenceSet &unchanged);
    QString figure(int place) const;

private:
    struct Cell {
        TextLabel *name = nullptr;
        FigureSentence *figure = nullptr;
        TextLabel *unit = nullptr;
        FigureSentence *subline = nullptr;
    };
    static constexpr int CellCount = 6;
    std::array<Cell, CellCount> m_cells;
};

} // namespace meshwright
