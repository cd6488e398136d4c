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

/// Signals every change of the theme, its mode and reduced motion. For objects other than widgets (icon caches, models,
/// exports), because widgets also receive QEvent::PaletteChange and QEvent::FontChange.
class ThemeNotifier : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    void changed();
};

/// Colors, type, spacing and durations from :/meshwright/theme/tokens.json. A value type: cheap to store, and immutable
/// except for assignment. Painting code takes a Theme, so that the same code draws on screen and on paper.
class Theme {
public:
    /// The theme that was applied last; dark before the first apply().
    static const Theme &current();
    /// The theme of a widget, currently the same for all. Painting code calls this function so that a presentation
    /// window could have another theme.
    static const Theme &of(const QWidget *widget);
    /// Light theme with the screen fonts. Requires a QGuiApplication.
    static Theme light();
    static Theme dark();
    /// Theme for PDF and SVG: light, with a font whose text can be extracted from a PDF.
    static Theme paper();

    /// Installs fonts, style and palette. With ThemeMode::System, the theme keeps following the platform's palette.
    /// Call it again at any time to change the mode.
    static void apply(QApplication &application, ThemeMode mode);
    static ThemeMode mode();
    static ThemeNotifier *notifier();

    /// With reduced motion, every duration() is 0.
    static void setReducedMotion(bool reduced);
    static bool reducedMotion();

    bool isDark() const { return m_dark; }
    QColor colour(ColourRole role) const { return m_colours[static_cast<size_t>(role)]; }
    QColor fill(Kind kind) const { return m_fills[static_cast<size_t>(kind)]; }
    /// Text color on top of fill(kind).
    QColor label(Kind kind) const { return m_labels[static_cast<size_t>(kind)]; }
    /// Text color and light fill of a tone. For Neutral: Text2 on Raised.
    QColor ink(Tone tone) const;
    QColor softFill(Tone tone) const;

    /// All color groups, including Disabled.
    QPalette palette() const;

    /// In pixels, unhinted, with tabular figures (see theme/fonts.h).
    QFont font(TypeRole role, TextWeight weight = TextWeight::Regular) const;
    /// The body font, reduced to at least 10 pixels if the line would not fit the width.
    QFont fontFor(const QString &line, qreal width) const;
    /// Distance between baselines in logical pixels: 14, 16, 18, 24, 34.
    static int lineHeight(TypeRole role);
    static constexpr int space(Space space) { return static_cast<int>(space); }
    static qreal radius(Corner corner);
    /// Milliseconds; 0 if reduced motion is on.
    static int duration(Motion motion);
    /// Milliseconds after which an outdated figure is tinted until the new one arrives.
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

/// WCAG 2 contrast of two opaque colors, 1 to 21.
double contrast(const QColor &first, const QColor &second);

/// Linear interpolation from `from` to `to`; `share` is 0 to 1. Opaque inputs give an opaque result.
QColor mixed(const QColor &from, const QColor &to, qreal share);

} // namespace meshwright
