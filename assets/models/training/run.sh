#!/bin/sh
# Reproduces the demo model from nothing:  ./run.sh WORK_DIR
# The five training phases are the ones that made the shipped file (see ../simmer-demo.md). The result is not bit-identical: the learning rate
# follows the clock, and the "Contents:" lists of long texts were added to the generators before phase 5 (here they are in all phases).
# A single --opt muon run of the same total time would be simpler and probably no worse; it has not been tried.
set -e
W=${1:?work dir}; PY=${PY:-/usr/bin/python3}
cd "$(dirname "$0")"; mkdir -p "$W"; export SIMMER_BUILD="$W"
T="$W/tokenizer.json"; V="$W/val.npz"
$PY tokenizer.py "$T" 2048 8000
$PY prepare.py "$T" "$W/a.npz" 0 85000 6500 &
$PY prepare.py "$T" "$W/b.npz" 1000000 85000 6500
wait
$PY prepare.py "$T" "$W/c.npz" 3000000 20000 2600 50000
$PY prepare.py "$T" "$V" 20000000 900 70
$PY check/gradients.py "$V"
$PY train.py "$W/p1" "$W/a.npz,$W/b.npz" "$V" --minutes 27 --lr 3e-3
$PY train.py "$W/p2" "$W/a.npz,$W/b.npz" "$V" --minutes 23 --stop 500 --init "$W/p1/ckpt.pt" --opt muon --tokens 2048 --lr 2e-3 --warmup 40 --seed 5000
$PY train.py "$W/p3" "$W/c.npz" "$V" --minutes 21 --init "$W/p2/ckpt.pt" --opt muon --tokens 2048 --lr 2e-3 --warmup 30 --seed 9000
$PY train.py "$W/p4" "$W/a.npz,$W/c.npz" "$V" --minutes 20 --init "$W/p3/ckpt.pt" --opt muon --tokens 2048 --lr 1.2e-3 --warmup 30 --seed 12000
$PY prepare.py "$T" "$W/d.npz" 5000000 9000 4500 22000
$PY train.py "$W/p5" "$W/d.npz" "$V" --minutes 11 --init "$W/p4/ckpt.pt" --opt muon --tokens 2048 --lr 1e-3 --warmup 30 --seed 15000 --long-share 1.0
$PY gguf.py "$W/p5/ckpt.pt" "$T" "$W/simmer-demo.F16.gguf" f16
$PY gguf.py "$W/p5/ckpt.pt" "$T" "$W/simmer-demo.Q8_0.gguf" q8_0
$PY train_micro.py "$T" "$W/micro.pt" 250
$PY testmodels.py "$T" "$W/simmer-demo.Q8_0.gguf" "$W" "$W/micro.pt"
$PY check/reference.py "$W/simmer-demo.F16.gguf" "$T" "$W/ref.json"
echo "Now, where node-llama-cpp is installed: node check/verify.mjs $W/simmer-demo.F16.gguf $W/ref.json; node check/quality.mjs $W/simmer-demo.Q8_0.gguf"
