// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "models/latest_worker.h"
#include "plots/plot.h"

#include <memory>
#include <optional>
#include <string>

namespace meshwright {

class Library;
class TextLabel;
class XyChart;

/// One plot with its title, caption and source. Calculated on another thread.
class PlotCard : public Card {
    Q_OBJECT

public:
    /// @param library  must outlive this card
    explicit PlotCard(const Library &library, QWidget *parent = nullptr);
    ~PlotCard() override;

    /// Calculates the plot, unless it is already shown or being calculated.
    /// @param plan  read only by plots of a plan, which are empty if it is null
    void showPlot(const std::string &name, const Plan *plan);
    const std::shared_ptr<const Plot> &plot() const { return m_plot; }
    XyChart *chart() const { return m_chart; }
    bool isBusy() const { return m_worker->isBusy(); }

private:
    struct Question {
        std::string name;
        std::optional<Plan> plan; ///< set for plots of a plan
        bool operator==(const Question &) const = default;
    };
    using Answer = std::shared_ptr<const Plot>;

    void receive(const Answer &answer);

    std::optional<Question> m_question;
    std::shared_ptr<const Plot> m_plot;
    TextLabel *m_caption;
    XyChart *m_chart;
    TextLabel *m_source;
    std::unique_ptr<LatestWorker<Question, Answer>> m_worker; ///< last member, so that its thread ends first
};

} // namespace meshwright
