// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "figures/sentence_text.h"
#include "sites/sites_run.h"
#include "theme/roles.h"
#include "views/plan_view.h"

#include <QGridLayout>

#include <vector>

namespace meshwright {

class FigureLabel;
class FigureSentence;
class TextLabel;

/// Key figures of the outer loop in one line, and its bottleneck. A click on a figure opens its derivation.
class SitesHeading : public Card {
    Q_OBJECT

public:
    explicit SitesHeading(QWidget *parent = nullptr);

    /// @param run  simulation of the same plan; null while it is running
    void showResult(const PlanView &view, const SitesRun *run);
    /// All texts shown, for tests.
    QString words() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Column {
        TextLabel *title;
        FigureLabel *figure;
        FigureSentence *words;
    };
    struct Shown {
        QString title;
        QString figure;
        QString path;
        SentenceText words;
        ColourRole colour = ColourRole::Text;
    };
    void addColumn();
    void layOut();
    void showLimit(const SitesRun *run);
    std::vector<Shown> shownOf(const Result &result, const SitesRun *run) const;

    QGridLayout *m_grid;
    std::vector<Column> m_columns;
    int m_perLine = 0;
    FigureSentence *m_limit;
};

} // namespace meshwright
