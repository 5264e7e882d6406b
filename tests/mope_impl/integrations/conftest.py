"""Nothing here may ask for a model of a hub."""
from __future__ import annotations

import os

os.environ["HF_HUB_OFFLINE"] = "1"  # read when transformers is imported, which happens in the tests, and by other processes
