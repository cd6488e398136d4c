// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "evidence/evidence_set.h"

#include <array>

namespace meshwright {

class TextLabel;

/// Prediction accuracy on measured runs in six figures: number of runs; median, 90th percentile and bias of the step
/// time error; fraction inside the 80% interval; and median error of peak memory. If the plan overrides constants, each
/// affected figure also shows its value without the overrides. The headline states the rows that the figures cover, and
/// how many of them were used to fit the constants.
class AccuracyStrip : public Card {
    Q_OBJECT

public:
    explicit AccuracyStrip(QWidget *parent = nullptr);

    /// @param slice  selected rows of `set`
    /// @param former  the same rows in `unchanged`
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
