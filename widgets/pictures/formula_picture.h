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

/// The moving picture of a formula's present arguments.
struct PictureOfFormula {
    Picture picture;
    QString note; ///< how the picture differs from the arguments if they cannot be drawn; may be empty
};

/// The picture of a formula of the catalog. Nothing if it has none, lacks arguments for it, or has values that cannot
/// be drawn.
/// @param arguments  by name, in SI units; the picture may have parameters that the formula does not have
std::optional<PictureOfFormula> pictureOf(std::string_view formula,
                                          const std::map<std::string, double, std::less<>> &arguments);

/// A picture with its note; hidden if there is none.
class FormulaPicture : public QWidget {
    Q_OBJECT

public:
    explicit FormulaPicture(QWidget *parent = nullptr);

    void showPicture(const std::optional<PictureOfFormula> &of);
    /// Null until there has been a picture.
    PictureView *view() const { return m_view; }

private:
    PictureView *m_view = nullptr;
    TextLabel *m_note;
};

} // namespace meshwright
