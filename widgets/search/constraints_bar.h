// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/constraints.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QWidget>

#include <array>
#include <vector>

class QAction;
class QHBoxLayout;
class QMenu;
class QPushButton;

namespace meshwright {

class QuantityBox;
class Segmented;
class ToggleSwitch;

/// Edits the plan's constraints on the search: fixed settings, minimum headroom, other software, tensor parallelism
/// within a node, and what to search in addition to the parallel degrees. Every change is an edit of the plan.
class ConstraintsBar : public QWidget {
    Q_OBJECT

public:
    explicit ConstraintsBar(QWidget *parent = nullptr);

    void showPlan(const PlanView &view);
    const Constraints &constraints() const { return m_constraints; }
    /// Shows the deadline, which only the objective "Fewest GPUs" uses.
    void setDeadlineShown(bool shown);

    void hold(ConfigurationField field, bool held);
    void searchAlso(SearchOption option, bool also);

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int widthOf(std::size_t from, std::size_t to) const;
    void arrange();
    QWidget *labelled(const QString &label, QWidget *control);
    QPushButton *newMenuButton(const QString &name, QMenu *menu);
    void set(const QString &key, const QString &subject, const QString &to, const nlohmann::ordered_json &value);
    void remove(const QString &key, const QString &subject);
    void nameButtons();
    QWidget *newHeadroom();
    void chooseHeadroom(int choice);
    void showHeadroom();

    std::array<QHBoxLayout *, 2> m_lines{};
    std::vector<QWidget *> m_parts; ///< controls from left to right
    PlanView m_view;
    Constraints m_constraints;
    Segmented *m_headroomChoice;
    QuantityBox *m_headroom;
    ToggleSwitch *m_anySoftware;
    ToggleSwitch *m_withinNode;
    QWidget *m_deadlineRow = nullptr;
    QuantityBox *m_deadline;
    QPushButton *m_fixed = nullptr;
    QPushButton *m_also = nullptr;
    std::array<QAction *, configuration_field_count> m_fields{};
    std::array<QAction *, search_option_count> m_options{};
};

} // namespace meshwright
