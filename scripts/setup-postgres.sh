#!/usr/bin/env bash
# A real PostgreSQL 17 with pgvector on Debian 12, from Debian's archive only, without touching the host's packages.
#
#   setup-postgres.sh [up]     install if needed, start if needed, print the URL (the only line on stdout)
#   setup-postgres.sh install  install only
#   setup-postgres.sh down     stop the server (by the pid in postmaster.pid)
#   setup-postgres.sh destroy  down + delete the data folder
#
# Method "trixie" (default): fetch Debian 13's postgresql-17 + postgresql-17-pgvector and the libraries
#   they need with a private apt state (no dpkg lock, no root, host packages untouched), unpack them in
#   $PG_HOME/root and start them through their own dynamic loader (Debian 13's glibc), so that no chroot,
#   container or patched binary is needed.
# Method "pg15" (fallback): Debian 12's own postgresql-15 and pgvector's Debian source built against it (root).
#
# Env: PG_METHOD=auto|trixie|pg15  PG_HOME=/var/cache/contextengine-postgres (root) or ~/.cache/contextengine-postgres  PG_DATA=$PG_HOME/data  PG_PORT=54329
#      PG_DB=contextengine  PG_SHARED_BUFFERS=512MB  PG_MAINT_MEM=512MB  PG_DURABLE=0 (1: fsync etc. left on)
#      DEBIAN_MIRROR (default: the first archive that this machine's own apt sources name)
set -euo pipefail

PG_METHOD=${PG_METHOD:-auto}
if [ -z "${PG_HOME:-}" ]; then
  if [ "$(id -u)" = 0 ]; then PG_HOME=/var/cache/contextengine-postgres; else PG_HOME=${XDG_CACHE_HOME:-$HOME/.cache}/contextengine-postgres; fi
fi
PG_DATA=${PG_DATA:-$PG_HOME/data}
PG_PORT=${PG_PORT:-54329}
PG_DB=${PG_DB:-contextengine}
PG_SHARED_BUFFERS=${PG_SHARED_BUFFERS:-512MB}
PG_MAINT_MEM=${PG_MAINT_MEM:-512MB}
PG_DURABLE=${PG_DURABLE:-0}
system_mirror() { # the archive of the running system: deb822 sources first, then one-line sources
  { sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources || true
    sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list || true; } 2>/dev/null | grep debian | grep -vE 'security|updates' | head -n 1 || true
}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
ROOT=$PG_HOME/root
LOG=$PG_HOME/setup.log
say() { echo "setup-postgres: $*" >&2; }

# postgres refuses to run as root: as root, run it as an ordinary system user
if [ "$(id -u)" = 0 ]; then
  RUN_USER=${PG_USER:-$(id -un postgres 2>/dev/null || echo nobody)}
  as() { runuser -u "$RUN_USER" -- "$@"; }
else
  RUN_USER=$(id -un)
  as() { "$@"; }
fi

bindir() { # of the installed server, empty if none
  if [ -e "$ROOT/.ready" ]; then echo "$PG_HOME/bin"
  elif [ -e "$PG_HOME/.pg15-ready" ] && [ -e /usr/lib/postgresql/15/lib/vector.so ]; then echo /usr/lib/postgresql/15/bin; fi
}

private_apt() { # private_apt SUITE TYPE -> sets APT (array)
  local d=$PG_HOME/apt mirror=${DEBIAN_MIRROR:-$(system_mirror)}
  [ -n "$mirror" ] || { say "no Debian archive found in this machine's apt sources; set DEBIAN_MIRROR"; return 1; }
  mkdir -p "$d"/{lists/partial,cache/archives/partial,conf}
  : > "$d/status"
  echo "$2 [signed-by=$KEYRING] $mirror $1 main" > "$d/sources.list"
  # the defaults for APT::Sandbox::User would need the folder readable by _apt: fetch as ourselves
  APT=(-o Dir::State="$d" -o Dir::State::lists="$d/lists" -o Dir::State::status="$d/status"
       -o Dir::Etc::SourceList="$d/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Cache="$d/cache"
       -o APT::Sandbox::User=root -o APT::Install-Recommends=false -o Acquire::Languages=none
       -o Acquire::Retries=5 -o Acquire::http::Timeout=60 -o Debug::NoLocking=1)
  apt-get "${APT[@]}" update >>"$LOG" 2>&1
}

install_trixie() {
  rm -rf "$ROOT" "$PG_HOME/bin"; mkdir -p "$ROOT" "$PG_HOME/bin"
  private_apt trixie deb || return 1
  local pkgs
  # everything but the JIT's LLVM (jit is off), perl, and the account/locale tools: 45 MB instead of 100
  pkgs=$(apt-get "${APT[@]}" -s install postgresql-17 postgresql-17-pgvector 2>>"$LOG" | awk '/^Inst /{print $2}' |
    grep -vE '^(libllvm|libz3|lib?perl|perl|libipc-run|libjson-perl|locales|libc-l10n|libc-bin|passwd|procps|libproc2|openssl|login|adduser|debconf|ucf|postgresql-common|postgresql-client-common|postgresql-17-jit|ssl-cert|init-system|sensible|base-passwd|libdb5|libgdbm|libsem|libpam-)') || return 1
  [ -n "$pkgs" ] || return 1
  mkdir -p "$PG_HOME/debs"
  # shellcheck disable=SC2086
  (cd "$PG_HOME/debs" && apt-get "${APT[@]}" download $pkgs >>"$LOG" 2>&1) || return 1
  for d in "$PG_HOME"/debs/*.deb; do dpkg-deb -x "$d" "$ROOT" || return 1; done
  rm -rf "$PG_HOME/debs" "$PG_HOME/apt"
  local lib=$ROOT/usr/lib/postgresql/17 ld libs b
  ld=$(find "$ROOT/usr/lib" "$ROOT/lib" -name 'ld-linux-*.so.*' -print -quit 2>/dev/null)
  libs=$(dirname "$(find "$ROOT/usr/lib" "$ROOT/lib" -name libc.so.6 -print -quit)"):$lib/lib
  # a wrapper in each program's place: initdb and pg_ctl look for "postgres" beside themselves
  for b in "$lib"/bin/*; do
    b=$(basename "$b"); mv "$lib/bin/$b" "$lib/bin/$b.real"
    printf '#!/bin/sh\nexec %s --library-path %s --argv0 "%s" "%s" "$@"\n' "$ld" "$libs" "$lib/bin/$b" "$lib/bin/$b.real" > "$lib/bin/$b"
    chmod 755 "$lib/bin/$b"; ln -s "$lib/bin/$b" "$PG_HOME/bin/$b"
  done
  "$PG_HOME/bin/postgres" --version >>"$LOG" 2>&1 && [ -e "$lib/lib/vector.so" ] && touch "$ROOT/.ready"
}

install_pg15() {
  [ "$(id -u)" = 0 ] || { say "method pg15 needs root"; return 1; }
  export DEBIAN_FRONTEND=noninteractive
  local inst=(apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=5 install -y --no-install-recommends)
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
  { apt-get -o DPkg::Lock::Timeout=600 update && "${inst[@]}" postgresql-15 postgresql-server-dev-15 gcc make libc6-dev; } >>"$LOG" 2>&1 || return 1
  private_apt trixie deb-src || return 1
  rm -rf "$PG_HOME/src"; mkdir -p "$PG_HOME/src"
  (cd "$PG_HOME/src" && apt-get "${APT[@]}" source --download-only pgvector && tar xzf pgvector_*.orig.tar.gz && cd pgvector-*/ &&
    make -j"$(nproc)" OPTFLAGS="" with_llvm=no PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config &&
    make install with_llvm=no PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config) >>"$LOG" 2>&1 || return 1
  touch "$PG_HOME/.pg15-ready"
}

do_install() {
  [ -z "$(bindir)" ] || return 0
  mkdir -p "$PG_HOME"
  exec 9>"$PG_HOME/install.lock" # one install at a time; a second one waits and finds it done
  flock 9
  if [ -n "$(bindir)" ]; then exec 9>&-; return 0; fi
  : > "$LOG"
  local t=$SECONDS
  case $PG_METHOD in
    trixie) install_trixie ;;
    pg15)   install_pg15 ;;
    auto)   install_trixie || { say "trixie binaries failed, building against postgresql-15"; install_pg15; } ;;
  esac || { say "install failed; last lines of $LOG:"; tail -20 "$LOG" >&2; exit 1; }
  exec 9>&- # the server must not inherit it
  say "installed $("$(bindir)/postgres" --version) in $((SECONDS - t)) s"
}

do_up() {
  do_install
  local b; b=$(bindir)
  # a home folder that the run user cannot enter (/root is 700): keep the data and the programs reachable
  if [ "$(id -u)" = 0 ] && ! as test -x "$b/postgres"; then
    say "user $RUN_USER cannot reach $b: set PG_HOME to a folder that every user can enter, e.g. /var/tmp/contextengine-postgres"; exit 1
  fi
  if [ ! -e "$PG_DATA/PG_VERSION" ]; then
    mkdir -p "$PG_DATA"; chmod 700 "$PG_DATA"; [ "$(id -u)" != 0 ] || chown "$RUN_USER" "$PG_DATA"
    as "$b/initdb" -D "$PG_DATA" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync >>"$LOG" 2>&1 || { tail -20 "$LOG" >&2; exit 1; }
    {
      echo "listen_addresses = '127.0.0.1'"; echo "port = $PG_PORT"; echo "unix_socket_directories = ''"
      echo "shared_buffers = $PG_SHARED_BUFFERS"; echo "maintenance_work_mem = $PG_MAINT_MEM"
      echo "work_mem = 32MB"; echo "max_wal_size = 4GB"; echo "jit = off"; echo "random_page_cost = 1.1"; echo "timezone = 'UTC'"
      [ "$PG_DURABLE" = 1 ] || { echo "fsync = off"; echo "full_page_writes = off"; echo "synchronous_commit = off"; }
    } | as tee -a "$PG_DATA/postgresql.conf" >/dev/null
  fi
  # the port that this data folder was set up with wins over PG_PORT
  PG_PORT=$(sed -n 's/^port = \([0-9]*\).*/\1/p' "$PG_DATA/postgresql.conf" | tail -1)
  if ! as "$b/pg_ctl" -D "$PG_DATA" status >/dev/null 2>&1; then
    as "$b/pg_ctl" -D "$PG_DATA" -l "$PG_DATA/server.log" -w -t 60 start >>"$LOG" 2>&1 </dev/null || { tail -20 "$PG_DATA/server.log" >&2; exit 1; }
  fi
  local psql=("$b/psql" -X -q -h 127.0.0.1 -p "$PG_PORT" -U postgres -v ON_ERROR_STOP=1)
  [ "$("${psql[@]}" -d postgres -Atc "select 1 from pg_database where datname = '$PG_DB'")" = 1 ] || "${psql[@]}" -d postgres -c "create database \"$PG_DB\""
  say "$("${psql[@]}" -d "$PG_DB" -Atc "select 'PostgreSQL ' || current_setting('server_version') || ', pgvector ' || default_version from pg_available_extensions where name = 'vector'")"
  echo "postgresql://postgres@127.0.0.1:$PG_PORT/$PG_DB"
}

do_down() {
  local b; b=$(bindir); [ -n "$b" ] && [ -e "$PG_DATA/postmaster.pid" ] || return 0
  as "$b/pg_ctl" -D "$PG_DATA" -m fast -w stop >&2 || true
}

case ${1:-up} in
  up) do_up ;; install) do_install ;; down) do_down ;; destroy) do_down; rm -rf "$PG_DATA" ;;
  *) say "unknown command $1"; exit 2 ;;
esac
