# SPDX-License-Identifier: Apache-2.0
#
# Area above, longest path below, a column per parameter; a block has one colour everywhere. Set before: data, output, names
# ("NumWarps NumSlots ..."), blocks, curves ("NumWarps:lcs ...", the names of the data sets: value, GE, FO4).

set terminal svg size 260 * words(names) + 60,640 font "sans,12" background "white"
set output output
set border 3
set grid ytics lc rgb "#dddddd"
set ytics nomirror
set xtics nomirror
set style data linespoints
set offsets graph 0.08, graph 0.08, 0, 0
unset key

array colour[10] = ["#222222", "#3465a4", "#f57900", "#4e9a06", "#8f5a9e", "#c4342b", "#c4a000", "#008b8b", "#a0522d", "#888888"]
color(b) = colour[(b - 1) % 10 + 1]
has(name, b) = strstrt(" ".curves." ", " ".name.":".word(blocks, b)." ") > 0

do for [b = 1:words(blocks)] {
    set label b "● ".word(blocks, b) at screen 0.02 + 0.96 * (b - 1) / words(blocks), screen 0.975 tc rgb color(b) noenhanced
}
set multiplot layout 2,words(names) columnsfirst margins 0.05,0.99,0.06,0.89 spacing 0.05,0.12
do for [c = 1:words(names)] {
    name = word(names, c)
    list = ""
    do for [b = 1:words(blocks)] { if (has(name, b)) { list = list." ".b } }
    set title name.": area, GE" noenhanced
    set logscale y
    set yrange [*:*]
    plot for [b in list] data index name.":".word(blocks, int(b)) using 1:2:xtic(1) lw 2 pt 7 ps 0.6 lc rgb color(int(b))
    unset logscale y
    unset label
    set title name.": longest path, FO4 (line: 30)" noenhanced
    set yrange [0:*]
    plot for [b in list] data index name.":".word(blocks, int(b)) using 1:3:xtic(1) lw 2 pt 7 ps 0.6 lc rgb color(int(b)), \
        30 with lines lc rgb "#cc0000" dt 2
}
unset multiplot
