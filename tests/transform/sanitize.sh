#!/usr/bin/env bash
# compute-sanitizer over every shape of kernel, on a GPU: memcheck, racecheck, synccheck, initcheck.
# usage: tests/transform/sanitize.sh [path of sonoma [only shapes that match this]]; a line a run, exit status 1 if any is not clean.
set -euo pipefail
sonoma=${1:-build/bin/sonoma}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Three whole blocks and a piece: n, then the arguments of the request.
shapes='
2    --engine mma
2    --engine simt
4    --engine mma --radix 2
8    --engine mma --radix 4
16   --engine simt
16   --engine mma
32   --engine mma
64   --engine mma --radix 4
128  --engine mma --radix 8 --inverse
256  --engine mma
512  --engine simt --radix 4 --in-place
512  --engine mma --in-place
1024 --engine mma
1024 --engine mma --radix 2
2048 --engine simt --scale 0.5
4096 --engine mma
4096 --engine mma --radix 8 --in-place
4096 --engine simt
8192 --engine mma
8192 --engine simt
8192 --engine mma --radix 4
2    --precision f16 --engine mma
8    --precision bf16 --engine simt
32   --precision bf16 --engine mma
64   --precision f16 --accuracy half --in-place
512  --precision f16 --accuracy split3
512  --accuracy half --radix 8
1024 --accuracy half
1024 --accuracy split4
2048 --precision bf16 --accuracy half --inverse
4096 --precision f16 --engine simt
8192 --precision f16 --accuracy half
8192 --precision bf16 --accuracy half --in-place
1024 --radix 32
16384 --engine simt --in-place
65536 --pass-lengths 256,256 --fused 0
59049 --in-place
524288 --pass-lengths 256,2048 --rounds 2 --columns 8 --points-per-thread 32
65536 --pass-lengths 256,256 --cluster 2 --columns 16 --in-place
262144 --pass-lengths 512,512 --columns 4 --inverse
65536 --in-place
131072 --inverse
8192 --engine simt --cluster 2 --block-points 8192
32768 --engine simt --cluster 8 --in-place
131072 --engine simt --cluster 16
8192 --engine simt --rounds 2 --radix 8 --block-points 8192 --in-place
16384 --engine simt --rounds 2 --inverse
32768 --precision f16 --rounds 2 --cluster 1 --engine simt
32768 --engine simt --rounds 2 --cluster 2 --in-place
131072 --engine simt --rounds 2 --cluster 8
323 --engine simt --in-place
667 --engine simt --inverse
961 --engine simt
262144 --fused 1
262144 --order transposed --inverse
262144 --precision f16 --fused 1
32768 --precision bf16 --pass-lengths 32,32,32 --in-place
1000 --engine simt
30030 --in-place
1009 --method bluestein --in-place
1009 --method rader --in-place
257 --method rader --inverse
8191 --method bluestein --inverse
2053 --in-place
10007 --in-place
16381 --in-place
65537 --in-place
1000 --out-length 300
4096 --out-precision f16 --load-code value
'

make_input() {  # make_input <n> <batch>: complex64 (batch, n) of white noise
  python3 - "$1" "$2" "$work/$1x$2.npy" <<'PYTHON'
import array, random, sys
n, batch = int(sys.argv[1]), int(sys.argv[2])
header = "{'descr': '<c8', 'fortran_order': False, 'shape': (%d, %d), }" % (batch, n)
header += " " * (64 - (11 + len(header)) % 64) + "\n"
random.seed(n)
with open(sys.argv[3], "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    for _ in range(batch):
        array.array("f", (random.gauss(0, 1) for _ in range(2 * n))).tofile(out)
PYTHON
}

batch_of() {  # batch_of <n>
  echo $((3 * ($1 < 2048 ? 2048 / $1 : 1) + 1))
}

check() {  # check <tool> <n> <arguments...>
  local tool=$1 n=$2 log status=clean
  shift 2
  log=$(mktemp -p "$work")
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$sonoma" run --device gpu --n "$n" "$@" \
    --input "$work/${n}x$(batch_of "$n" "$@").npy" --output "$log.npy" >"$log" 2>&1 || status="NOT CLEAN: $(tail -n 3 "$log" | tr '\n' ' ')"
  echo "$tool n=$n $*: $status"
  [[ $status == clean ]]
}
export -f check batch_of
export sonoma work

shapes=$(grep -E -- "${2:-.}" <<<"$shapes")

while read -r shape; do
  [[ -z $shape ]] || echo "${shape%% *} $(batch_of $shape)"
done <<<"$shapes" | sort -u | while read -r n batch; do make_input "$n" "$batch"; done
for tool in memcheck racecheck synccheck initcheck; do
  awk -v tool="$tool" 'NF { print "check " tool " " $0 }' <<<"$shapes"
done | xargs -P 8 -I {} bash -c '{}'
