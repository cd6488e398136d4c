// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/plan_panel.h"

#include <memory>

class QSlider;
class QTreeView;

namespace meshwright {

class Disclosure;
class Library;
class ModelFieldsModel;
class SearchableCombo;
class TextLabel;

class ModelPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit ModelPanel(const Library &library, QWidget *parent = nullptr);
    ~ModelPanel() override;

    /// Sets a model preset, as if the user had chosen it in the panel.
    void usePreset(const QString &id);

protected:
    void showFields(const PlanView &view) override;

private:
    void addSize();
    void addFields();
    void beginScaling();
    void endScaling();
    void scale(int position);
    void scaleTo(double parameters, EditPace pace);
    void setModel(const Model &model, const QString &subject, const QString &to, EditPace pace);
    void showShape(const Model &model);
    void showTree();

    const Library &m_library;
    SearchableCombo *m_preset;
    QuantityBox *m_size = nullptr;
    QSlider *m_slider = nullptr;
    TextLabel *m_shape = nullptr;
    Disclosure *m_all = nullptr;
    QTreeView *m_tree = nullptr; ///< null until the fields are first opened
    ModelFieldsModel *m_fields = nullptr;

    struct Scaling;
    std::unique_ptr<Scaling> m_scaling; ///< set while the slider is being dragged
};

} // namespace meshwright
