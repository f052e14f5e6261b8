# Checks every case_N.onnx, shapes included, with the onnx package: python3 check.py CASES
import pathlib
import sys

import onnx

files = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
good = 0
for path in files:
    try:
        onnx.checker.check_model(onnx.load(str(path)), full_check=True)
        good += 1
    except Exception as fault:
        print(f"{path.name}: FAILED, {fault}")
print(f"onnx {onnx.__version__}: {good} of {len(files)} files are well-formed")
sys.exit(0 if files and good == len(files) else 1)
