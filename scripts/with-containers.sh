#!/usr/bin/env bash
# Runs a command where testcontainers finds a container engine, on a Debian machine that has none and reaches no image registry:
#
#   scripts/with-containers.sh npm test
#
# Where `docker info` already answers, the command simply runs. Otherwise (as root): podman from Debian's packages, and an image under the name
# docker.io/pgvector/pgvector:pg17 made here from Debian 13's postgresql-17 and pgvector. The code path is testcontainers' own; the image's content
# is Debian's, not the published one. About 2.5 minutes on a bare machine, seconds afterwards.
#
# Env: CONTAINERS_HOME=/var/cache/contextengine-containers   DEBIAN_MIRROR (default: the first archive of this machine's apt sources)
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: scripts/with-containers.sh COMMAND [ARGUMENT…]" >&2; exit 2; }
if docker info >/dev/null 2>&1; then exec "$@"; fi

home=${CONTAINERS_HOME:-/var/cache/contextengine-containers}
image=docker.io/pgvector/pgvector:pg17
say() { echo "with-containers: $*" >&2; }
die() { say "$*"; exit 1; }
[ "$(id -u)" = 0 ] || die "no container engine answers, and installing one needs root"
mkdir -p "$home"

system_mirror() { # the archive of the running system: deb822 sources first, then one-line sources
  {
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/*.sources || true
    sed -n 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list || true
  } 2>/dev/null | grep debian | grep -vE 'security|updates' | head -n 1 || true
}

install_engine() {
  command -v podman >/dev/null && command -v runc >/dev/null && command -v debootstrap >/dev/null && [ -x /usr/lib/podman/netavark ] && return
  say "installing podman"
  local apt=(apt-get -o DPkg::Lock::Timeout=600 -o Acquire::Retries=5)
  {
    "${apt[@]}" update
    DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends \
      podman crun runc conmon debootstrap netavark aardvark-dns iptables uidmap ca-certificates
  } >"$home/apt.log" 2>&1 || { tail -20 "$home/apt.log" >&2; die "podman could not be installed"; }
}

configure_engine() {
  cat >"$home/containers.conf" <<'CONF'
[containers]
# Without CAP_SYS_RESOURCE podman cannot raise its own defaults.
default_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]
[engine]
# crun 1.8 refuses a hybrid cgroup hierarchy; runc takes it.
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
CONF
  export CONTAINERS_CONF=$home/containers.conf
}

# What the published image's entry point does, as far as tests rely on it: POSTGRES_USER, _PASSWORD, _DB, init scripts, and its two "ready" lines.
write_entry_point() {
  cat >"$1" <<'ENTRY'
#!/bin/bash
set -euo pipefail
export PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=${PGDATA:-/var/lib/postgresql/data}
sockets=/var/run/postgresql
: "${POSTGRES_USER:=postgres}" "${POSTGRES_DB:=$POSTGRES_USER}"
if [ "${1:0:1}" = '-' ]; then set -- postgres "$@"; fi
if [ "${1:-postgres}" != postgres ]; then exec "$@"; fi
mkdir -p "$PGDATA" "$sockets"
chown -R postgres:postgres "$PGDATA" "$sockets"
chmod 700 "$PGDATA"
as() { gosu postgres "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  auth=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
  [ -n "${POSTGRES_PASSWORD:-}" ] || [ "$auth" = trust ] || { echo "POSTGRES_PASSWORD is required" >&2; exit 1; }
  password=$(mktemp)
  printf '%s\n' "${POSTGRES_PASSWORD:-unused}" >"$password"
  chown postgres "$password"
  # shellcheck disable=SC2086 # several words on purpose
  as initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile="$password" --encoding=UTF8 --locale=C.UTF-8 \
    --auth-local=trust --auth-host=scram-sha-256 ${POSTGRES_INITDB_ARGS:-}
  rm -f "$password"
  echo "host all all all $auth" >>"$PGDATA/pg_hba.conf"
  as pg_ctl -D "$PGDATA" -o "-c listen_addresses='' -c unix_socket_directories=$sockets" -w start
  run_sql() { as psql -v ON_ERROR_STOP=1 -h "$sockets" -U "$POSTGRES_USER" "$@"; }
  [ "$POSTGRES_DB" = postgres ] || run_sql -d postgres -c "create database \"$POSTGRES_DB\""
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in *.sh) . "$file" ;; *.sql) run_sql -d "$POSTGRES_DB" -f "$file" ;; esac
  done
  as pg_ctl -D "$PGDATA" -m fast -w stop
  printf '\nPostgreSQL init process complete; ready for start up.\n\n'
fi
[ $# -eq 0 ] || shift
exec gosu postgres postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories="$sockets" "$@"
ENTRY
  chmod 755 "$1"
}

make_image() {
  podman image exists "$image" && return
  local root=$home/rootfs-pg17 mirror
  mirror=${DEBIAN_MIRROR:-$(system_mirror)}
  [ -n "$mirror" ] || die "no Debian archive found in this machine's apt sources; set DEBIAN_MIRROR"
  if [ ! -e "$root/.ready" ]; then
    say "making the root file system of $image"
    rm -rf "$root"
    debootstrap --variant=minbase --include=postgresql-17,postgresql-17-pgvector,gosu,locales,ca-certificates trixie "$root" "$mirror" \
      >"$home/rootfs.log" 2>&1 || { tail -20 "$home/rootfs.log" >&2; die "debootstrap failed"; }
    rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}/*
    mkdir -p "$root/docker-entrypoint-initdb.d"
    touch "$root/.ready"
  fi
  write_entry_point "$root/usr/local/bin/docker-entrypoint.sh"
  say "importing $image"
  tar -C "$root" --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' --exclude='./tmp/*' -c . |
    podman import -c 'ENTRYPOINT ["/usr/local/bin/docker-entrypoint.sh"]' -c 'CMD ["postgres"]' -c 'EXPOSE 5432' -c 'ENV LANG=C.UTF-8' \
      -c 'ENV PGDATA=/var/lib/postgresql/data' -c 'ENV PATH=/usr/lib/postgresql/17/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
      -c 'STOPSIGNAL SIGINT' - "$image" >"$home/import.log" 2>&1 || { tail -20 "$home/import.log" >&2; die "the image could not be imported"; }
}

containers() { podman ps -aq --filter label=org.testcontainers=true 2>/dev/null || true; }

serve() { # the engine's socket, for as long as this script runs
  runtime=$(mktemp -d "$home/run.XXXXXX")
  socket=$runtime/podman.sock
  podman system service --time=0 "unix://$socket" >"$runtime/service.log" 2>&1 &
  service=$!
  before=$(containers)
  clean_up() { # a killed test leaves its container; those of other runs are theirs
    kill "$service" 2>/dev/null || true
    local left
    left=$(containers | grep -vxF "${before:-none}" || true)
    # shellcheck disable=SC2086 # one id a word
    [ -z "$left" ] || podman rm -f -t 0 $left >/dev/null 2>&1 || true
    rm -rf "$runtime"
  }
  trap clean_up EXIT
  for _ in $(seq 100); do
    [ -S "$socket" ] && curl -s --unix-socket "$socket" http://localhost/_ping >/dev/null && return
    sleep 0.1
  done
  cat "$runtime/service.log" >&2
  die "podman's service did not answer"
}

install_engine
configure_engine
make_image
serve
# No image for the clean-up container either (clean_up does its work), and only loopback is sure to be reachable.
export DOCKER_HOST=unix://$socket TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
code=0
"$@" || code=$?
exit "$code"
