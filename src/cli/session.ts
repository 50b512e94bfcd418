/**
 * One opened engine for one command: the profile it acts with, and a close that also happens on
 * SIGINT.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { ContextEngine, EngineOptions, PermissionProfile } from '../index.ts';
import { ContextEngineError, createContextEngine, parseInstant } from '../index.ts';
import type { Settings } from '../settings/settings.ts';
import { outagePath, writeOutage } from '../telemetry/outage.ts';
import { isOutage, outageOf } from '../telemetry/outage-marker.ts';
import { parseJsonText } from '../text/json-text.ts';
import type { Call } from './command.ts';
import { remark } from './output.ts';
import { readSettings, shownDatabase } from './settings.ts';
import { shownPath } from './shown-path.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly engine: ContextEngine;
  readonly profile: PermissionProfile;
  readonly settings: Settings;
}

/**
 * Opens the engine that the call's settings name, hands it over, and closes it whatever happens.
 * Where another process holds the folder, that one is asked: it answers what reads.
 */
export async function withEngine<T>(call: Call, use: (session: Session) => Promise<T>): Promise<T> {
  const settings = readSettings(call.flags, call.terminal);
  const database = settings.database.value;
  const isThere = (): boolean => 'dataDir' in database && existsSync(database.dataDir);
  const wasThere = isThere();
  return opened(settings, { call, use }, async (error) => {
    const isHeld = error instanceof ContextEngineError && error.code === 'CONNECTOR.LOCKED';
    if (!isHeld || !('dataDir' in database)) throw error;
    const profile = readProfile(settings, call.terminal);
    const manifests = settings.manifests.value;
    const { heldEngine } = await import('./held-engine.ts');
    const engine = heldEngine({ dataDir: database.dataDir, manifests, profile, locked: error });
    remark(call, 'the process that holds the folder answers, with its manifests and settings');
    return use({ engine, profile, settings });
  }).catch((error: unknown) => {
    // A folder that is misspelled, or looked for from another one, holds nothing that is asked for.
    const path = shownPath(shownDatabase(database), call.terminal.cwd);
    if (!wasThere && isThere())
      remark(call, `there was no database at ${path}: an empty one was made there`);
    throw error;
  });
}

/** `otherwise`: where the engine could not be opened. */
async function opened<T>(
  settings: Settings,
  { call, use }: { readonly call: Call; readonly use: (session: Session) => Promise<T> },
  otherwise: (error: unknown) => Promise<T>,
): Promise<T> {
  let isOpen = false;
  try {
    return await withSettings(settings, call, (session) => {
      isOpen = true;
      return use(session);
    });
  } catch (error) {
    if (isOpen) throw error;
    return otherwise(error);
  }
}

/**
 * The same for a command that writes: where the database cannot be opened, what should have been
 * written is missing, and the marker says so.
 */
export async function withWritingEngine<T>(
  call: Call,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const { terminal } = call;
  const settings = readSettings(call.flags, terminal);
  return opened(settings, { call, use }, async (error) => {
    const path = outageFile(settings);
    if (path !== null && isOutage(error)) {
      const owner = `contextengine on the command line, process ${process.pid}`;
      await writeOutage(path, outageOf(error, owner, parseInstant(terminal.now(), 'now')));
    }
    throw error;
  });
}

export const outageFile = ({ database, stateDir }: Settings): string | null =>
  outagePath(database.value, stateDir);

async function withSettings<T>(
  settings: Settings,
  call: Call,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const profile = readProfile(settings, call.terminal);
  return withOpenEngine(
    { options: engineOptions(settings, profile), terminal: call.terminal },
    (engine) => use({ engine, profile, settings }),
  );
}

/** The same over given options: what `demo` opens. */
export async function withOpenEngine<T>(
  open: { readonly options: EngineOptions; readonly terminal: Terminal },
  use: (engine: ContextEngine) => Promise<T>,
): Promise<T> {
  const engine = await createContextEngine(open.options);
  const forget = open.terminal.onInterrupt(() => engine.close());
  try {
    return await use(engine);
  } finally {
    forget();
    await engine.close();
  }
}

export const engineOptions = (settings: Settings, profile: PermissionProfile): EngineOptions => ({
  database: settings.database.value,
  manifests: settings.manifests.value,
  embedder: settings.embedder.value,
  extractor: settings.extractor.value,
  timeZone: settings.timeZone.value,
  mounts: settings.mounts.value,
  permission_profile: profile,
});

/**
 * Who acts. On the embedded database a human named `local` who holds the whole tenant; on any other
 * only what a profile file says, because whoever can reach a shared database is not thereby
 * everybody in it. Throws `PERMISSION.PROFILE_MISSING`.
 */
export function readProfile(
  settings: Settings,
  terminal: Pick<Terminal, 'cwd'>,
): PermissionProfile {
  const path = settings.profile.value;
  const tenant = settings.tenant.value;
  if (path === null) {
    if (!('url' in settings.database.value))
      return { principal: 'local', tenant: tenant ?? 'local', kind: 'human', scopes: '*' };
    throw new ContextEngineError('PERMISSION.PROFILE_MISSING', {
      message:
        `The database of \`${settings.database.origin}\` is not the embedded one, and there is ` +
        'no permission profile.',
      fix:
        'Write `{ "principal": …, "tenant": …, "kind": "human", "scopes": "*" }` into a file ' +
        'and pass it as `--profile FILE`.',
    });
  }
  const file = relative(terminal.cwd, path) || path;
  const profile = parseJsonText(readProfileFile(path, file), {
    file,
    code: 'PERMISSION.INVALID_PROFILE',
  });
  const own =
    typeof profile === 'object' && profile !== null && 'tenant' in profile
      ? profile.tenant
      : undefined;
  if (tenant !== null && own !== tenant) {
    throw new ContextEngineError('CONFIG.INVALID_VALUE', {
      message:
        `The tenant is \`${tenant}\` by \`${settings.tenant.origin}\`, but \`${String(own)}\` ` +
        'in the profile.',
      fix: 'Leave the tenant out, or use a profile of that tenant.',
      where: { file, field: 'tenant' },
    });
  }
  return profile as PermissionProfile; // the engine checks every field of it before the first use
}

function readProfileFile(path: string, file: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ContextEngineError('PERMISSION.PROFILE_MISSING', {
      message: `The profile \`${file}\` cannot be read.`,
      fix: 'Give the path of a readable JSON file to `--profile`.',
      where: { file },
      cause,
    });
  }
}
