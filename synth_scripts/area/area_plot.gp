# SPDX-License-Identifier: Apache-2.0
#
# Two bar charts of all blocks, one bar per configuration. Set before: data (block, then GE per configuration, then FO4 per
# configuration, "-" where there is none; first line: names), output, n (configurations).

set terminal svg size 1000,640 font "sans,12" background "white"
set output output
set tics scale 0.5
set datafile missing "-"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set boxwidth 0.9
set key top left horizontal
set xtics rotate by -25 nomirror noenhanced
set ytics nomirror
set border 3
set grid ytics lc rgb "#dddddd"
array colour[4] = ["#3465a4", "#f57900", "#73a946", "#8f5a9e"]

set multiplot layout 2,1 margins 0.07,0.98,0.12,0.93 spacing 0.22
set title "Area in gate equivalents (NAND2)"
set logscale y
set yrange [10:*]
plot for [i = 1:n] data using (column(1 + i)):xtic(1) title columnheader(1 + i) lc rgb colour[(i - 1) % 4 + 1]
unset logscale y
unset key
set title "Longest path in FO4 (line: 30)"
set yrange [0:*]
plot for [i = 1:n] data using (column(1 + n + i)):xtic(1) title columnheader(1 + n + i) lc rgb colour[(i - 1) % 4 + 1], \
    30 with lines lc rgb "#cc0000" dt 2 notitle
unset multiplot
