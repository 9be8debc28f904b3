"""Web pages that show a store, and a form to try single pages.

- `server` serves the `app`, and its guard checks every request and response;
- `views` shows what `webstencil.queries` reads from the store, with the templates of `output`;
- `trying` takes a page in a form; `work` handles it, in a process of its own.
"""
