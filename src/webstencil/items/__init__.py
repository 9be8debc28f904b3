"""What a page says about itself: title, authors, dates, and facts for programs."""
