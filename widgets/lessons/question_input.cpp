// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question_input.h"

#include "controls/choice_box.h"
#include "controls/text_label.h"
#include "lessons/field_name.h"
#include "lessons/option_button.h"
#include "theme/theme.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFontDatabase>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

namespace {

constexpr int numberWidth = 260;
constexpr int programHeight = 150;

QString text(const std::string &utf8) {
    return QString::fromStdString(utf8);
}

QFont codeFont(qreal scale) {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(qRound(13 * scale));
    return font;
}

QString checkedKey(const QButtonGroup *group) {
    const QAbstractButton *const checked = group == nullptr ? nullptr : group->checkedButton();
    return checked == nullptr ? QString() : checked->property("key").toString();
}

void check(QButtonGroup *group, const QString &key) {
    if (group == nullptr)
        return;
    for (QAbstractButton *button : group->buttons())
        if (button->property("key").toString().compare(key, Qt::CaseInsensitive) == 0)
            button->setChecked(true);
}

} // namespace

QuestionInput::QuestionInput(QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("questionInput"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(6);
}

void QuestionInput::clear() {
    while (QLayoutItem *item = m_column->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    m_number = nullptr;
    m_options = nullptr;
    m_lines = nullptr;
    m_order = nullptr;
    m_program = nullptr;
    m_settings.clear();
    m_fields.clear();
}

void QuestionInput::showQuestion(const Question &question) {
    clear();
    m_kind = question.step->kind;
    switch (m_kind) {
    case StepKind::number:
        addNumber(question);
        break;
    case StepKind::choice:
        addChoice(question);
        break;
    case StepKind::order:
        addOrder(question);
        break;
    case StepKind::bug:
        addBug(question);
        break;
    case StepKind::code:
        addProgram(question);
        break;
    case StepKind::design:
        addDesign(question);
        break;
    case StepKind::text:
    case StepKind::discussion:
        break;
    }
}

void QuestionInput::addNumber(const Question &question) {
    auto *row = new QWidget(this);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    m_number = new QLineEdit(row);
    m_number->setObjectName(QStringLiteral("lessonAnswer"));
    m_number->setAccessibleName(tr("Answer"));
    m_number->setFixedWidth(numberWidth);
    const QString unit = text(question.unit);
    m_number->setPlaceholderText(unit.isEmpty() ? tr("a number")
                                                : tr("a number, in %1 unless you give a unit").arg(unit));
    connect(m_number, &QLineEdit::textChanged, this, &QuestionInput::edited);
    connect(m_number, &QLineEdit::returnPressed, this, &QuestionInput::submitted);
    line->addWidget(m_number);
    line->addWidget(new TextLabel(unit, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, row));
    line->addStretch(1);
    m_column->addWidget(row);
}

QButtonGroup *QuestionInput::addOptions(const QStringList &texts, const QStringList &keys, bool monospaced) {
    auto *rows = new QWidget(this);
    auto *column = new QVBoxLayout(rows);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto *group = new QButtonGroup(rows);
    for (int i = 0; i < texts.size(); ++i) {
        QString label = texts[i]; // an & in a lesson's text must not become a mnemonic
        auto *button = new OptionButton(label.replace(QLatin1Char('&'), QLatin1String("&&")), rows);
        button->setProperty("key", keys[i]);
        if (monospaced)
            button->setFont(codeFont(m_scale));
        button->installEventFilter(this);
        group->addButton(button);
        column->addWidget(button);
        connect(button, &QAbstractButton::toggled, this, &QuestionInput::edited);
    }
    m_column->addWidget(rows);
    return group;
}

void QuestionInput::setScale(qreal scale) {
    m_scale = scale;
    QFont font = Theme::of(this).font(TypeRole::Body);
    font.setPixelSize(qRound(font.pixelSize() * scale));
    setFont(font);
}

void QuestionInput::addChoice(const Question &question) {
    QStringList texts, keys;
    for (const AskedOption &option : question.options) {
        texts.append(tr("%1   %2").arg(text(option.key), text(option.text)));
        keys.append(text(option.key));
    }
    m_options = addOptions(texts, keys, false);
}

void QuestionInput::addOrder(const Question &question) {
    m_order = new QListWidget(this);
    m_order->setObjectName(QStringLiteral("lessonOrder"));
    m_order->setAccessibleName(tr("Items to put in order"));
    m_order->setToolTip(tr("Drag an item, or move it with Alt+Up and Alt+Down"));
    m_order->setDragDropMode(QAbstractItemView::InternalMove);
    m_order->setDefaultDropAction(Qt::MoveAction);
    m_order->setAlternatingRowColors(false);
    m_order->setWordWrap(true);
    for (const AskedOption &option : question.options) {
        auto *item = new QListWidgetItem(text(option.text), m_order);
        item->setData(Qt::UserRole, text(option.key));
    }
    m_order->setCurrentRow(0);
    const int rowHeight = std::max(22, m_order->sizeHintForRow(0));
    m_order->setFixedHeight(rowHeight * m_order->count() + 2 * m_order->frameWidth() + 4);
    m_order->installEventFilter(this);
    connect(m_order->model(), &QAbstractItemModel::rowsMoved, this, &QuestionInput::edited);
    m_column->addWidget(m_order);
    m_column->addWidget(new TextLabel(tr("Drag, or press Alt+Up and Alt+Down"), TypeRole::Caption, ColourRole::Text3,
                                      TextWeight::Regular, this));
}

void QuestionInput::addBug(const Question &question) {
    QStringList lines, numbers;
    for (std::size_t i = 0; i < question.step->program.size(); ++i) {
        lines.append(tr("%1   %2").arg(i + 1).arg(text(question.step->program[i])));
        numbers.append(QString::number(i + 1));
    }
    m_lines = addOptions(lines, numbers, true);
    m_column->addWidget(
        new TextLabel(tr("The correction"), TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this));
    QStringList texts, keys;
    for (const AskedOption &option : question.options) {
        const StepOption &own = question.step->options[option.index];
        texts.append(
            tr("%1   line %2: %3   (%4)").arg(text(option.key)).arg(own.line).arg(text(own.code), text(option.text)));
        keys.append(text(option.key));
    }
    m_options = addOptions(texts, keys, false);
}

void QuestionInput::addProgram(const Question &question) {
    m_program = new QPlainTextEdit(this);
    m_program->setObjectName(QStringLiteral("lessonProgram"));
    m_program->setAccessibleName(tr("Program"));
    m_program->setFont(codeFont(m_scale));
    m_program->setFixedHeight(qRound(programHeight * m_scale));
    m_program->setTabChangesFocus(true);
    QStringList parameters;
    for (const std::string &parameter : question.step->parameters)
        parameters.append(text(parameter));
    m_program->setPlainText(QStringLiteral("function %1(%2) {\n    return 0;\n}\n")
                                .arg(text(question.step->function), parameters.join(QLatin1String(", "))));
    m_program->installEventFilter(this);
    connect(m_program, &QPlainTextEdit::textChanged, this, &QuestionInput::edited);
    m_column->addWidget(m_program);
    m_column->addWidget(new TextLabel(tr("JavaScript. Ctrl+Enter checks the answer."), TypeRole::Caption,
                                      ColourRole::Text3, TextWeight::Regular, this));
}

void QuestionInput::addDesign(const Question &question) {
    auto *rows = new QWidget(this);
    auto *grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    int row = 0;
    for (const FreeField &field : question.step->fields) {
        const QString name = fieldName(field.field);
        auto *choice = new ChoiceBox(rows);
        choice->setAccessibleName(name);
        choice->setMinimumWidth(120);
        for (const nlohmann::ordered_json &value : field.values)
            choice->addItem(text(value.is_string() ? value.get<std::string>() : value.dump()));
        for (const FieldSetting &start : question.step->start)
            if (start.field == field.field)
                choice->setCurrentText(
                    text(start.value.is_string() ? start.value.get<std::string>() : start.value.dump()));
        grid->addWidget(new TextLabel(name, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, rows), row, 0);
        grid->addWidget(choice, row++, 1);
        choice->installEventFilter(this);
        connect(choice, &QComboBox::currentIndexChanged, this, &QuestionInput::edited);
        m_settings.append(choice);
        m_fields.append(text(field.field));
    }
    grid->setColumnStretch(2, 1);
    m_column->addWidget(rows);
}

QString QuestionInput::answer() const {
    switch (m_kind) {
    case StepKind::number:
        return m_number->text();
    case StepKind::choice:
        return checkedKey(m_options);
    case StepKind::order: {
        QStringList keys;
        for (int i = 0; i < m_order->count(); ++i)
            keys.append(m_order->item(i)->data(Qt::UserRole).toString());
        return keys.join(QLatin1Char(' '));
    }
    case StepKind::bug:
        return QString(checkedKey(m_lines) + QLatin1Char(' ') + checkedKey(m_options)).trimmed();
    case StepKind::code:
        return m_program->toPlainText();
    case StepKind::design: {
        QStringList settings;
        for (int i = 0; i < m_settings.size(); ++i)
            settings.append(m_fields[i] + QLatin1Char('=') + m_settings[i]->currentText());
        return settings.join(QLatin1Char(' '));
    }
    case StepKind::text:
    case StepKind::discussion:
        break;
    }
    return {};
}

void QuestionInput::setAnswer(const QString &answer) {
    const QStringList words = answer.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    switch (m_kind) {
    case StepKind::number:
        m_number->setText(answer);
        break;
    case StepKind::choice:
        check(m_options, answer);
        break;
    case StepKind::order:
        for (int to = 0; to < words.size(); ++to)
            for (int i = to; i < m_order->count(); ++i)
                if (m_order->item(i)->data(Qt::UserRole).toString() == words[to])
                    m_order->insertItem(to, m_order->takeItem(i));
        break;
    case StepKind::bug:
        check(m_lines, words.value(0));
        check(m_options, words.value(1));
        break;
    case StepKind::code:
        m_program->setPlainText(answer);
        break;
    case StepKind::design:
        for (const QString &word : words) {
            const int place = m_fields.indexOf(word.section(QLatin1Char('='), 0, 0));
            if (place >= 0)
                m_settings[place]->setCurrentText(word.section(QLatin1Char('='), 1));
        }
        break;
    case StepKind::text:
    case StepKind::discussion:
        break;
    }
}

void QuestionInput::takeFocus() {
    if (const QWidgetList takers = controls(); !takers.isEmpty())
        takers.constFirst()->setFocus();
}

QWidgetList QuestionInput::controls() const {
    QWidgetList controls;
    for (QWidget *single :
         {static_cast<QWidget *>(m_number), static_cast<QWidget *>(m_order), static_cast<QWidget *>(m_program)})
        if (single != nullptr)
            controls.append(single);
    for (const QButtonGroup *group : {m_lines, m_options})
        if (group != nullptr)
            for (QAbstractButton *button : group->buttons())
                controls.append(button);
    for (QComboBox *setting : m_settings)
        controls.append(setting);
    return controls;
}

bool QuestionInput::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *const key = static_cast<QKeyEvent *>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == m_order && (key->modifiers() & Qt::AltModifier) != 0
        && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
        const int row = m_order->currentRow(), to = row + (key->key() == Qt::Key_Up ? -1 : 1);
        if (row >= 0 && to >= 0 && to < m_order->count()) {
            m_order->insertItem(to, m_order->takeItem(row));
            m_order->setCurrentRow(to);
            Q_EMIT edited();
        }
        return true;
    }
    const bool checks = isEnter && (watched != m_program || (key->modifiers() & Qt::ControlModifier) != 0);
    if (checks) {
        Q_EMIT submitted();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace meshwright
