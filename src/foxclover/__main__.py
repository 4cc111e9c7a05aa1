"""``python -m foxclover`` is the command ``foxclover``."""

import sys

from foxclover.cli import main

sys.exit(main())
