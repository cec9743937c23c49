# SPDX-License-Identifier: Apache-2.0
#
# Words of a table.

def pad($n): tostring | (if length < $n then " " * ($n - length) else "" end) + .;
def fill($n): tostring | if length < $n then . + " " * ($n - length) else . end;
def orminus: if . == null then "-" else . end;
def fixed($n): (. * pow(10; $n) | round) as $v | ($v | fabs | tostring) as $s
    | (if ($s | length) <= $n then "0" * ($n + 1 - ($s | length)) + $s else $s end)
    | .[:(length - $n)] + "." + .[(length - $n):] | if $v < 0 then "-" + . else . end;
