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

/// List of all formulas by topic, with calculators for the open ones side by side.
class CalculatorsView : public View {
    Q_OBJECT

public:
    explicit CalculatorsView(QWidget *parent = nullptr);

    /// @param tree  derivation of the plan's figures, which supplies calculators with values; null if there is none
    void setPlanTree(std::function<std::shared_ptr<const Derivation>()> tree) { m_planTree = std::move(tree); }
    /// Opens a calculator in first position, or scrolls to it if it is already open. Returns null for an unknown
    /// formula.
    CalculatorCard *openFormula(const QString &id);
    bool isOpen(const QString &id);
    void closeAll();

    PlanPlaces placesOf(const Formula &formula) const;
    const std::vector<CalculatorCard *> &cards() {
        openSaved();
        return m_cards;
    }
    /// Does nothing: no field should have the focus before the user selects one.
    void takeFocus() override { }
    QLineEdit *filterField() const override { return m_filterField; }
    /// Open calculators with the texts of their fields, to be saved between sessions; restore() skips unknown entries.
    QStringList state();
    void restore(const QStringList &state) { m_saved = state; }
    void setVisible(bool visible) override;

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
    void openSaved();
    void arrange();

    std::function<std::shared_ptr<const Derivation>()> m_planTree;
    QStringList m_saved; ///< calculators of the last session, opened when first needed
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
