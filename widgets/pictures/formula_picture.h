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
    /// Parameters of the picture by symbols of the formula, where their names differ.
    std::map<std::string, std::string, std::less<>> parameters = {};
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
    /// Outlines what a symbol of the formula stands for; nothing if empty.
    void light(const QString &symbol);
    /// Null until the first animation is shown.
    PictureView *view() const { return m_view; }

private:
    PictureView *m_view = nullptr;
    std::map<std::string, std::string, std::less<>> m_parameters;
    TextLabel *m_note;
};

} // namespace meshwright
