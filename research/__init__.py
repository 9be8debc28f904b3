"""Research code beside the package: tables of the papers, training, benches, the demo site."""

import os
from pathlib import Path

# Labelled data is not part of the repository.
DATA = Path(os.environ.get("WEBSTENCIL_DATA", Path(__file__).parents[2] / "shared" / "data"))
