"""The commands whose every output is compared: each kind of study, with and without a report."""

from __future__ import annotations

SYNTHETIC = "lublin --jobs 1200 --load 0.8 --seed 1 --estimate-factor 3"
PREPARED = (
    "init sample",
    f"simulate {SYNTHETIC} --policy maui --maui sample/maui.toml --write-log log.swf",
)
"""Commands that make inputs of the others; they run first, in this order."""

COMMANDS = (
    "--help",
    "plan --help",
    "simulate --help",
    "schema",
    "check sample/designs.toml",
    "check sample/procurement.toml --json",
    "check sample/maui.toml",
    "plan sample/designs.toml -o designs",
    "plan thesis-7kw -o thesis",
    "plan thesis-7kw --json -o thesis-json",
    "plan hopper-2010 -o hopper",
    "plan sample/procurement.toml -o procurement",
    "plan sample/dark.toml -o dark",
    "plan sample/procurement.toml --dry-run",
    "plan no-such-scenario",
    "diff thesis designs",
    "diff procurement dark --all",
    "configure sample/runs.csv --bound-w 3500 -o configured",
    "configure sample/runs.csv --bound-w 3500 -A SP-MZ --json",
    "configure sample/runs.csv --bound-w 3500 -A LU-MZ --model physical+process -o predicted",
    "configure sample/runs.csv --bound-w 3500 -A LU-MZ --next 3",
    "configure sample/runs.csv --bound-w 100 -o impossible",
    "share sample/runs.csv --bound-w 6000 --nodes 64 -o shared",
    "share sample/runs.csv --bound-w 6000 --nodes 64 --goal makespan --json",
    f"simulate {SYNTHETIC} --policy easy --policy conservative --check --schedule s.csv -o played",
    f"simulate {SYNTHETIC} --policy easy --json",
    f"simulate {SYNTHETIC} --policy moldable --policy easy++ --policy fcfs",
    f"simulate {SYNTHETIC} --explain 700",
    "simulate log.swf --policy maui --maui sample/maui.toml --job-table jobs.csv -o maui",
    "check-schedule s-easy.csv --processors 256 --policy easy",
    "check-schedule s-conservative.csv --processors 256 --policy fcfs",
    "simulate log.swf --policy easy --size-for mean-wait<=30min --growth 1.5 -o sized",
    "simulate log.swf --policy easy --size-for mean-wait<=30min --growth 1.5 --json",
    "estimate log.swf --uptake 0,100 --error 0,50 --seeds 2 -o estimated",
    "estimate log.swf --uptake 100 --error 0 --seeds 2 --json",
    "place matrix.csv --nodes 2 --hierarchy 'pack:2 core:2 pu:1' --rank-file ranks",
    "place matrix.csv --nodes 2 -o placed",
    "place matrix.csv --nodes 2 --json",
    "aggregate lu --law cliff --seed 1 --write-measurements measured -o aggregated",
    "aggregate measured --json",
    "aggregate patterns 2,2,2",
    "plan sample/runs.csv",
    "simulate nothing.swf",
    "configure sample/runs.csv --bound-w -1",
)
