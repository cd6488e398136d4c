// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controls/card.h"
#include "search/plan_request.h"

#include <map>
#include <memory>

class QGridLayout;
class QPushButton;

namespace meshwright {

struct Accelerator;
class IntegerBox;
class Library;
struct Model;
class OptionalQuantityBox;
class QuantityBox;
class SearchableCombo;
class Segmented;
class TextLabel;
class UnitSpinBox;

/// The six questions, and two more for a run over sites. Every answer has a default, so that Enter works at once.
class QuestionsCard : public Card {
    Q_OBJECT

public:
    explicit QuestionsCard(const Library &library, QWidget *parent = nullptr);

    PlanRequest request() const;
    void showRequest(const PlanRequest &request);
    /// Asks how many sites and how they are linked as well.
    void setSitesAsked(bool asked);
    /// Sizes by the model's id, shown in the list of models.
    void setModelSizes(const std::map<QString, double> &parameters);
    /// Where the keys begin.
    void takeFocus();

Q_SIGNALS:
    /// An answer is another one.
    void changed();
    /// Enter in a field, or the button: the best plan is wanted now.
    void submitted();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addMachines(const Library &library);
    void addModel(const Library &library);
    void addLength();
    void addSoftware(const Library &library);
    void addSites();
    /// @returns the row's first grid row
    int addRow(const QString &name, QWidget *field, QWidget *second = nullptr);
    TextLabel *addRemark();
    /// Null where the preset does not read: then the answer says so.
    std::shared_ptr<const Accelerator> chosenAccelerator() const;
    std::shared_ptr<const Model> chosenModel() const;
    void followAccelerator();
    void followModel();
    void followLength();
    void showRemarks();

    const Library &m_library;
    QGridLayout *m_grid;
    SearchableCombo *m_accelerator = nullptr;
    IntegerBox *m_count = nullptr;
    TextLabel *m_nodes = nullptr;
    SearchableCombo *m_model = nullptr;
    TextLabel *m_size = nullptr;
    Segmented *m_lengthKind = nullptr;
    OptionalQuantityBox *m_tokens = nullptr;
    UnitSpinBox *m_days = nullptr;
    TextLabel *m_tokensRemark = nullptr;
    IntegerBox *m_sequence = nullptr;
    SearchableCombo *m_software = nullptr;
    OptionalQuantityBox *m_budget = nullptr;
    QWidget *m_sitesName = nullptr;
    QWidget *m_sitesFields = nullptr;
    IntegerBox *m_sites = nullptr;
    QuantityBox *m_link = nullptr;
    QPushButton *m_find = nullptr;
    static constexpr qint64 UsualSequence = 8192;
    static constexpr double UsualDays = 30;

    bool m_sequenceChosen = false; ///< by hand: another model then leaves it
    bool m_softwareChosen = false;
};

} // namespace meshwright
