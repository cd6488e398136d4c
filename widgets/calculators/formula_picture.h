// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/formula.h"
#include "pictures/picture.h"

#include <QString>
#include <QWidget>

#include <optional>

namespace meshwright {

class PictureView;
class TextLabel;

/// The moving picture of a formula's present arguments.
struct PictureOfFormula {
    Picture picture;
    QString note; ///< how the picture differs from the arguments where they cannot be drawn; may be empty
};

/// Nothing if the formula has no picture, lacks arguments for it, or has values that cannot be drawn.
std::optional<PictureOfFormula> pictureOf(const Calculation &calculation);

/// An animated picture under a calculator; hidden if the formula has none.
class FormulaPicture : public QWidget {
    Q_OBJECT

public:
    explicit FormulaPicture(QWidget *parent = nullptr);

    void setCalculation(const std::optional<Calculation> &calculation);
    /// Null until there has been a picture.
    PictureView *view() const { return m_view; }

private:
    PictureView *m_view = nullptr;
    TextLabel *m_note;
};

} // namespace meshwright
