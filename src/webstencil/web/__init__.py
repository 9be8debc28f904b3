"""Pages for people: what a store has learned, whether it is right, and single pages to try.

- `server` serves the `app`; `guard` stands before it and refuses what no visitor of ours asks;
- `views` shows sites, stencils and results with what `sites`, `pictures` and `charts` make of a
  store (`shelf`);
- `trying` takes a page in a form; `workplace` holds the process in which `work` is done with it.
"""
