// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QString>
#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace meshwright {

/// A few exclusive choices side by side (up to about five; beyond that, a combo box). Tab reaches the chosen one, the
/// arrow keys choose.
class Segmented : public QWidget {
    Q_OBJECT

public:
    explicit Segmented(QWidget *parent = nullptr);

    /// Returns the new segment's index. The first one added is chosen.
    int addSegment(const QString &text, const QString &toolTip = {});
    /// Takes all segments away, silently.
    void clear();
    int count() const;
    int currentIndex() const;
    QString textOf(int index) const;
    void setSegmentEnabled(int index, bool enabled);
    QAbstractButton *button(int index) const;

public Q_SLOTS:
    /// Silent as to chosen().
    void setCurrentIndex(int index);

Q_SIGNALS:
    /// Every change, from wherever.
    void currentChanged(int index);
    /// By mouse or key.
    void chosen(int index);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QButtonGroup *m_group;
    QHBoxLayout *m_layout;
    bool m_silent = false;
};

} // namespace meshwright
