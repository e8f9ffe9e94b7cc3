#!/usr/bin/env bash
# compute-sanitizer over every shape and kind of kernel, on a GPU: memcheck, racecheck, synccheck, initcheck.
# usage: tests/transform/sanitize.sh [path of sonoma [only shapes that match this]]; a line a run, exit status 1 if any is not clean.
set -euo pipefail
sonoma=${1:-build/bin/sonoma}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Three whole blocks and a piece: n or the lengths of the axes, then the arguments of the request. "convolve n": of signals
# of n points, with a filter.
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
61 --in-place
817 --inverse
7847
64   --precision f16 --accuracy packed
1000 --precision f16 --accuracy packed --in-place
8192 --precision f16 --accuracy packed --inverse
32768 --precision f16 --accuracy packed --in-place
65536 --precision f16 --accuracy packed
8400 --precision f16 --accuracy packed --pass-lengths 60,70
65536 --precision f16 --accuracy packed --pass-lengths 128,256 --fused 1
256 --accuracy simt64
1000 --accuracy simt64 --in-place
16384 --accuracy simt64
1009 --accuracy simt64
48x64 --accuracy simt64
240 --domain r2c --accuracy simt64
262144 --fused 1
32032 --pass-lengths 182,176 --fused 1 --columns 32 --engine simt
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
64x64
16x16 --precision f16 --in-place
128x128 --rounds 2 --cluster 1
256x256
512x512 --in-place
16x16x16 --inverse
125x125 --in-place
600x63
64x64x64
8192x12
100x60
37x107
3x20000
64x256 --engine mma
64x48 --load-code make_float2(value.x*i0,value.y*i1)
256 --domain r2c
256 --domain c2r --in-place
4096 --domain r2c --engine mma
3000 --domain r2c --opposite 1 --cluster 3 --in-place
3000 --domain c2r --opposite 1 --cluster 3
12000 --domain r2c --opposite 1 --cluster 3 --threads 64
12000 --domain c2r --opposite 1 --cluster 3 --threads 64 --in-place
186624 --domain r2c --in-place
186624 --domain c2r
131072 --domain r2c
864 --domain r2c
972 --in-place
105 --domain r2c
214 --domain r2c
214 --domain c2r
206 --domain r2c
206 --domain c2r
105 --domain c2r
4096 --domain r2c --pass-lengths 64,64
4096 --domain c2r --pass-lengths 64,64
1980 --domain r2c --pass-lengths 45,44
32768 --domain r2c --pass-lengths 32,32,32
262144 --domain c2r
499 --domain r2c --method bluestein --pass-lengths 32,64
64x64 --domain r2c
28x18 --domain r2c
28x18 --domain c2r
12x14 --domain r2c
210x120 --domain r2c
324x96 --domain c2r
45x324 --domain r2c
9x21 --domain r2c
9x21 --domain c2r
2x3x4x6 --domain c2r
64x64 --domain c2r
256x512 --domain r2c --in-place
256x512 --domain c2r
60x45 --domain r2c
2048 --domain dct2
257 --domain dct1
1000 --domain dct3 --in-place
255 --domain dst1
256 --domain dct4
2049 --domain dct1 --pass-lengths 64,64
4096 --domain dst4 --pass-lengths 64,32
48x64 --domain dst2
3375 --prefetch persistent --decomposition (gs15(gs15(dft15))) --points-per-thread 15 --block-points 3375 --registers 168 --stage-load 0 --stage-store 0
3375 --prefetch persistent --decomposition (gs15(gs15(dft15))) --points-per-thread 15 --block-points 3375 --registers 255 --threads 96 --stage-load 0 --stage-store 0
convolve 64
convolve 4096
convolve 16384 --mode circular
convolve 131072
convolve 1000 --real
convolve 4096 --real --correlate
convolve 16384 --real
convolve 256 --precision f16
'

make_input() {  # make_input <c8|f4> <lengths> <file>: white noise
  python3 - "$@" <<'PYTHON'
import array, math, random, sys
shape = [int(n) for n in sys.argv[2].split("x")]
header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%s,), }" % (sys.argv[1], ", ".join(map(str, shape)))
header += " " * (64 - (11 + len(header)) % 64) + "\n"
random.seed(shape[-1])
with open(sys.argv[3], "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    count = math.prod(shape) * (2 if sys.argv[1] == "c8" else 1)
    array.array("f", (random.gauss(0, 1) for _ in range(count))).tofile(out)
PYTHON
}

batch_of() {  # batch_of <shape's words...>
  [[ $* == *persistent* ]] && echo 600 && return  # more than one for each block that stays
  local -i points=$((${1//x/*}))
  echo $((3 * (points < 2048 ? 2048 / points : 1) + 1))
}

input_of() {  # input_of <shape's words...>: the type and the lengths of the array it takes
  local type=c8 lengths=$1
  if [[ $1 == convolve ]]; then
    [[ $* == *--real* ]] && type=f4
    echo $type "$(batch_of "$2")x$2"
    return
  fi
  [[ $* =~ r2c|dct|dst ]] && type=f4
  if [[ $* == *c2r* ]]; then
    local last=${1##*x}
    lengths=${1%"$last"}$((last / 2 + 1))
  fi
  echo $type "$(batch_of "$@")x$lengths"
}

check() {  # check <tool> <shape's words...>
  local tool=$1 log input request status=clean
  shift
  log=$(mktemp -p "$work")
  input=$work/$(input_of "$@" | tr ' ' _).npy
  if [[ $1 == convolve ]]; then
    request="convolve --filter $work/filter_$([[ $* == *--real* ]] && echo f4 || echo c8).npy ${*:3}"
    request=${request/ --real/}
  else
    request="run --shape $*"
  fi
  compute-sanitizer --tool "$tool" --error-exitcode 9 "$sonoma" $request --device gpu \
    --input "$input" --output "$log.npy" >"$log" 2>&1 || status="NOT CLEAN: $(tail -n 3 "$log" | tr '\n' ' ')"
  echo "$tool $*: $status"
  [[ $status == clean ]]
}
export -f check batch_of input_of
export sonoma work

shapes=$(grep -E -- "${2:-.}" <<<"$shapes")

for type in c8 f4; do make_input $type 33 "$work/filter_$type.npy"; done
while read -r shape; do
  [[ -z $shape ]] || input_of $shape
done <<<"$shapes" | sort -u | while read -r type lengths; do make_input "$type" "$lengths" "$work/${type}_$lengths.npy"; done
for tool in memcheck racecheck synccheck initcheck; do
  awk -v tool="$tool" 'NF { print tool " " $0 }' <<<"$shapes"
done | xargs -P "$(nproc)" -L 1 bash -fc 'check "$@"' _
