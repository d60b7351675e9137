#!/bin/sh
# collect-programs.sh VARIANT FOLDER CUDA_FOLDER: fills FOLDER with the system of the image: the programs that the service starts,
# the libraries that they load, a shell and its usual commands. build-ffmpeg.sh adds ffmpeg. Keeps the licence and the package
# record of all that it copies; scanners of images read the records. For the variant cuda, CUDA_FOLDER gets the native engine's
# libraries for GPUs, to be copied over those of npm.
set -eu
variant=$1
target=$2
cuda_target=$3
cuda_source=/opt/sherpa-onnx-cuda
cuda_libraries='libsherpa-onnx-c-api.so libonnxruntime.so libonnxruntime_providers_cuda.so libonnxruntime_providers_shared.so'
packages='bubblewrap ca-certificates libatomic1 libstdc++6 tini zlib1g'
programs='bwrap tini'
# The files of these packages, without documents.
whole='base-files base-passwd bash coreutils dash findutils grep hostname libc-bin ncurses-base netbase sed tar tzdata util-linux'
data='/etc/ssl/certs /usr/share/ca-certificates'
case $variant in
  slim) ;;
  full | cuda)
    packages="$packages pocketsphinx pocketsphinx-en-us espeak-ng flite"
    programs="$programs pocketsphinx_batch espeak-ng flite"
    data="$data /usr/share/pocketsphinx/model/en-us"
    ;;
  *)
    echo "VARIANT is $variant; it is full, slim or cuda." >&2
    exit 1
    ;;
esac

apt-get update -q
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages

list=$(mktemp)
# add PATH: with all links on the way to the file, such as those of /etc/alternatives.
add() {
  link=$1
  while :; do
    case $link in "$cuda_source"/*) return 0 ;; esac
    printf '%s\n' "$link" >> "$list"
    [ -L "$link" ] || return 0
    next=$(readlink "$link")
    case $next in /*) link=$next ;; *) link=$(dirname "$link")/$next ;; esac
  done
}
# add_with_libraries PATH: of a program or a library.
add_with_libraries() {
  add "$1"
  add_libraries "$1"
}
add_libraries() {
  { ldd "$1" 2>/dev/null || true; } | sed -n -e 's/.*=> \(\/[^ ]*\) .*/\1/p' -e 's/^\s*\(\/[^ ]*\) (.*/\1/p' | while read -r library; do
    add "$library"
  done
}

for name in $whole; do
  dpkg -L "$name" 2>/dev/null | grep -vE '^/(usr/share/(doc|man|info|locale|lintian|bash-completion)|var/lib/dpkg)/' | while read -r path; do
    if [ -L "$path" ]; then add "$path"; elif [ -f "$path" ]; then
      case $path in */bin/* | */sbin/*) add_with_libraries "$path" ;; *) add "$path" ;; esac
    fi
  done
done
for name in $programs; do add_with_libraries "$(command -v "$name")"; done
# Those of Node and of its native packages, and what libc loads by name.
for pattern in 'libstdc++.so.6' 'libgcc_s.so.1' 'libatomic.so.1' 'libm.so.6' 'libdl.so.2' 'librt.so.1' 'libpthread.so.0' 'libz.so.1' 'libresolv.so.2' 'libnss_files.so.2' 'libnss_dns.so.2'; do
  find /lib/*-linux-gnu /usr/lib/*-linux-gnu -name "$pattern" | while read -r path; do add_with_libraries "$path"; done
done
find /lib64 /lib -maxdepth 1 -name 'ld-linux*' | while read -r path; do add "$path"; done
for path in $data $(if [ "$variant" != slim ]; then ls -d /usr/lib/*-linux-gnu/espeak-ng-data; fi); do
  find "$path" ! -type d | while read -r file; do add "$file"; done
done
mkdir -p "$cuda_target"
if [ "$variant" = cuda ]; then
  engine=$cuda_target/opt/zephyr/node_modules/sherpa-onnx-linux-$(dpkg --print-architecture | sed 's/amd64/x64/')
  mkdir -p "$engine" "$target/etc/ld.so.conf.d"
  before=$(wc -l < "$list")
  for name in $cuda_libraries; do
    if [ ! -f "$cuda_source/$name" ]; then
      echo "BASE_IMAGE has no $cuda_source/$name (docs/operating/containers.md)." >&2
      exit 1
    fi
    cp "$cuda_source/$name" "$engine/"
    add_libraries "$cuda_source/$name"
    # The driver comes from the host, when a container starts.
    if ldd "$cuda_source/$name" | grep 'not found' | grep -v 'libcuda.so.1' >&2; then
      echo "BASE_IMAGE does not have these libraries, which $name needs." >&2
      exit 1
    fi
  done
  # cuDNN loads its parts, and the compiler of CUDA, by name.
  ldconfig -p | sed -n 's/.* => \(.*\/lib\(cudnn\|nvrtc\).*\)/\1/p' | while read -r library; do add_with_libraries "$library"; done
  # Folders that are links, such as /usr/local/cuda, are not copied.
  tail -n "+$((before + 1))" "$list" | grep '^/usr/local/' | while read -r library; do dirname "$(readlink -f "$library")"; done \
    | sort -u > "$target/etc/ld.so.conf.d/cuda.conf"
fi
printf '%s\n' /etc/passwd /etc/group /etc/nsswitch.conf /etc/os-release /etc/ld.so.conf >> "$list"
find /etc/ld.so.conf.d /etc/alternatives /usr/share/zoneinfo/UTC ! -type d >> "$list"

mkdir -p "$target/var/lib/dpkg/status.d" "$target/tmp" "$target/proc" "$target/sys" "$target/dev" "$target/run"
chmod 1777 "$target/tmp"
# Debian's /bin, /lib and so on are links into /usr.
for path in /bin /sbin /lib /lib32 /lib64; do
  if [ -L "$path" ]; then cp -a "$path" "$target"; fi
done
sort -u "$list" | while read -r path; do
  if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\n' "$(readlink -f "$(dirname "$path")")/$(basename "$path")"; fi
done | sort -u > "$list.paths"
# A link may lead to a folder such as /usr/lib.
tar -C / --no-recursion -cf - -T "$list.paths" 2>/dev/null | tar -C "$target" -xf -

# The records of the packages that the files belong to. Some records name paths before the links into /usr.
sed -e 'p' -e 's|^/usr/|/|' "$list.paths" | xargs -d '\n' dpkg -S 2>/dev/null | grep -v '^diversion ' | cut -d: -f1 | tr ',' '\n' | tr -d ' ' | sort -u > "$list.packages"
while read -r name; do
  dpkg -s "$name" > "$target/var/lib/dpkg/status.d/$name"
  if [ -f "/usr/share/doc/$name/copyright" ]; then
    mkdir -p "$target/usr/share/doc/$name"
    cp -L "/usr/share/doc/$name/copyright" "$target/usr/share/doc/$name/"
  fi
done < "$list.packages"
cp -a --parents /usr/share/common-licenses "$target" 2>/dev/null || true
ldconfig -r "$target"
for name in $programs; do
  if chroot "$target" /usr/bin/env LD_TRACE_LOADED_OBJECTS=1 "$(command -v "$name")" | grep 'not found' >&2; then
    echo "The image would lack these libraries of $name." >&2
    exit 1
  fi
done
