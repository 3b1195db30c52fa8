"""The names of what the random programs can contain."""

FEATURES = {
    "now": ["structs", "enums", "arrays", "functions", "generate", "hold", "ranges", "floats", "traces", "failures", "stop", "loops", "switch",
            "poly", "nested", "owned", "fields", "consts", "aliases", "twins", "many", "inner", "async", "wait", "arrayports",
            "flip", "sim", "cover", "arrayargs", "structarrays", "inputs", "wide", "delay", "typeof", "structranges",
            "copyextra", "lists", "tables", "flipcopies", "zeros", "nestedcalls", "wideindices",
            "imports", "topconsts", "datafiles", "references", "lengths", "bitindices", "plusslices", "mixedports", "sums"],
    "later": [],                    # what the compiler cannot do yet
    "broken": [],                   # open bugs that would hide all else
}
