-- Parts of addresses are found by the pairs of neighbouring numbers in the texts of calls (see number-pairs.ts), and each report has the path of its media: all calls are rebuilt.
update calls set stale = true where not stale;
