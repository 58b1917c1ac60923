#!/bin/sh
# Collects zerogui and its libraries as wheels, for machines without a network:
# sh resources/packaging/wheelhouse.sh FOLDER [options of pip download]
# For another machine than this one: --python-version 3.12 --platform manylinux_2_28_x86_64
set -eu
unset CDPATH
root=$(cd "$(dirname "$0")/../.." && pwd -P)

say() { printf 'zerogui: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

case "${1-}" in
    '' | -*) die "needs a folder: sh resources/packaging/wheelhouse.sh FOLDER" ;;
esac
mkdir -p "$1"
out=$(cd "$1" && pwd -P)
shift
cd "$root"
[ -x .venv/bin/python ] || sh resources/install.sh

version=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
before=
for option in "$@"; do
    if [ "$before" = --python-version ]; then version=$option; fi
    case "$option" in --python-version=*) version=${option#*=} ;; esac
    before=$option
done

# An older zerogui beside the new one would only take room.
rm -f "$out"/zerogui-*.whl
.venv/bin/python -m pip wheel --disable-pip-version-check -q --no-deps -w "$out" . &&
    .venv/bin/python -m pip download --disable-pip-version-check -q --only-binary=:all: \
        -d "$out" "$@" "$(echo "$out"/zerogui-*.whl)[xlsx]" ||
    die "pip could not collect the wheels; read its message above and run this again"

say "ready: $(find "$out" -name '*.whl' | wc -l | tr -d ' ') wheels; copy $out, and on a machine" \
    "with Python $version run:"
say "  python3 -m pip install --no-index --find-links '$out' 'zerogui[xlsx]'"
