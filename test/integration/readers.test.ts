/**
 * A folder that an application holds: commands that read are answered beside it, those that write
 * are refused, and nobody but the owner of the folder is answered at all.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { type ContextEngine, LOCAL_PROFILE, type PermissionProfile } from '../../src/index.ts';
import { readersPlace } from '../../src/model/reading-calls.ts';
import { openEngine } from '../support/engines.ts';
import { memoryTerminal } from '../support/memory-terminal.ts';

const MAIN = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
const MANIFESTS = new URL('../../manifests', import.meta.url).pathname;

describe.skipIf(process.platform === 'win32')('a folder that an application holds', () => {
  let cwd: string;
  let dataDir: string;
  let engine: ContextEngine;
  let scope: string;
  let session: string;
  let fact: string;
  let composition: string;
  /** What the application's own judge was asked. */
  const claims: PermissionProfile[] = [];

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'readers-'));
    dataDir = join(cwd, 'data');
    engine = await openHolder();
    ({ scope_block_uuid: scope } = await engine.scopes.getOrCreate({ type: 'user', key: 'dana' }));
    const written = await engine.remember(scope, { content: 'Dana lives in Lisbon.' });
    fact = written.receipts[0]?.root_uuid ?? '';
    await engine.profile(scope, 'user').set({ chat_user_profile: { name: 'Dana' } });
    ({ scope_block_uuid: session } = await engine.scopes.create({
      type: 'chat_session',
      inherits: [scope],
    }));
    const composed = await engine.composeBlockContext({
      scope_block_uuid: session,
      intent: 'fact',
      query: 'Where does Dana live?',
      permission_profile: LOCAL_PROFILE,
    });
    composition = composed.composition_id;
    return async () => {
      await engine.close();
      rmSync(cwd, { recursive: true });
    };
  });
  const openHolder = () =>
    openEngine({
      database: { dataDir },
      manifests: MANIFESTS,
      authority: (claim) => {
        claims.push(claim);
        if (claim.principal === 'refused') throw new Error('not in this application');
        return claim;
      },
    });

  const cli = async (...words: readonly string[]) => {
    const terminal = memoryTerminal({ cwd, env: { CONTEXTENGINE_DATA_DIR: dataDir } });
    const code = await run([...words, '--manifests', MANIFESTS], terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };

  it('is read by commands beside it, each by its own principal', async () => {
    const cases = [
      [['explain', composition], 'Where does Dana live?'],
      [['replay', composition], 'Lisbon'],
      [['facts', 'list'], 'Dana lives in Lisbon.'],
      [['facts', 'get', fact], 'Dana lives in Lisbon.'],
      [['facts', 'search', 'Lisbon', '--scope', 'dana'], 'Dana lives in Lisbon.'],
      [['facts', 'profile', 'user', '--scope', 'dana'], 'chat_user_profile.name = "Dana"'],
      [['history', fact], 'Dana lives in'],
      [['scope', 'list'], scope],
      [['export', '--scope', 'dana'], 'Dana lives in Lisbon.'],
      [['doctor'], 'ok    database'],
    ] as const;
    for (const [words, says] of cases) {
      const { code, out, err } = await cli(...words);

      expect({ words, code, out, err }).toMatchObject({ code: 0 });
      expect(out).toContain(says);
    }
    claims.length = 0;
    const given = { principal: 'ops', tenant: 'local', kind: 'human', scopes: [] };
    writeFileSync(join(cwd, 'ops.json'), JSON.stringify(given));
    const asked = await cli('facts', 'list', '--profile', 'ops.json');
    expect(asked).toMatchObject({ code: 0, out: '' });
    // A list that is empty asks what there is instead, by the same principal.
    expect(claims).not.toEqual([]);
    for (const claim of claims) expect(claim).toMatchObject(given);
    writeFileSync(join(cwd, 'no.json'), JSON.stringify({ ...given, principal: 'refused' }));
    expect((await cli('facts', 'list', '--profile', 'no.json')).err).toContain(
      'PERMISSION.UNAVAILABLE',
    );
  });

  it('gives a composition with its messages to another process', async () => {
    const words = ['compose', '--scope', session, '--intent', 'fact', '--query', 'Lisbon'];
    const { code, out } = await cli(...words, '--format', 'openai');
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ role: 'user' }));
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [MAIN, 'facts', 'list', '--json', '--data-dir', dataDir, '--manifests', MANIFESTS],
      { cwd },
    );
    expect(JSON.parse(stdout).total).toBe(2);
  });

  it('is not written beside it, and the refusal says who holds it', async () => {
    for (const words of [
      ['remember', '--scope', 'dana', 'x'],
      ['facts', 'update', fact, 'Lives in Turin.'],
      ['doctor', '--fix'],
      ['core', 'add', 'x', '--scope', 'dana'],
    ]) {
      const { code, out, err } = await cli(...words);
      expect(code === 2 || out.includes('CONNECTOR.LOCKED')).toBe(true);
      expect(out + err).toContain(String(process.pid));
    }
    const call = (name: string) => ask({ call: name, args: [fact, { content: 'x' }] });
    for (const name of ['facts.update', 'remember', 'constructor', 'close', 'as', 'profile.set'])
      expect(await call(name)).toMatchObject({ error: { code: 'CONNECTOR.LOCKED' } });
    expect((await engine.facts.get(fact)).row).toMatchObject({ content: 'Dana lives in Lisbon.' });
  });

  /** One raw question; null = the holder says nothing. */
  const ask = async (given: Record<string, unknown>, text?: string): Promise<unknown> => {
    const { socket, key } = readersPlace(dataDir);
    const question = {
      key: readFileSync(key, 'utf8'),
      version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
        .version,
      profile: LOCAL_PROFILE,
      args: [],
      ...given,
    };
    const open = connect(socket);
    open.write(`${text ?? JSON.stringify(question)}\n`);
    let heard = '';
    for await (const chunk of open.setEncoding('utf8')) heard += String(chunk);
    return heard === '' ? null : JSON.parse(heard);
  };

  it('says nothing to who has not read the key, and acts for no profile but the one that is named', async () => {
    expect(await ask({ call: 'facts.list' })).toMatchObject({ value: { total: 2 } });
    for (const key of ['', 'x'.repeat(64), 1, null, undefined])
      expect(await ask({ call: 'facts.list', key })).toBeNull();
    for (const text of ['', '{', '[]', 'null', '{"key":{}}'])
      expect(await ask({}, text)).toBeNull();
    for (const given of [{ call: { toString: 1 } }, { version: { toString: 1 } }])
      expect(await ask(given)).toMatchObject({ error: { code: 'CONNECTOR.LOCKED' } });
    const elsewhere = { ...LOCAL_PROFILE, tenant: 'other' };
    expect(await ask({ call: 'facts.list', profile: elsewhere })).toMatchObject({
      value: { total: 0 },
    });
    for (const profile of [undefined, null, {}, 'local'])
      expect(await ask({ call: 'facts.list', profile })).toMatchObject({
        error: { code: expect.stringMatching(/^(PERMISSION|CONFIG)\./) },
      });
    const own = { permission_profile: LOCAL_PROFILE };
    expect(await ask({ call: 'facts.list', args: [{}, own] })).toMatchObject({
      error: { code: 'CONFIG.INVALID_VALUE' },
    });
    expect(await ask({ call: 'facts.list', version: '0.0.1' })).toMatchObject({
      error: { code: 'CONNECTOR.LOCKED' },
    });
  });

  it('keeps its socket to its owner: a second user of the machine is refused', async (context) => {
    const { folder, socket, key } = readersPlace(dataDir);
    const modes = [folder, socket, key].map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '600', '600']);
    const isRoot = process.getuid?.() === 0;
    if (!isRoot || spawnSync('setpriv', ['--version']).status !== 0) return context.skip();
    spawnSync('chmod', ['755', cwd]);
    const code = `require('node:net').connect(process.argv[1]).on('error', (e) => console.log(e.code)).on('connect', () => console.log('connected'))`;
    const second = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
    const { stdout } = spawnSync('setpriv', [...second, '-e', code, socket], { encoding: 'utf8' });
    expect(stdout.trim()).toBe('EACCES');
    const words = [MAIN, 'facts', 'list', '--data-dir', dataDir, '--manifests', MANIFESTS];
    const refused = () => spawnSync('setpriv', [...second, ...words], { encoding: 'utf8', cwd });
    expect(refused()).toMatchObject({ status: 2, stdout: '' });
    // Also where the data folder itself is open to everybody.
    spawnSync('chmod', ['777', dataDir]);
    expect(refused()).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('another user of this machine holds it'),
    });
    spawnSync('chmod', ['755', dataDir]);
  });

  it('goes on answering beside those who connect and go without a question', async () => {
    const { socket } = readersPlace(dataDir);
    await Promise.all(
      Array.from(
        { length: 16 },
        () =>
          new Promise((resolve) => {
            const gone = connect(socket, () => gone.end());
            gone.on('close', resolve).resume();
          }),
      ),
    );
    expect(await ask({ call: 'facts.list' })).toMatchObject({ value: { total: 2 } });
  });

  it('is opened as ever once it is let go, whatever socket a holder left', async () => {
    const { folder, socket } = readersPlace(dataDir);
    await engine.close();
    expect(existsSync(folder)).toBe(false);
    const killed = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createContextEngine } from ${JSON.stringify(new URL('../../dist/src/index.js', import.meta.url).href)};
         await createContextEngine({ database: { dataDir: ${JSON.stringify(dataDir)} }, manifests: ${JSON.stringify(MANIFESTS)} });
         process.kill(process.pid, 'SIGKILL');`,
      ],
      { encoding: 'utf8' },
    );
    expect(killed).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    expect(existsSync(socket)).toBe(true);
    expect((await cli('facts', 'list')).out).toContain('Lisbon');
    engine = await openHolder();
    expect(await ask({ call: 'facts.list' })).toMatchObject({ value: { total: 2 } });
  });
});
