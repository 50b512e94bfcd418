/**
 * A connector as somebody else writes it: a class, by the public subpaths only. It is written into
 * an empty project where the package is installed, type-checked, and given to the conformance
 * suite.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCE = `
import { describe, it } from 'node:test';
import { conformanceSuite } from 'contextengine/conformance';
import type {
  Capabilities, ChangeFilter, ChangeListener, Connection, Connector, QueryRequest, QueryResult,
  ReadRequest, ReadResult, Subscription, WriteRequest,
} from 'contextengine/conformance';
import { createReferenceConnector } from 'contextengine/connectors/reference';
import type { Health, WriteResult } from 'contextengine';

/**
 * Its methods stand on the prototype and reach a private field: a copy of its members is of no use.
 */
class OwnConnection implements Connection {
  readonly name = 'own';
  readonly #store: Connection;
  constructor(store: Connection) { this.#store = store; }
  get capabilities(): Capabilities { return this.#store.capabilities; }
  query(request: QueryRequest): Promise<QueryResult> { return this.#store.query(request); }
  read(request: ReadRequest): Promise<ReadResult> { return this.#store.read(request); }
  write(request: WriteRequest): Promise<WriteResult> { return this.#store.write(request); }
  subscribe(filter: ChangeFilter, listener: ChangeListener): Promise<Subscription> {
    return this.#store.subscribe(filter, listener);
  }
  health(): Promise<Health> { return this.#store.health(); }
  [Symbol.asyncDispose](): PromiseLike<void> { return this.#store[Symbol.asyncDispose](); }
}

/** A suite that cannot fail proves nothing. */
class ForgetfulConnection extends OwnConnection {
  override async read(request: ReadRequest): Promise<ReadResult> {
    return { ...(await super.read(request)), rows: [] };
  }
}

class OwnConnector implements Connector {
  readonly name = 'own';
  readonly #store = createReferenceConnector();
  readonly #isForgetful: boolean;
  constructor(isForgetful: boolean) { this.#isForgetful = isForgetful; }
  async connect(): Promise<Connection> {
    const store = await this.#store.connect();
    return this.#isForgetful ? new ForgetfulConnection(store) : new OwnConnection(store);
  }
}

const connector = new OwnConnector(process.argv.includes('forgetful'));
const { capabilities } = await connector.connect();
conformanceSuite({
  runner: {
    describe: (name, body) => void describe(name, body),
    it: (name, body) => void it(name, body),
  },
  name: connector.name,
  connect: () => connector.connect(),
  capabilities,
});
`;

/** A mount of somebody else: a module that is named by its path, with the types of the package. */
const MOUNT = `
import type { CreateMount, Projection, ProjectionConnector } from 'contextengine/conformance';
import { createReferenceProjection } from 'contextengine/connectors/reference';

export const createMount: CreateMount = ({ tenant, colour }): ProjectionConnector => {
  if (colour !== 'green') throw new Error(\`no colour for \${tenant}\`);
  const store = createReferenceProjection();
  return { name: 'own', connect: (options): Promise<Projection> => store.connect(options) };
};
`;

/** How many laws passed and failed, by the summary of node's own runner. */
function countsOf(output) {
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? -1);
  return { passed: count('pass'), failed: count('fail') };
}

/** `compile` is the compiler of the user; the project has the package and the types of Node. */
export async function ownConnector({ project, compile, run, check }) {
  await writeFile(join(project, 'own-connector.ts'), SOURCE);
  await writeFile(join(project, 'own-mount.ts'), MOUNT);
  const options = {
    target: 'es2022',
    lib: ['es2022', 'esnext.disposable'],
    module: 'node16',
    strict: true,
    outDir: 'own',
    typeRoots: ['./types'],
    types: ['node'],
  };
  await writeFile(
    join(project, 'tsconfig.own.json'),
    JSON.stringify({ compilerOptions: options, files: ['own-connector.ts', 'own-mount.ts'] }),
  );
  const problem = await compile('tsconfig.own.json').then(
    () => null,
    ({ message }) => message,
  );
  check('types of a connector of one’s own', problem ?? 'compile', problem === null);
  if (problem !== null) return;
  const made = await run(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { createMount } = await import('./own/own-mount.js');
       console.log((await createMount({ tenant: 'a', colour: 'green' })).name);`,
    ],
    project,
  ).catch(({ message }) => message);
  check('a mount of one’s own', made.trim(), made.trim() === 'own');
  const suite = async (...args) => {
    const file = join('own', 'own-connector.js');
    const output = await run(
      process.execPath,
      ['--no-warnings', '--test-reporter=tap', file, ...args],
      project,
    ).catch(({ message }) => message);
    return countsOf(output);
  };
  const own = await suite();
  check(
    'a connector of one’s own conforms',
    `${own.passed} laws kept, ${own.failed} broken`,
    own.failed === 0 && own.passed > 80,
  );
  const forgetful = await suite('forgetful');
  check('a forgetful one does not', `${forgetful.failed} laws broken`, forgetful.failed > 0);
}
