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

/// One round of some sites beside the plan's figures: steps, stalls and transfers, the Sites view in small. Simulates
/// only while it can be seen and no edits follow one another.
class SitesCard : public ResultCard {
    Q_OBJECT

public:
    explicit SitesCard(QWidget *parent = nullptr);

    /// Hidden where a plan has one site.
    void showPlan(const PlanView &view);
    /// While edits follow one another nothing new is simulated.
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
    bool m_asked = true; ///< there is nothing to ask before the first plan
    bool m_held = false;
    SitesRunPointer m_run;
    SitesTimeline m_rows;
    LatestWorker<SitesQuestion, DrawnSites> m_worker; ///< last: its thread ends before anything above goes
};

} // namespace meshwright
