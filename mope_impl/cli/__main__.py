"""``python -m mope_impl.cli`` is ``mope``."""
from __future__ import annotations

import sys

from .app import main

sys.exit(main())
