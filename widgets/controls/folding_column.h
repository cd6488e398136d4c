// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVariantMap>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace meshwright {

class FoldingSection;

/// A column of sections in a dock. What the user folds or opens by hand stays so; of the rest, as much is open as there
/// is room for.
class FoldingColumn : public QWidget {
    Q_OBJECT

public:
    /// @param openingOrder  names of sections, those first that stay open longest; the first one always does
    explicit FoldingColumn(const QStringList &openingOrder, QWidget *parent = nullptr);

    /// Sections folded or opened by hand, by name.
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
