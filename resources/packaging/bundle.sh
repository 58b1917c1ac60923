#!/bin/sh
# Builds the program for machines without Python: sh resources/packaging/bundle.sh [FOLDER]
# FOLDER (default: dist) gets zerogui/, and on Linux and macOS an archive of it. Needs a network.
set -eu
unset CDPATH
root=$(cd "$(dirname "$0")/../.." && pwd -P)

say() { printf 'zerogui: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }
megabytes() { du -sk "$1" | awk '{ printf "%.0f MB", $1 * 1024 / 1e6 }'; }

mkdir -p "${1-$root/dist}"
out=$(cd "${1-$root/dist}" && pwd -P)
cd "$root"
[ -x .venv/bin/python ] || sh resources/install.sh
[ "$(uname -s)" != Linux ] || command -v objdump >/dev/null ||
    die "needs objdump; run: apt-get install binutils (dnf install binutils, pacman -S binutils)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# An environment of its own, so that what else is in .venv does not get into the bundle.
say "collecting the libraries"
.venv/bin/python -m venv "$work/venv"
python=$work/venv/bin/python
"$python" -m pip install --disable-pip-version-check -q ".[bundle,xlsx]" ||
    die "pip could not install zerogui; read its message above and run this again"

say "building $out/zerogui"
(
    # Elsewhere than in the checkout: what is bundled is what the wheel holds.
    cd "$work"
    "$python" -m PyInstaller --noconfirm --log-level ERROR --distpath "$work/dist" \
        --workpath "$work/build" "$root/resources/packaging/zerogui.spec"
) || die "PyInstaller could not build it; read its message above (on Debian and Ubuntu, Python's" \
    "own library is in another package: apt-get install libpython3-dev)"

program=zerogui
if [ "$(uname -s)" = Darwin ]; then
    program=zerogui.app
else
    # Python as distributed may carry 15 MB of symbols for debuggers.
    strip --strip-unneeded "$work"/dist/zerogui/_internal/libpython*
    cp resources/packaging/desktop.sh LICENSE "$work/dist/zerogui/"
fi
version=$("$python" -c 'import zerogui; print(zerogui.__version__)')
archive=zerogui-$version-$(uname -s)-$(uname -m).tar.xz
say "packing $out/$archive"
XZ_OPT="-T0 -3" tar -C "$work/dist" -cJf "$work/$archive" "$program"

rm -rf "${out:?}/$program"
mv "$work/dist/$program" "$work/$archive" "$out"
say "ready: $out/$program ($(megabytes "$out/$program")), $archive ($(megabytes "$out/$archive"))"
