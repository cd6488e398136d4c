// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSize>

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// Picture of the real window with this evaluated plan and default settings; the user's settings are neither read nor
/// changed. Needs a QApplication with the theme applied. With the "offscreen" platform, nothing appears on a display.
QImage windowPicture(const nlohmann::ordered_json &plan, const Library &library, const QSize &size);

} // namespace meshwright
