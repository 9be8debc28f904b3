"""How the site looks: functions from content to HTML, one for each of the site's templates."""
