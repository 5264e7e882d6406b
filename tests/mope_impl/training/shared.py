"""What each process of a shared run does, started by torchrun: ``shared.py FOLDER SECTIONS(JSON) RESUME``."""
from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import torch

from mope_impl.training import TrainingError, train
from tests.mope_impl.training.tiny import tiny


def main() -> None:
    folder, sections, resume = Path(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3] == "resume"
    torch.set_num_threads(1)
    try:
        result = train(tiny(**sections), folder, resume=resume, tensorboard=False, pictures=False)
    except TrainingError as fault:
        print(f"rank {os.environ['RANK']}: {fault}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    dropped = torch.nn.functional.dropout(torch.ones(64), 0.5)  # the generator is the process's own again
    state = {
        "parameters": [float(one.double().sum()) for one in result.model.parameters()],
        "buffers": {name: float(one.double().sum()) for name, one in result.model.named_buffers()},
        "evaluations": list(result.evaluations),
        "dropped": dropped.tolist(),
    }
    (folder / f"rank-{os.environ['RANK']}.json").write_text(json.dumps(state), encoding="utf-8")


if __name__ == "__main__":
    main()
