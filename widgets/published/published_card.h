// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

#include <vector>

class QGridLayout;

namespace meshwright {

class FigureLabel;
class TextLabel;

/// Compares the figures reported by the authors of a preset's run with the prediction: the relative difference, and
/// whether the reported value lies in the 80% interval of the prediction. Hidden if nothing is reported.
class PublishedCard : public ResultCard {
    Q_OBJECT

public:
    explicit PublishedCard(QWidget *parent = nullptr);

protected:
    void showResult(const Result &result) override;

private:
    struct Row {
        TextLabel *name;
        FigureLabel *reported;
        FigureLabel *predicted;
        FigureLabel *difference;
        TextLabel *interval;
    };
    void showRow(std::size_t index, const PublishedComparison &comparison);
    Row newRow();

    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    TextLabel *m_note;
};

/// Title of a figure's row: "Tokens per second per accelerator".
QString publishedName(const PublishedComparison &comparison);
/// Formatted value: "19.9 s", "1,543", "54.2".
QString publishedText(double value, Quantity quantity);
/// Difference of the prediction from the reported value: "+7.9%".
QString publishedDifference(const PublishedComparison &comparison);

} // namespace meshwright
