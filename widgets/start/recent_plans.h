// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "start/plan_summary.h"

#include <QAbstractButton>
#include <QVector>

class QVBoxLayout;

namespace meshwright {

/// One recent plan: its name, model, GPUs and time of the last change, or a note that its file is missing.
class RecentRow : public QAbstractButton {
    Q_OBJECT

public:
    explicit RecentRow(QWidget *parent);
    void setPlan(const RecentPlan &plan);
    const RecentPlan &plan() const { return m_plan; }

    QSize sizeHint() const override { return {240, 40}; }
    QSize minimumSizeHint() const override { return {160, 40}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QString detail() const;

    RecentPlan m_plan;
};

/// The recently opened plans, newest first. Hidden if empty.
class RecentPlans : public Card {
    Q_OBJECT

public:
    explicit RecentPlans(QWidget *parent = nullptr);

    void setPlans(const QVector<RecentPlan> &plans);
    const QVector<RecentRow *> &rows() const { return m_rows; }

Q_SIGNALS:
    void chosen(const QString &path);

private:
    QVector<RecentRow *> m_rows;
};

} // namespace meshwright
