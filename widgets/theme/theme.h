// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;
class QWidget;

namespace meshwright {

/// Tells of every change of the theme, of its mode and of reduced motion. Widgets need not connect: they also get
/// QEvent::PaletteChange and QEvent::FontChange. It is for what is not a widget (icon caches, models, exports).
class ThemeNotifier : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    void changed();
};

/// Colours, type, spacing and durations, from :/meshwright/theme/tokens.json. A value: cheap to keep, immutable but for
/// assignment. Every painter takes one, so that the same code draws to the screen and to paper.
class Theme {
public:
    /// The theme of the window, as last applied. Dark before the first apply().
    static const Theme &current();
    /// The theme that a widget draws with. The same for all widgets today; painters call this so that a presentation
    /// window may differ one day.
    static const Theme &of(const QWidget *widget);
    /// Light or dark with the screen's fonts. Needs a QGuiApplication.
    static Theme light();
    static Theme dark();
    /// For PDF and SVG: light, and in a family whose text can be extracted from a PDF again.
    static Theme paper();

    /// Installs fonts, style and palette. With ThemeMode::System it follows the platform's palette from then on. May be
    /// called again at any time to change the mode.
    static void apply(QApplication &application, ThemeMode mode);
    static ThemeMode mode();
    static ThemeNotifier *notifier();

    /// With reduced motion every duration() is 0.
    static void setReducedMotion(bool reduced);
    static bool reducedMotion();

    bool isDark() const { return m_dark; }
    QColor colour(ColourRole role) const { return m_colours[static_cast<size_t>(role)]; }
    QColor fill(Kind kind) const { return m_fills[static_cast<size_t>(kind)]; }
    /// Ink for text that stands on fill(kind).
    QColor label(Kind kind) const { return m_labels[static_cast<size_t>(kind)]; }
    /// Text and soft fill of a tone. Neutral: Text2 on Raised.
    QColor ink(Tone tone) const;
    QColor softFill(Tone tone) const;

    /// All groups, the Disabled one included.
    QPalette palette() const;

    /// Pixel-sized, unhinted, with figures of one width (see theme/fonts.h).
    QFont font(TypeRole role, TextWeight weight = TextWeight::Regular) const;
    /// That of body text, or a smaller one down to 10 pixels in which a line has room.
    QFont fontFor(const QString &line, qreal width) const;
    /// Logical pixels from one baseline to the next: 14, 16, 18, 24, 34.
    static int lineHeight(TypeRole role);
    static constexpr int space(Space space) { return static_cast<int>(space); }
    static qreal radius(Corner corner);
    /// Milliseconds; 0 with reduced motion.
    static int duration(Motion motion);
    /// A figure older than this many milliseconds is tinted until the new one is there.
    static constexpr int StaleAfter = 100;

private:
    Theme(bool dark, const QString &family);
    static Theme &installed();
    static bool systemIsDark();
    static void refresh();
    friend class SystemThemeWatcher;

    bool m_dark = true;
    QString m_family;
    std::array<QColor, ColourRoleCount> m_colours;
    std::array<QColor, KindCount> m_fills;
    std::array<QColor, KindCount> m_labels;
};

/// WCAG 2 contrast of two opaque colours, 1 to 21.
double contrast(const QColor &first, const QColor &second);

/// The colour that lies `share` (0 to 1) of the way from `from` to `to`; opaque inputs give an opaque result.
QColor mixed(const QColor &from, const QColor &to, qreal share);

} // namespace meshwright
