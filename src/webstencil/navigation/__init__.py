"""Navigation as data: menus, lists, pagination, breadcrumbs."""
