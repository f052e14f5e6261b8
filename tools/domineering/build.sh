#!/usr/bin/env bash
# Builds what train_on_gpu.py calls, without the rest of Damier: build.sh FOLDER
# It needs CUDA's compiler, g++ and the headers of fmt; for another card than an H100 or H200 set
# GPU, as GPU=sm_80. Without nvcc on the PATH the games run on the processor, which is for trials.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
src=$root/src
mkdir -p "$1/include"
ln -sfn "$src" "$1/include/damier"
include=(-I"$1/include" -I"$root" ${FMT:+-I"$FMT"})  # FMT: a folder with fmt's headers, if need be
games=$root/tools/domineering/library.cu
if command -v nvcc > /dev/null; then
  nvcc -std=c++20 -O3 "-arch=${GPU:-sm_90}" --expt-relaxed-constexpr --expt-extended-lambda \
    "${include[@]}" -shared -Xcompiler -fPIC -o "$1/libdomineering_games.so" "$games"
else
  g++ -x c++ -std=c++20 -O3 -march=native -fPIC -shared "${include[@]}" \
    -o "$1/libdomineering_games.so" "$games"
fi
g++ -w -std=c++20 -O3 "-march=${MARCH:-native}" -fPIC -shared -static-libstdc++ -static-libgcc \
  -DFMT_HEADER_ONLY "${include[@]}" -o "$1/libdomineering_labels.so" \
  "$root"/tools/domineering/labels.cc "$src"/exact/domineering/{solver,strips}.cc \
  "$src"/games/domineering/domineering.cc "$src"/games/{coordinates,options}.cc \
  "$src"/base/{files/interrupt,text/text,numbers/random,result}.cc
