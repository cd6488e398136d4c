// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/plan_summary.h"

#include <QVector>
#include <QWidget>

class QGridLayout;
class QLineEdit;

namespace meshwright {

class Library;
class PlanTile;
class TextLabel;

/// The published runs as cards, with a filter. The arrow keys move from card to card.
class Gallery : public QWidget {
    Q_OBJECT

public:
    explicit Gallery(const Library &library, QWidget *parent = nullptr);

    void setSummary(const PlanSummary &summary);
    QLineEdit *filter() const { return m_filter; }
    const QVector<PlanTile *> &tiles() const { return m_tiles; }
    /// The tiles that pass the filter, in display order.
    QVector<PlanTile *> shown() const;

Q_SIGNALS:
    void chosen(const QString &id);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void arrange();
    void applyFilter();
    int columns() const;

    QLineEdit *m_filter;
    TextLabel *m_count;
    TextLabel *m_none;
    QWidget *m_area;
    QGridLayout *m_grid;
    QVector<PlanTile *> m_tiles;
    int m_columns = 0;
};

} // namespace meshwright
