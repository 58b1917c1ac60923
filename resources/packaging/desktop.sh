#!/bin/sh
# Puts zerogui into this user's menu and has it open *.zerogui.json: sh desktop.sh [PROGRAM]
# PROGRAM (default: the one beside this file, else the installed one) is started from the menu.
# sh desktop.sh --remove takes all of it away again.
set -eu
unset CDPATH

say() { printf 'zerogui: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

here=$(cd "$(dirname "$0")" && pwd -P)
data=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$data/applications/zerogui.desktop
icon=$data/icons/hicolor/scalable/apps/zerogui.svg
type=$data/mime/packages/zerogui.xml
story=$data/metainfo/org.zerogui.zerogui.metainfo.xml

tell_the_desktop() {
    # Desktops that lack these look into the folders themselves.
    if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime"; fi
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$data/applications"
    fi
}

# The resources: of a checkout or a wheel, else of a bundle.
for resources in "$here/.." "$here/_internal/zerogui/resources" ''; do
    if [ -f "$resources/zerogui.desktop" ]; then break; fi
done

program=
case "${1-}" in
    --remove)
        rm -f "$entry" "$icon" "$type" "$story"
        mkdir -p "$data/mime/packages" "$data/applications"
        tell_the_desktop
        say "is no longer in the menu"
        exit
        ;;
    -*) die "does not know \"$1\"; use: sh desktop.sh [PROGRAM | --remove]" ;;
    '')
        for program in "$here/zerogui" "$here/../../.venv/bin/zerogui-window" \
            "$(command -v zerogui-window || true)"; do
            if [ -f "$program" ] && [ -x "$program" ]; then break; fi
            program=
        done
        ;;
    *) program=$1 ;;
esac
[ -n "$resources" ] || die "its resources are missing; unpack or install zerogui again"
[ -f "$program" ] && [ -x "$program" ] || die "there is no program to start; name it: sh desktop.sh PROGRAM"
program=$(cd "$(dirname "$program")" && pwd -P)/$(basename "$program")

# Quoted as a command, then as a text of the file.
command=$(printf '%s' "$program" | sed -e 's/[\\"`$]/\\&/g' -e 's/%/%%/g' -e 's/\\/\\\\/g')
for file in "$entry" "$icon" "$type" "$story"; do mkdir -p "$(dirname "$file")"; done
while IFS= read -r line; do
    case "$line" in
        Exec=*) printf 'Exec="%s" %%f\n' "$command" ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$resources/zerogui.desktop" >"$entry"
cp "$resources/icons/app.svg" "$icon"
cp "$resources/packaging/zerogui-mime.xml" "$type"
cp "$resources/packaging/org.zerogui.zerogui.metainfo.xml" "$story"
tell_the_desktop
say "is in the menu, and opens *.zerogui.json; sh $0 --remove takes it out again"
