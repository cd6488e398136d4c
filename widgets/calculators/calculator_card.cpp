// SPDX-License-Identifier: GPL-3.0-or-later
#include "calculators/calculator_card.h"

#include "calculators/argument_row.h"
#include "calculators/calculation_text.h"
#include "calculators/formula_curve.h"
#include "calculators/result_row.h"
#include "charts/xy_chart.h"
#include "controls/scrolling_wheel.h"
#include "controls/text_label.h"
#include "explain/formula_area.h"
#include "explain/formula_label.h"
#include "figures/figure_event.h"
#include "figures/figure_sentence.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"
#include "pictures/formula_picture.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int chartHeight = 150;
/// Margin below the unit that aligns it with the baseline of the figure.
constexpr int unitRise = 5;

QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

TextLabel *newNote(const QString &text, QWidget *parent) {
    auto *label = new TextLabel(text, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    showsNoFigures(label, NotFigures::name); // the numbers in notes and sources are not figures
    return label;
}

} // namespace

CalculatorCard::CalculatorCard(const Formula &formula, QWidget *parent)
    : Card(qt(formula.title), {}, parent)
    , m_calculator(formula)
    , m_result(&formula.results.front())
    , m_problem(new TextLabel({}, TypeRole::Body, ColourRole::Bad, TextWeight::Regular, this))
    , m_formulaArea(new FormulaArea(this))
    , m_formula(new FormulaLabel(m_formulaArea))
    , m_numbers(newNote({}, m_formulaArea))
    , m_value(new TextLabel({}, TypeRole::Figure, ColourRole::Text, TextWeight::SemiBold, this))
    , m_unit(new TextLabel({}, TypeRole::Emphasis, ColourRole::Text3, TextWeight::Regular, this))
    , m_meaning(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_chartHeading(new QWidget(this))
    , m_chartTitle(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, m_chartHeading))
    , m_symbols(new QComboBox(m_chartHeading))
    , m_chart(new XyChart(this))
    , m_picture(new FormulaPicture(this))
    , m_close(new QToolButton(this))
    , m_take(new QPushButton(tr("Use values from my plan"), this))
    , m_planMenu(new QMenu(this)) {
    setObjectName(QStringLiteral("calculator-") + qt(formula.id));
    for (const FormulaResult &result : formula.results)
        if (m_calculator.value(m_result->name) == nullptr && m_calculator.value(result.name) != nullptr)
            m_result = &result;
    // The card already shows how its result is calculated, so its formula, numbers and results are not clickable.
    for (QWidget *derivation : {static_cast<QWidget *>(m_value), static_cast<QWidget *>(m_unit), m_formulaArea})
        showsNoFigures(derivation, NotFigures::derivation);
    addHeading();
    addFields();
    if (!m_rows.empty())
        setFocusProxy(m_rows.front()->field());
    addFormula();
    addResults();
    addChart();
    addNotes();
    addButtons();
    fillSymbols();
    showAll();
}

void CalculatorCard::addHeading() {
    m_close->setObjectName(QStringLiteral("closeCalculator"));
    m_close->setIcon(icons::icon(QStringLiteral("close")));
    m_close->setAccessibleName(tr("Close %1").arg(qt(m_calculator.formula().title)));
    m_close->setToolTip(tr("Close"));
    m_close->setFixedSize(24, 24);
    setButtonRole(m_close, ButtonRole::Flat);
    connect(m_close, &QToolButton::clicked, this, &CalculatorCard::closed);
    addTrailing(m_close);
}

void CalculatorCard::addFields() {
    auto *fields = new QVBoxLayout;
    fields->setSpacing(2);
    for (const Symbol &symbol : m_calculator.formula().symbols) {
        auto *row = new ArgumentRow(symbol, this);
        row->setText(QString::fromStdString(m_calculator.texts().find(symbol.name)->second));
        connect(row, &ArgumentRow::edited, this, [this, row](const QString &text) {
            m_calculator.setText(row->symbol().name, text);
            showAll();
            Q_EMIT changed();
        });
        connect(row, &ArgumentRow::hovered, this,
                [this, row](bool is) { light(is ? qt(row->symbol().name) : QString()); });
        fields->addWidget(row);
        m_rows.push_back(row);
    }
    m_problem->setObjectName(QStringLiteral("calculatorProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();
    contentLayout()->addLayout(fields);
    contentLayout()->addWidget(m_problem);
}

void CalculatorCard::addFormula() {
    m_numbers->setObjectName(QStringLiteral("calculatorNumbers"));
    auto *formulas = new QVBoxLayout(m_formulaArea);
    formulas->setContentsMargins(12, 10, 12, 10);
    formulas->setSpacing(8);
    formulas->addWidget(m_formula);
    formulas->addWidget(m_numbers);
    contentLayout()->addWidget(m_formulaArea);
    connect(m_formula, &FormulaLabel::symbolHovered, this, [this](const QString &letter) {
        const std::vector<Symbol> &symbols = m_calculator.formula().symbols;
        const auto symbol = std::find_if(symbols.begin(), symbols.end(),
                                         [&letter](const Symbol &each) { return qt(each.letter) == letter; });
        light(symbol != symbols.end() ? qt(symbol->name) : QString());
    });
}

/// Tints a symbol in the formula and its row, and outlines what it stands for in the animation; nothing if empty.
void CalculatorCard::light(const QString &symbol) {
    m_formula->light(symbol.isEmpty() ? QString() : symbolLetter(symbol, m_calculator.formula()));
    m_picture->light(symbol);
    for (ArgumentRow *row : m_rows)
        row->setLit(qt(row->symbol().name) == symbol);
}

void CalculatorCard::addResults() {
    m_value->setObjectName(QStringLiteral("calculatorValue"));
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_unit->setContentsMargins(0, 0, 0, unitRise);
    m_meaning->setContentsMargins(0, 0, 0, unitRise + 1);
    m_meaning->setElided(true);
    m_meaning->setAlignment(Qt::AlignRight);
    for (TextLabel *label : {m_value, m_unit, m_meaning})
        label->setTextFormat(Qt::PlainText);
    auto *figure = new QHBoxLayout;
    figure->setSpacing(6);
    figure->addWidget(m_value, 0, Qt::AlignBottom);
    figure->addWidget(m_unit, 0, Qt::AlignBottom);
    figure->addWidget(m_meaning, 1, Qt::AlignBottom);
    contentLayout()->addLayout(figure);
    auto *others = new QVBoxLayout;
    others->setSpacing(0);
    others->setContentsMargins(-8, 0, -8, 0);
    for (const FormulaResult &result : m_calculator.formula().results) {
        auto *row = new ResultRow(result, this);
        connect(row, &ResultRow::clicked, this, [this, name = result.name] { chooseResult(name); });
        others->addWidget(row);
        m_results.push_back(row);
    }
    contentLayout()->addLayout(others);
}

void CalculatorCard::addChart() {
    m_chart->setPreferredHeight(chartHeight);
    m_chart->setObjectName(QStringLiteral("calculatorChart"));
    m_symbols->setObjectName(QStringLiteral("calculatorAgainst"));
    m_symbols->setAccessibleName(tr("Symbol on the x axis"));
    leaveWheelToScrolling(m_symbols);
    m_symbols->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_symbols->setMinimumContentsLength(12);
    connect(m_symbols, &QComboBox::activated, this, [this](int index) {
        m_against = m_symbols->itemData(index).toString().toStdString();
        showChart();
        Q_EMIT changed();
    });
    auto *heading = new QHBoxLayout(m_chartHeading);
    heading->setContentsMargins(0, 4, 0, 0);
    heading->setSpacing(8);
    heading->addWidget(m_chartTitle);
    heading->addWidget(m_symbols, 1);
    contentLayout()->addWidget(m_chartHeading);
    contentLayout()->addWidget(m_chart);
    contentLayout()->addWidget(m_picture);
}

void CalculatorCard::addNotes() {
    const Formula &formula = m_calculator.formula();
    if (!formula.notes.empty()) {
        auto *notes = new FigureSentence(TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
        notes->setSentence(withTerms(qt(formula.notes)));
        notes->setMinimumWidth(1); // allows the text to wrap at any width
        notes->setSelectable(true);
        showsNoFigures(notes, NotFigures::name);
        notes->setObjectName(QStringLiteral("calculatorNotes"));
        contentLayout()->addWidget(notes);
    }
    auto *source = newNote(tr("Source: %1").arg(qt(formula.source)), this);
    source->setColour(ColourRole::Text3);
    source->setObjectName(QStringLiteral("calculatorSource"));
    contentLayout()->addWidget(source);
}

void CalculatorCard::addButtons() {
    m_take->setObjectName(QStringLiteral("takeFromPlan"));
    connect(m_take, &QPushButton::clicked, this, [this] {
        planMenu();
        m_planMenu->popup(m_take->mapToGlobal(QPoint(0, m_take->height() + 4)));
    });
    auto *copyButton = new QPushButton(icons::icon(QStringLiteral("copy")), tr("Copy"), this);
    copyButton->setObjectName(QStringLiteral("copyCalculation"));
    copyButton->setToolTip(tr("Copy as text, Markdown or LaTeX"));
    setButtonRole(copyButton, ButtonRole::Flat);
    auto *formats = new QMenu(copyButton);
    formats->addAction(tr("Text"), this, [this] { copy(CopyFormat::Text); });
    formats->addAction(tr("Markdown"), this, [this] { copy(CopyFormat::Markdown); });
    formats->addAction(tr("LaTeX"), this, [this] { copy(CopyFormat::Latex); });
    // setMenu() would add an arrow that takes space from the text.
    connect(copyButton, &QPushButton::clicked, this,
            [copyButton, formats] { formats->popup(copyButton->mapToGlobal(QPoint(0, copyButton->height() + 4))); });
    auto *row = new QHBoxLayout;
    row->addWidget(m_take);
    row->addStretch(1);
    row->addWidget(copyButton);
    contentLayout()->addLayout(row);
    m_take->hide();
}

void CalculatorCard::setPlanQuestion(std::function<PlanPlaces(const Formula &)> question) {
    m_question = std::move(question);
    m_take->setVisible(static_cast<bool>(m_question));
}

bool CalculatorCard::takePlanValues() {
    const PlanPlaces places = m_question ? m_question(m_calculator.formula()) : std::nullopt;
    if (!places || places->isEmpty() || places->first().result.empty())
        return false;
    take(places->first());
    return true;
}

void CalculatorCard::take(const PlanValues &place) {
    if (!place.result.empty())
        chooseResult(place.result);
    setTexts(place.texts);
}

void CalculatorCard::keepOpen() {
    m_close->hide();
}

QMenu *CalculatorCard::planMenu() {
    m_planMenu->clear();
    const PlanPlaces places = m_question ? m_question(m_calculator.formula()) : std::nullopt;
    for (const PlanValues &place : places.value_or(QVector<PlanValues>()))
        m_planMenu->addAction(tr("%1 in %2: %3").arg(place.title, place.figure, place.value), this,
                              [this, place] { take(place); });
    if (!places)
        m_planMenu->addAction(tr("The plan's figures are still being calculated"))->setEnabled(false);
    else if (places->isEmpty())
        m_planMenu->addAction(tr("This plan does not use this formula"))->setEnabled(false);
    return m_planMenu;
}

void CalculatorCard::setText(std::string_view symbol, const QString &text) {
    setTexts({{std::string(symbol), text.toStdString()}});
}

void CalculatorCard::setTexts(const ArgumentTexts &texts) {
    m_calculator.setTexts(texts);
    for (ArgumentRow *row : m_rows)
        row->setText(QString::fromStdString(m_calculator.texts().find(row->symbol().name)->second));
    showAll();
    Q_EMIT changed();
}

void CalculatorCard::chooseResult(std::string_view result) {
    if (const FormulaResult *found = m_calculator.formula().find_result(result)) {
        m_result = found;
        fillSymbols();
        showAll();
        Q_EMIT changed();
    }
}

void CalculatorCard::chooseSymbol(std::string_view symbol) {
    const int index = m_symbols->findData(qt(symbol));
    if (index < 0)
        return;
    m_symbols->setCurrentIndex(index);
    m_against = symbol;
    showChart();
}

void CalculatorCard::fillSymbols() {
    m_symbols->clear();
    for (const Symbol *symbol : curveSymbols(m_calculator.formula(), *m_result))
        m_symbols->addItem(capitalised(symbol->meaning), qt(symbol->name));
    const int kept = m_symbols->findData(QString::fromStdString(m_against));
    m_symbols->setCurrentIndex(std::max(0, kept));
    m_against = m_symbols->currentData().toString().toStdString();
}

void CalculatorCard::showAll() {
    showProblem();
    showFormula();
    showResults();
    showChart();
    const std::optional<Calculation> &calculation = m_calculator.calculation();
    m_picture->showPicture(calculation ? pictureOf(calculation->formula->id, calculation->arguments) : std::nullopt);
}

void CalculatorCard::showProblem() {
    const std::optional<Calculator::Problem> &problem = m_calculator.problem();
    bool shown = false;
    for (ArgumentRow *row : m_rows) {
        const bool here = problem && problem->symbol == row->symbol().name;
        row->setProblem(here ? problem->text : QString());
        shown = shown || here;
    }
    m_problem->setText(problem ? problem->text : QString());
    m_problem->setVisible(problem && !shown);
}

void CalculatorCard::showFormula() {
    const std::optional<FormulaPart> formula = letteredFormula(m_calculator.formula(), *m_result);
    const QString text = QString::fromStdString(formula_text(*m_result));
    if (formula)
        m_formula->setFormula(qt(m_result->letter), *formula, tr("%1 = %2").arg(qt(m_result->name), text));
    else
        m_formula->setFormula(qt(m_result->letter), text);
    const Calculation::Value *value = m_calculator.value(m_result->name);
    m_numbers->setText(value != nullptr ? tr("= %1").arg(numbersLineOf(*value)) : QString());
    m_numbers->setVisible(value != nullptr);
}

void CalculatorCard::showResults() {
    const Calculation::Value *value = m_calculator.value(m_result->name);
    const QString text = value != nullptr ? valueTextOf(*value) : QStringLiteral("–");
    const FigureParts parts = partsOf(text);
    m_value->setText(parts.figure);
    m_unit->setText(parts.unit);
    m_meaning->setText(capitalised(m_result->meaning));
    for (ResultRow *row : m_results) {
        const Calculation::Value *other = m_calculator.value(row->result().name);
        row->setValue(other != nullptr ? valueTextOf(*other) : QStringLiteral("–"));
        row->setVisible(&row->result() != m_result);
    }
}

void CalculatorCard::showChart() {
    const Symbol *symbol = m_calculator.formula().find_symbol(m_against);
    const Calculation::Value *value = m_calculator.value(m_result->name);
    const bool drawn = symbol != nullptr && value != nullptr;
    m_chartHeading->setVisible(drawn);
    m_chart->setVisible(drawn);
    if (!drawn)
        return;
    const ChartView view = formulaCurve(*m_calculator.calculation(), *value, *symbol);
    const bool inUnit = view.y.scale == AxisScale::Linear && !view.y.unit.name.isEmpty();
    m_chartTitle->setText(inUnit ? tr("Plotted in %1 against").arg(view.y.unit.name) : tr("Plotted against"));
    m_chart->setView(view);
}

void CalculatorCard::copy(CopyFormat format) const {
    if (m_calculator.calculation())
        QGuiApplication::clipboard()->setText(copyOf(*m_calculator.calculation(), format));
}

void CalculatorCard::focusFirstField() {
    if (m_rows.empty())
        return;
    QWidget *field = m_rows.front()->field();
    field->setFocus(Qt::TabFocusReason);
    if (auto *edit = qobject_cast<QLineEdit *>(field))
        edit->selectAll();
}

} // namespace meshwright
