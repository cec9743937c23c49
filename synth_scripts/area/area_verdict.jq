# SPDX-License-Identifier: Apache-2.0
#
# Rows of a run beside the baseline's: to each row a verdict (better, same, worse, stale, new, none) and its reasons. More
# flip-flops are always worse; area and LUTs may be 5 % up, the longest path 10 %: other names of wires alone move abc's choices
# that far (doc/use/area.md).

def slack: {flip_flops: 0, area_um2: 5, lut4: 5, fo4: 10}; # percent
def what: {area_um2: "um2", lut4: "LUT4", fo4: "FO4", flip_flops: "flip-flops"};
def change($old; $key; $slack): # against the baseline: -1 better, 0 same, 1 worse
    if .[$key] == null or $old[$key] == null then 0
    elif .[$key] * 100 > $old[$key] * (100 + $slack) then 1
    elif .[$key] * 100 < $old[$key] * (100 - $slack) then -1 else 0 end;
def changes($old): . as $row | slack as $s | [$s | keys_unsorted[] as $k | {key: $k, n: ($row | change($old; $k; $s[$k]))}];
def words($old; $sign): . as $row | [changes($old)[] | select(.n == $sign) | "\($old[.key]) -> \($row[.key]) \(what[.key])"] | join(", ");

def judged($base; $differ): . as $row
    | ($base.rows | map(select(.config == $row.config and .block == $row.block)) | first) as $old
    | if $differ != "" then . + {verdict: "stale", why: $differ}
      elif $old == null then . + {verdict: "new", why: "not in the baseline"}
      elif $old.parameters != .parameters then . + {verdict: "stale", why: "recorded with \($old.parameters), now \(.parameters)"}
      elif any(changes($old)[]; .n > 0) then . + {verdict: "worse", why: words($old; 1)}
      elif any(changes($old)[]; .n < 0) then . + {verdict: "better", why: words($old; -1)}
      else . + {verdict: "same", why: ""} end;

# $base: the baseline or null, $tools: of this run.
($base[0] // null) as $b
| if $b == null then map(. + {verdict: "none", why: ""})
  else ([$tools[0] | to_entries[] | select($b.tools[.key] != .value)
        | "\(.key): \($b.tools[.key] // "unknown") there, \(.value) here"] | join("; ")) as $differ
    | map(judged($b; $differ)) end
