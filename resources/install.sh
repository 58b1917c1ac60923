#!/bin/sh
# Sets zerogui up in .venv, system libraries included: sh resources/install.sh [--test]
# --test adds what the tests and the checks need. PYTHON=... chooses another Python.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."

say() { printf 'zerogui: %s\n' "$*"; }
die() { say "$*" >&2; exit 1; }

flavour=plain
case "${1-}" in
    '') ;;
    --test) flavour='test' ;;
    *) die "does not know \"$1\"; use: sh resources/install.sh [--test]" ;;
esac

case "$(uname -s)" in
    Linux | Darwin) ;;
    *) die "this script is for Linux and macOS; elsewhere use: pip install ." ;;
esac

# --- System libraries ---------------------------------------------------------------------------

has_apt() { [ -f /etc/debian_version ] && command -v apt-get >/dev/null; }

# Runs a command as root; fails where that is not possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        return 1
    fi
}

# Installs those of the named Debian packages that are missing.
apt_need() {
    missing=
    for package in "$@"; do
        case "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)" in
            *' ok installed') ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    say "installing system packages:$missing"
    # shellcheck disable=SC2086 # one word per package
    if ! { as_root apt-get -q -o DPkg::Lock::Timeout=300 update &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
            install -y --no-install-recommends $missing; } >/dev/null; then
        say "could not install them; as root run: apt-get install$missing" >&2
        return 1
    fi
}

# True where the dynamic linker knows every library that Qt loads.
linker_knows_qt_libraries() {
    known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null) || return 1
    for library in libEGL.so.1 libGL.so.1 libglib-2.0.so.0 libxkbcommon.so.0 libdbus-1.so.3 \
        libfontconfig.so.1 libxkbcommon-x11.so.0 libxcb-cursor.so.0 libxcb-icccm.so.4 \
        libxcb-image.so.0 libxcb-keysyms.so.1 libxcb-render-util.so.0 libxcb-shape.so.0 \
        libxcb-randr.so.0; do
        case "$known" in
            *"$library"*) ;;
            *) return 1 ;;
        esac
    done
    [ "$flavour" = plain ] || {
        command -v xvfb-run && command -v xauth && command -v pdftotext &&
            command -v rsvg-convert && command -v soffice && command -v objdump &&
            command -v appstreamcli && command -v desktop-file-validate && command -v gio &&
            command -v update-mime-database && command -v xdg-mime
    } >/dev/null
}

say_what_to_install() {
    if command -v dnf >/dev/null; then
        set -- sudo dnf install libglvnd-egl libglvnd-glx glib2 libxkbcommon libxkbcommon-x11 \
            dbus-libs fontconfig dejavu-sans-fonts libxcb xcb-util-cursor xcb-util-wm \
            xcb-util-image xcb-util-keysyms xcb-util-renderutil
        [ "$flavour" = plain ] || set -- "$@" xorg-x11-server-Xvfb xorg-x11-xauth \
            poppler-utils librsvg2-tools libreoffice-calc binutils appstream \
            desktop-file-utils glib2 shared-mime-info xdg-utils
    elif command -v pacman >/dev/null; then
        set -- sudo pacman -S --needed libglvnd glib2 libxkbcommon libxkbcommon-x11 dbus \
            fontconfig ttf-dejavu libxcb xcb-util-cursor xcb-util-wm xcb-util-image \
            xcb-util-keysyms xcb-util-renderutil
        [ "$flavour" = plain ] || set -- "$@" xorg-server-xvfb xorg-xauth \
            poppler librsvg libreoffice-fresh binutils appstream desktop-file-utils glib2 \
            shared-mime-info xdg-utils
    else
        set -- EGL, GL, GLib, xkbcommon, xkbcommon-x11, dbus-1, fontconfig, a font, and of \
            xcb: cursor, icccm, image, keysyms, render-util, shape, randr
        [ "$flavour" = plain ] || set -- "$*, and xvfb-run, xauth, pdftotext, rsvg-convert," \
            "soffice, objdump, appstreamcli, desktop-file-validate, gio, update-mime-database," \
            "xdg-mime"
    fi
    say "some system libraries of the window are missing; install: $*"
}

need_system_libraries() {
    if has_apt; then
        # libharfbuzz0b brings GLib, whose own package has another name in each release.
        set -- libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libharfbuzz0b \
            fonts-dejavu-core libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 \
            libxcb-keysyms1 libxcb-render-util0 libxcb-shape0 libxcb-randr0
        # Without them zerogui report still works, so go on.
        apt_need "$@" || true
        # The tests open real windows, and read PDF, SVG and XLSX files back with other programs.
        [ "$flavour" = plain ] || apt_need xvfb xauth openbox poppler-utils librsvg2-bin \
            libreoffice-calc-nogui || true
        # They build bundles, and look at them as a desktop and as a bare system do.
        [ "$flavour" = plain ] || apt_need binutils appstream desktop-file-utils libglib2.0-bin \
            shared-mime-info xdg-utils debootstrap || true
    elif ! linker_knows_qt_libraries; then
        say_what_to_install
    fi
}

# --- Python -------------------------------------------------------------------------------------

# python_is COMMAND EXPRESSION: whether it runs and the expression over its version v holds.
python_is() {
    "$1" -c "import sys; v = sys.version_info[:2]; sys.exit(not ($2))" >/dev/null 2>&1
}

version_of() { "$1" -c 'import sys; print(sys.version_info[:2])'; }

find_python() {
    if [ -n "${PYTHON-}" ]; then
        python_is "$PYTHON" 'v >= (3, 11)' ||
            die "PYTHON=$PYTHON is no working Python 3.11 or newer"
        python=$PYTHON
        return
    fi
    for python in python3.13 python3.12 python3.11 python3 python; do
        python_is "$python" '(3, 11) <= v <= (3, 13)' && return
    done
    return 1
}

make_environment() {
    if ! find_python; then
        if has_apt; then apt_need python3 python3-venv || true; fi
        find_python || die "needs Python 3.11, 3.12 or 3.13; install one, or name it in PYTHON"
    fi
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    # Debian's own Python comes without what venv needs.
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 && has_apt; then
        apt_need "python$version-venv" || true
    fi
    say "making .venv with Python $version"
    "$python" -m venv --clear .venv ||
        die "$python could not make .venv; install its venv module, or name another in PYTHON"
}

# Whether .venv works, stands where it was made, and has the Python that was asked for.
environment_serves() {
    python_is .venv/bin/python 'v >= (3, 11)' || return 1
    .venv/bin/python -c 'import pip' 2>/dev/null || return 1
    case "$held" in '' | *" $here "*) ;; *) return 1 ;; esac
    [ -z "${PYTHON-}" ] || python_is "$PYTHON" "v == $(version_of .venv/bin/python)"
}

# --- Main ---------------------------------------------------------------------------------------

[ "$(uname -s)" = Darwin ] || need_system_libraries

# The stamp says what .venv holds: scripts in it name its folder, so a moved one is made anew.
stamp=.venv/.zerogui-installed
here=$(pwd -P)
state="$(cksum <pyproject.toml) $here"
held=
if [ -f "$stamp" ]; then held=$(cat "$stamp"); fi

if ! environment_serves; then
    make_environment
    held=
fi

case "$held" in
    "$state test" | "$state $flavour") say "is up to date" ;;
    *)
        extra='[xlsx]'
        if [ "$flavour" = test ]; then extra='[dev]'; fi
        say "installing zerogui and its libraries into .venv (about 300 MB)"
        rm -f "$stamp"
        .venv/bin/python -m pip install --disable-pip-version-check -q -e ".$extra" ||
            die "pip could not install zerogui; read its message above and run this again"
        # So that the first start is as quick as all others.
        .venv/bin/python -m compileall -q zerogui || true
        printf '%s\n' "$state $flavour" >"$stamp"
        ;;
esac

case "$flavour" in
    test) say "ready: .venv/bin/pytest" ;;
    *) say "ready: .venv/bin/zerogui" ;;
esac
