// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lessons/question.h"

#include <QWidget>

class QButtonGroup;
class QComboBox;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QVBoxLayout;

namespace meshwright {

/// The input for an answer: a field, options, a list to put in order, a program, or settings, depending on the kind of
/// question. The answer is a text in the format that judge() expects.
class QuestionInput : public QWidget {
    Q_OBJECT

public:
    explicit QuestionInput(QWidget *parent = nullptr);

    /// Scales the font sizes, for presentations. Takes effect with the next question.
    void setScale(qreal scale);
    void showQuestion(const Question &question);
    QString answer() const;
    void setAnswer(const QString &answer);
    bool isAnswered() const { return !answer().trimmed().isEmpty(); }
    void takeFocus();
    /// The controls that take keyboard focus, from top to bottom.
    QWidgetList controls() const;

Q_SIGNALS:
    void edited();
    /// Enter was pressed, so the answer should be checked.
    void submitted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void clear();
    void addNumber(const Question &question);
    void addChoice(const Question &question);
    void addOrder(const Question &question);
    void addBug(const Question &question);
    void addProgram(const Question &question);
    void addDesign(const Question &question);
    QButtonGroup *addOptions(const QStringList &texts, const QStringList &keys, bool monospaced);

    StepKind m_kind = StepKind::text;
    qreal m_scale = 1;
    QVBoxLayout *m_column;
    QLineEdit *m_number = nullptr;
    QButtonGroup *m_options = nullptr; ///< options of a choice, or corrections of a bug
    QButtonGroup *m_lines = nullptr;
    QListWidget *m_order = nullptr;
    QPlainTextEdit *m_program = nullptr;
    QVector<QComboBox *> m_settings;
    QStringList m_fields;
};

} // namespace meshwright
