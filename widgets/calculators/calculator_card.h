// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "calculators/calculator.h"
#include "calculators/plan_values.h"
#include "controls/card.h"
#include "explain/derivation_text.h"

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QMenu;
class QPushButton;
class QToolButton;

namespace meshwright {

class ArgumentRow;
class FormulaLabel;
class FormulaPicture;
class XyChart;
class ResultRow;
class TextLabel;

/// An open calculator: fields, the selected result with its formula and numbers, the other results, a plot of the
/// result against one symbol, notes and source.
class CalculatorCard : public Card {
    Q_OBJECT

public:
    explicit CalculatorCard(const Formula &formula, QWidget *parent = nullptr);

    const Calculator &calculator() const { return m_calculator; }
    void setText(std::string_view symbol, const QString &text);
    void setTexts(const ArgumentTexts &texts);
    /// Selects the result that is shown large and plotted; must be one of the formula's.
    void chooseResult(std::string_view result);
    std::string_view chosenResult() const { return m_result->name; }
    void chooseSymbol(std::string_view symbol);
    std::string_view chosenSymbol() const { return m_against; }
    /// Sets the function that finds where the plan uses this formula. Without it, the button for plan values is hidden.
    void setPlanQuestion(std::function<PlanPlaces(const Formula &)> question);
    /// Takes the values of the first place where the plan uses this formula. False if there is none.
    bool takePlanValues();
    void keepOpen();
    QMenu *planMenu();
    void copy(CopyFormat format) const;
    void focusFirstField();

Q_SIGNALS:
    void closed();
    void changed();

private:
    void addHeading();
    void addFields();
    void addFormula();
    void addResults();
    void addChart();
    void addNotes();
    void addButtons();
    void light(const QString &symbol);
    void showAll();
    void showProblem();
    void showResults();
    void showFormula();
    void showChart();
    void fillSymbols();
    void take(const PlanValues &place);

    Calculator m_calculator;
    const FormulaResult *m_result;
    std::string m_against;
    std::function<PlanPlaces(const Formula &)> m_question;
    std::vector<ArgumentRow *> m_rows;
    TextLabel *m_problem;
    QWidget *m_formulaArea;
    FormulaLabel *m_formula;
    TextLabel *m_numbers;
    TextLabel *m_value;
    TextLabel *m_unit;
    TextLabel *m_meaning;
    std::vector<ResultRow *> m_results;
    QWidget *m_chartHeading;
    TextLabel *m_chartTitle;
    QComboBox *m_symbols;
    XyChart *m_chart;
    FormulaPicture *m_picture;
    QToolButton *m_close;
    QPushButton *m_take;
    QMenu *m_planMenu;
};

} // namespace meshwright
