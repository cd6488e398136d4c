// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QSize>

#include <nlohmann/json_fwd.hpp>

namespace meshwright {

class Library;

/// The real window with this plan, its evaluation done, as a first start shows it: nothing of the user's settings goes
/// in or is touched. Needs a QApplication with the theme applied; shows nothing on a display of the "offscreen"
/// platform.
QImage windowPicture(const nlohmann::ordered_json &plan, const Library &library, const QSize &size);

} // namespace meshwright
