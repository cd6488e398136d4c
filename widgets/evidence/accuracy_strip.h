// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evidence/evidence_set.h"

#include <array>

namespace meshwright {

class TextLabel;

/// How well measured runs are predicted, in six figures: how many there are, median, 90th percentile and bias of the
/// step's errors, how many lie in their interval, and the same of memory. With constants set otherwise each says what
/// it was without. The sentence above them says which rows they are of, and how many of those the constants were
/// fitted to.
class AccuracyStrip : public Card {
    Q_OBJECT

public:
    explicit AccuracyStrip(QWidget *parent = nullptr);

    /// @param slice  rows that are looked at, of the first set; @param former  the same rows of the second
    void showSets(const EvidenceSlice &slice, const EvidenceSet &set, const EvidenceSlice &former,
                  const EvidenceSet &unchanged);
    QString headline() const;
    QString figure(int place) const;

private:
    struct Cell {
        TextLabel *name = nullptr;
        TextLabel *figure = nullptr;
        TextLabel *unit = nullptr;
        TextLabel *subline = nullptr;
    };
    static constexpr int CellCount = 6;
    TextLabel *m_headline;
    std::array<Cell, CellCount> m_cells;
};

} // namespace meshwright
