// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pictures/picture.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

class PictureView;
class TextLabel;

struct PictureOfFormula {
    Picture picture;
    QString note; ///< how the animation differs from the arguments; may be empty
};

/// The animation of a formula in the catalog. Empty if the formula has none, lacks arguments for it, or has values that
/// cannot be drawn.
/// @param arguments  by name, in SI units; the animation may have parameters that the formula does not have
std::optional<PictureOfFormula> pictureOf(std::string_view formula,
                                          const std::map<std::string, double, std::less<>> &arguments);

/// An animation with its note. Hidden if the formula has no animation.
class FormulaPicture : public QWidget {
    Q_OBJECT

public:
    explicit FormulaPicture(QWidget *parent = nullptr);

    void showPicture(const std::optional<PictureOfFormula> &of);
    /// Null until the first animation is shown.
    PictureView *view() const { return m_view; }

private:
    PictureView *m_view = nullptr;
    TextLabel *m_note;
};

} // namespace meshwright
