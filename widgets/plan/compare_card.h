// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/result_card.h"

#include <array>

namespace meshwright {

class FigureLabel;
class TextLabel;

/// The current plan next to the plan as opened: the effect of all edits together.
class CompareCard : public ResultCard {
    Q_OBJECT

public:
    explicit CompareCard(QWidget *parent = nullptr);
    /// Sets the result of the plan as opened. Call before showPlan().
    void setOpened(std::shared_ptr<const Result> opened);

protected:
    void showResult(const Result &result) override;

private:
    static constexpr int rowCount = 10;
    struct Row {
        TextLabel *name = nullptr;
        FigureLabel *opened = nullptr;
        FigureLabel *now = nullptr;
        FigureLabel *change = nullptr;
    };
    std::shared_ptr<const Result> m_opened;
    std::array<Row, rowCount> m_rows;
};

} // namespace meshwright
