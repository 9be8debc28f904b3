"""Web pages that show a store, and a form to try single pages.

- `server` serves the `app`; `guard` checks every request and response;
- `views` shows what `webstencil.queries` reads from the store, with the templates of `writing`;
- `trying` takes a page in a form; `workplace` holds the process in which `work` handles it.
"""
