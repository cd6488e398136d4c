// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/plan_summary.h"

#include <QAbstractButton>
#include <QPixmap>

namespace meshwright {

/// A published run as a card: a picture of its memory per stage and its step time, its name, size, hardware and MFU. A
/// click opens the run. Until the run is evaluated, the card shows only the name.
class PlanTile : public QAbstractButton {
    Q_OBJECT

public:
    static constexpr int Height = 136;
    static constexpr int MinWidth = 208;

    PlanTile(const QString &id, const QString &name, QWidget *parent);

    QString id() const { return m_summary.id; }
    void setSummary(const PlanSummary &summary);
    const PlanSummary &summary() const { return m_summary; }
    bool isSummarised() const { return !m_summary.hardware.isEmpty(); }
    /// Whether each word occurs in the plan's id, name, model or hardware.
    bool matches(const QStringList &words) const;

    QSize sizeHint() const override { return {MinWidth, Height}; }
    QSize minimumSizeHint() const override { return {MinWidth, Height}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QPixmap picture(const QSize &size) const;
    QString factsText() const;
    QString mfuText() const;

    PlanSummary m_summary;
    QPixmap m_picture; ///< cached picture; null if it must be redrawn
};

} // namespace meshwright
