// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVariantMap>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace meshwright {

class FoldingSection;

/// A column of sections in a dock. A section that the user folds or unfolds stays that way. Other sections are open
/// while there is space.
class FoldingColumn : public QWidget {
    Q_OBJECT

public:
    /// @param openingOrder  names of sections by importance; the first one is always open
    explicit FoldingColumn(const QStringList &openingOrder, QWidget *parent = nullptr);

    /// By section name: whether the section is folded. Contains only sections that the user has folded or unfolded.
    QVariantMap foldedByHand() const { return m_byHand; }
    void setFoldedByHand(const QVariantMap &folded);
    void foldToHeight(int height);
    const std::vector<FoldingSection *> &sections() const { return m_sections; }

Q_SIGNALS:
    void foldedByHandChanged();

protected:
    FoldingSection *addSection(const QString &name, const QString &title, const QString &icon);
    QVBoxLayout *column() const { return m_column; }
    void paintEvent(QPaintEvent *event) override;

private:
    FoldingSection *section(const QString &name) const;

    QVBoxLayout *m_column;
    QStringList m_openingOrder;
    std::vector<FoldingSection *> m_sections;
    QVariantMap m_byHand;
    bool m_foldingItself = false;
};

} // namespace meshwright
