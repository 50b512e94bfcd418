/** PostgreSQL with pgvector in a container, where an engine answers. */
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { getContainerRuntimeClient, Wait } from 'testcontainers';

const IMAGE = 'pgvector/pgvector:pg17';
const START_TIMEOUT_MS = 120_000;

export interface StartedContainer {
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

/** A started container, or the reason why there is none. */
export async function startPostgresContainer(): Promise<StartedContainer | string> {
  try {
    await getContainerRuntimeClient();
  } catch {
    return 'TEST_DATABASE_URL is not set and no container engine answers';
  }
  try {
    // Not the image's health check: some engines run those from systemd timers, which may be
    // absent. The server says "ready" twice, first for its own initialization.
    const container = await new PostgreSqlContainer(IMAGE)
      .withCommand([
        '-c',
        'fsync=off',
        '-c',
        'synchronous_commit=off',
        '-c',
        'full_page_writes=off',
      ])
      .withWaitStrategy(
        Wait.forAll([
          Wait.forListeningPorts(),
          Wait.forLogMessage(/database system is ready to accept connections/, 2),
        ]),
      )
      .withStartupTimeout(START_TIMEOUT_MS)
      .start();
    return { url: container.getConnectionUri(), stop: () => container.stop() };
  } catch (thrown) {
    return `a container engine answers, but \`${IMAGE}\` did not start: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}
