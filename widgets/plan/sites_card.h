// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "sites/sites_run.h"
#include "sites/sites_timeline.h"
#include "views/result_card.h"

#include <optional>

namespace meshwright {

class SitesLegend;
class TextLabel;
class TimelineAxis;
class TimelineCanvas;

/// A small version of the Sites view on the Plan page: steps, stalls and transfers of one round of a sample of sites.
/// Simulates only while visible and not during a series of edits.
class SitesCard : public ResultCard {
    Q_OBJECT

public:
    explicit SitesCard(QWidget *parent = nullptr);

    /// Hides the card if the plan has one site.
    void showPlan(const PlanView &view);
    /// Tells the card about a series of edits, during which it starts no simulation.
    void setHeld(bool held);
    const TimelineCanvas *canvas() const { return m_canvas; }

Q_SIGNALS:
    void viewWanted();

protected:
    void showResult(const Result &result) override;
    void showEvent(QShowEvent *event) override;

private:
    void ask();
    void receive(const DrawnSites &drawn);

    TimelineAxis *m_axis;
    TimelineCanvas *m_canvas;
    SitesLegend *m_legend;
    TextLabel *m_note;
    std::optional<SitesQuestion> m_question;
    bool m_asked = true; ///< whether the current plan was sent to the simulation; true before the first plan
    bool m_held = false;
    SitesRunPointer m_run;
    SitesTimeline m_rows;
    LatestWorker<SitesQuestion, DrawnSites>
        m_worker; ///< last member, so that its thread ends before the members above are destroyed
};

} // namespace meshwright
