"""The width of the sigmoid by which a data set's scores explain the results best: `squash`.

    python3 fit_squash.py DATA

DATA comes from `damier generate chess --encoder pieces`. Least squares over the rows whose score is
below 1500, for widths in steps of 5.
"""
import json
import sys

import numpy as np


def column(path, name):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(size))[name]
    return np.memmap(path, np.float32, "r", 8 + size + entry["data_offsets"][0],
                     tuple(entry["shape"]))[:, 0].astype(np.float64)


def main():
    score, result = (column(sys.argv[1], name) for name in ("score", "result"))
    some = np.abs(score) < 1500
    score, result = score[some], result[some]
    errors = {width: np.mean((1 / (1 + np.exp(-score / width)) - result) ** 2)
              for width in range(150, 455, 5)}
    width = min(errors, key=errors.get)
    print(f"squash {width}: squared error {errors[width]:.6f} over {len(score)} rows")


if __name__ == "__main__":
    main()
