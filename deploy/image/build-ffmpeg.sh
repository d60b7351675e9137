#!/bin/sh
# build-ffmpeg.sh DECODERS FOLDER: builds Debian's source of ffmpeg, with its security fixes, into FOLDER/ffmpeg: one file of
# 10 MB with what the service asks for, without network, devices, scaling of pictures and other libraries but zlib. Debian's own
# build loads 215 libraries of 250 MB. DECODERS is the file that lists the decoders; those that need other libraries are left out.
set -eu
decoders=$1
target=$2
work=$(mktemp -d)

if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  sed -i 's/^Types: deb$/Types: deb deb-src/' /etc/apt/sources.list.d/debian.sources
fi
if [ -f /etc/apt/sources.list ]; then
  sed -n 's/^deb /deb-src /p' /etc/apt/sources.list > /etc/apt/sources.list.d/sources-of-packages.list
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends dpkg-dev gcc libc6-dev make nasm zlib1g-dev
cd "$work"
apt-get source -q ffmpeg
cd ffmpeg-*/

names=$(grep -E '^  [a-z0-9_. -]+$' "$decoders" | tr -s ' \n' ',' | sed 's/^,//; s/,$//')
if [ -z "$names" ]; then
  echo "build-ffmpeg.sh: no decoders are listed in $decoders (an absolute path is needed)" >&2
  exit 1
fi
./configure --disable-everything --disable-autodetect --disable-doc --disable-network --disable-debug --disable-programs \
  --disable-avdevice --disable-swscale --disable-postproc --enable-ffmpeg --enable-zlib --enable-gpl \
  --enable-demuxers --enable-parsers --enable-protocol=file,pipe --enable-decoder="$names" \
  --enable-encoder=flac,pcm_s16le --enable-muxer=flac,matroska,pcm_s16le \
  --enable-filter=abuffer,abuffersink,aformat,afftdn,anull,apad,aresample,aselect,asetpts,atrim
make -j"$(nproc)" ffmpeg
install -D -m 755 ffmpeg "$target/ffmpeg"
mkdir -p "$target/doc"
cp debian/copyright "$target/doc/copyright"
dpkg-parsechangelog -S Version > "$target/doc/version"
