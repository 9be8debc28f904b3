"""Pages as their scripts leave them, for sites that write their pages in the browser."""
