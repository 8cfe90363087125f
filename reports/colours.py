"""The colours of figures and charts: those of Okabe and Ito, and a grey."""

BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#666666",
)  # fmt: skip
PALETTE = (BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, GREY)
