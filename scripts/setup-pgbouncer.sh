#!/usr/bin/env bash
# Debian's pgbouncer, without touching the host's packages: fetches it and the libraries that it needs,
# unpacks them in $PGBOUNCER_HOME and prints the path of a program that starts it (the only line on stdout).
#
#   setup-pgbouncer.sh
#
# Env: PGBOUNCER_HOME=/var/cache/contextengine-pgbouncer (root) or ~/.cache/contextengine-pgbouncer
set -euo pipefail

if [ -z "${PGBOUNCER_HOME:-}" ]; then
  if [ "$(id -u)" = 0 ]; then PGBOUNCER_HOME=/var/cache/contextengine-pgbouncer; else PGBOUNCER_HOME=${XDG_CACHE_HOME:-$HOME/.cache}/contextengine-pgbouncer; fi
fi
program=$PGBOUNCER_HOME/pgbouncer
mkdir -p "$PGBOUNCER_HOME"
exec 9>"$PGBOUNCER_HOME/install.lock" # one install at a time; a second one waits and finds it done
flock 9
if [ ! -x "$program" ]; then
  log=$PGBOUNCER_HOME/setup.log root=$PGBOUNCER_HOME/root debs=$PGBOUNCER_HOME/debs
  rm -rf "$root" "$debs"
  mkdir -p "$root" "$debs"
  apt=(apt-get -o Acquire::Retries=5 -o APT::Sandbox::User=root)
  (cd "$debs" && "${apt[@]}" download pgbouncer libc-ares2 libevent-2.1-7) >"$log" 2>&1 ||
    { "${apt[@]}" -o DPkg::Lock::Timeout=600 update && cd "$debs" && "${apt[@]}" download pgbouncer libc-ares2 libevent-2.1-7; } >>"$log" 2>&1 ||
    { tail -20 "$log" >&2; exit 1; }
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$root"; done
  libraries=$(dirname "$(find "$root/usr/lib" -name 'libcares.so.2' -print -quit)")
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$root/usr/sbin/pgbouncer" >"$program.part"
  chmod 755 "$program.part"
  "$program.part" --version >>"$log" 2>&1 || { tail -20 "$log" >&2; exit 1; }
  mv "$program.part" "$program"
  rm -rf "$debs"
  echo "setup-pgbouncer: $("$program" --version | head -1)" >&2
fi
echo "$program"
