// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_picture.h"

#include "search_controller.h"
#include "unattended.h"

#include <nlohmann/json.hpp>

namespace meshwright {

QImage windowPicture(const nlohmann::ordered_json &plan, const Library &library, const QSize &size) {
    UnattendedWindow unattended(plan, library, size);
    MainWindow &window = unattended.window();
    constexpr std::chrono::seconds timeout(20); // time after which the picture is taken, even of a partial result
    unattended.settle(timeout, [&] { return window.searching()->isSettled(); });
    QImage image(size, QImage::Format_RGB32);
    window.render(&image);
    return image;
}

} // namespace meshwright
