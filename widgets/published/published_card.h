// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

#include <vector>

class QGridLayout;

namespace meshwright {

class FigureLabel;
class TextLabel;

/// What the makers of a preset's run report, next to the prediction: how far the two are apart, and whether the report
/// lies in the prediction's 80 % interval. Hidden where nothing is reported.
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

/// "Tokens per second per accelerator": what a figure is called at the head of a row.
QString publishedName(const PublishedComparison &comparison);
/// "19.9 s", "1,543", "54.2"
QString publishedText(double value, Quantity quantity);
/// "+7.9 %"
QString publishedDifference(const PublishedComparison &comparison);

} // namespace meshwright
