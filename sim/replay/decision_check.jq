# SPDX-License-Identifier: Apache-2.0
#
# What is wrong with a decision log: a line of text for each finding, nothing if it is sound.
#
#     jq -nRr --rawfile log PREFIX.model.log -f sim/replay/decision_check.jq PREFIX.model.jsonl

def fields: ["cycle", "where", "sm", "instance", "block", "rule", "event", "inputs", "before", "after", "words"];

def whole: type == "number" and . >= 0 and floor == .;
def values: type == "object" and all(.[]; whole or type == "string");
def text: type == "string" and length > 0;

def wrong_with_record:
    if type != "object" then "is no JSON object"
    elif keys_unsorted != fields then "has the fields \(keys_unsorted | join(" "))"
    elif (.cycle | whole | not) or (.sm != null and (.sm | whole | not)) then "has no number where one belongs"
    elif all(.where, .instance, .block, .rule, .event, .words; text) | not then "has an empty text"
    elif all(.inputs, .before, .after; values) | not then "has a value that is neither number nor text"
    else empty end;

# The words of a cycle as the log has them: of a chip's SMs four are named, the others counted.
def joined:
    map(select(.where == "chip" and .sm != null).words) as $sms
    | map(select(.where != "chip" or .sm == null).words) + $sms[:4]
    | join("; ") + (if ($sms | length) > 4 then "; \(($sms | length) - 4) more SMs" else "" end);

def lines_of_records: group_by(.cycle) | map("cycle \(.[0].cycle) \(.[0].where) " + joined);

# Several blocks may have a line each in one cycle.
def lines_of_log:
    $log | split("\n")[:-1] | map(capture("^(?<at>cycle (?<cycle>[0-9]+) [^ ]+ )(?<words>.*)$"))
    | group_by(.cycle | tonumber) | map(.[0].at + (map(.words) | join("; ")));

# What follows from record to record: nothing changes behind the log's back.
def chain(key; name; start):
    reduce .[] as $r ({last: {}, wrong: []};
        if $r.before | has(name) | not then . else
            ($r | key) as $key
            | (if (.last | has($key)) then .last[$key] else start end) as $was
            | (if $r.before[name] != $was
               then .wrong += ["cycle \($r.cycle): \(name) of \($key) is \($r.before[name]), it was left at \($was)"] else . end)
            | .last[$key] = $r.after[name]
        end) | .wrong[];

[inputs | try fromjson catch null] as $records
| ([$records | to_entries[] | .key as $n | .value | wrong_with_record | "line \($n + 1) \(.)"]) as $bad
| if $bad | length > 0 then $bad[] else
    $records
    | chain("SM \(.sm) of \(.instance)"; "limit"; 0),
      chain("domain \(.inputs.domain) of \(.instance)"; "level"; "normal"),
      (lines_of_records as $a | lines_of_log as $b
       | if $a == $b then empty else "the words differ: \(($a - $b)[0] // "nothing") and \(($b - $a)[0] // "nothing")" end)
  end
