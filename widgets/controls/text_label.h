// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/roles.h"

#include <QLabel>

namespace meshwright {

/// A label whose font and color follow its roles in the theme.
class TextLabel : public QLabel {
    Q_OBJECT

public:
    explicit TextLabel(const QString &text = {}, TypeRole type = TypeRole::Body, ColourRole colour = ColourRole::Text2,
                       TextWeight weight = TextWeight::Regular, QWidget *parent = nullptr);

    void setType(TypeRole type, TextWeight weight = TextWeight::Regular);
    void setColour(ColourRole colour);
    ColourRole colour() const { return m_colour; }
    /// Shortens the text if there is too little room; the tool tip then has the whole text.
    void setElided(bool elided);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();

    TypeRole m_type;
    TextWeight m_weight;
    ColourRole m_colour;
    bool m_elided = false;
};

} // namespace meshwright
