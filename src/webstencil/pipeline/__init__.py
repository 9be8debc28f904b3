"""One page through all stages (`page`), and the driver of every job (`job`)."""
