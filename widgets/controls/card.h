// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace meshwright {

/// The title line of a card: title and subtitle on one baseline. The subtitle gives way when there is no room.
class CardHeading : public QWidget {
    Q_OBJECT

public:
    explicit CardHeading(QWidget *parent = nullptr);
    void setTitle(const QString &title);
    void setSubtitle(const QString &subtitle);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_title;
    QString m_subtitle;
};

/// A rounded surface with 16 pixels of white space within. Put content into contentLayout(), whose spacing is 8.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget *parent = nullptr);
    explicit Card(const QString &title, const QString &subtitle = {}, QWidget *parent = nullptr);

    /// Also the accessible name. An empty title and no trailing widget take no room.
    void setTitle(const QString &title);
    void setSubtitle(const QString &subtitle);
    /// Stands right in the title line; several stand from left to right in the order they are added.
    void addTrailing(QWidget *widget);
    QVBoxLayout *contentLayout() const { return m_content; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QWidget *m_headingRow;
    CardHeading *m_heading;
    QHBoxLayout *m_headingLayout;
    QVBoxLayout *m_content;
};

} // namespace meshwright
