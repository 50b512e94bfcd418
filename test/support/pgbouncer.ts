/** A real PgBouncer for a test: one pool of one or two server sessions, in the mode asked. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Where `scripts/setup-pgbouncer.sh` leaves it; null says that there is none. */
export function findPgbouncer(): string | null {
  const program = process.env.TEST_PGBOUNCER ?? '/var/cache/contextengine-pgbouncer/pgbouncer';
  if (existsSync(program)) return program;
  if (process.env.TEST_PGBOUNCER !== undefined)
    throw new Error(`TEST_PGBOUNCER names \`${program}\`, which is not there`);
  if (inject('postgres')) process.stdout.write('pgbouncer: none; scripts/setup-pgbouncer.sh\n');
  return null;
}

export interface PgbouncerSettings {
  readonly mode: 'transaction' | 'statement' | 'session';
  readonly poolSize: number;
  /** Further lines of the section `[pgbouncer]`. */
  readonly more?: string;
}

/** Gives the same URL through the pooler. */
export async function startPgbouncer(
  program: string,
  url: string,
  { mode, poolSize, more = '' }: PgbouncerSettings,
): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const server = new URL(url);
  const dir = await mkdtemp(join(tmpdir(), 'contextengine-pgbouncer-'));
  await chmod(dir, 0o755);
  const port = await freePort();
  const file = join(dir, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${dir}/users.txt
pool_mode = ${mode}
default_pool_size = ${poolSize}
${more}
`,
  );
  await writeFile(
    join(dir, 'users.txt'),
    `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`,
  );
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const ids = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const child = spawn(program, [file], { stdio: 'ignore', ...ids });
  await untilListening(child, port);
  const pooled = new URL(url);
  pooled.hostname = '127.0.0.1';
  pooled.port = String(port);
  return {
    url: pooled.href,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const idOf = (flag: string): number =>
  Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Tries again at once: a refused connection on the loopback costs a fraction of a millisecond. */
async function untilListening(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
  }
}
