// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/calculator_card.h"
#include "views/view.h"

#include <QStringList>

#include <functional>
#include <memory>
#include <vector>

class QHBoxLayout;
class QLineEdit;
class QListView;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class ComboFilter;
class TextLabel;

/// All formulas of the program by topic, and calculators of some of them side by side.
class CalculatorsView : public View {
    Q_OBJECT

public:
    explicit CalculatorsView(QWidget *parent = nullptr);

    /// Explains the plan's figures, whose values calculators can take; null where there are none.
    void setPlanTree(std::function<std::shared_ptr<const Derivation>()> tree) { m_planTree = std::move(tree); }
    /// Opens a calculator in the first place, or shows the one that is open. Null for an unknown formula.
    CalculatorCard *openFormula(const QString &id);
    bool isOpen(const QString &id) const;
    void closeAll();

    /// Where the plan is calculated by a formula.
    PlanPlaces placesOf(const Formula &formula) const;
    const std::vector<CalculatorCard *> &cards() const { return m_cards; }
    /// On no field, until one is wanted.
    void takeFocus() override { }
    QLineEdit *filterField() const override { return m_filterField; }
    /// What is open and stands in the fields, to be kept from one start to the next; unknown entries are left out.
    QStringList state() const;
    void restore(const QStringList &state);

Q_SIGNALS:
    void stateChanged();

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *newList();
    CalculatorCard *add(const Formula &formula, std::size_t place);
    CalculatorCard *cardOf(const Formula &formula) const;
    void close(CalculatorCard *card);
    void openChosen();
    void arrange();

    std::function<std::shared_ptr<const Derivation>()> m_planTree;
    std::vector<CalculatorCard *> m_cards;
    ComboFilter *m_formulas;
    QLineEdit *m_filterField;
    QListView *m_list;
    QPushButton *m_closeAll;
    QScrollArea *m_scroll;
    QWidget *m_board;
    TextLabel *m_nothing;
    QHBoxLayout *m_columns;
    std::vector<QVBoxLayout *> m_stacks;
};

} // namespace meshwright
