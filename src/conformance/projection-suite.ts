/** The contract of a projection as a test suite, beside that of a connector. */
import type { Projection } from '../cxri/projection.ts';
import { projectedChanges } from './laws/projected-changes.ts';
import { projection } from './laws/projection.ts';
import { ProjectionLab } from './projection-lab.ts';
import type { TestRunner } from './test-runner.ts';

export interface ProjectionSuiteOptions {
  readonly runner: TestRunner;
  readonly name: string;
  /** Connections to one and the same store, of the space `conformance/suite/4`. */
  connect(): Promise<Projection>;
  /** Begins the names of the tenants that the suite feeds. Default `projection`. */
  readonly tenantPrefix?: string;
  /** How long a subscription may take to report a change. Default 10,000 ms. */
  readonly patienceMs?: number;
}

/** Defines a test of each law of the groups `projection` and `projected-changes`. */
export function projectionSuite(options: ProjectionSuiteOptions): void {
  const { runner, name, tenantPrefix: prefix = 'projection', patienceMs = 10_000 } = options;
  runner.describe(`${name} conforms as a projection`, () => {
    for (const [number, law] of [...projection, ...projectedChanges].entries())
      runner.it(law.name, async () => {
        const lab = new ProjectionLab({
          connect: options.connect,
          tenantPrefix: `${prefix}.${number}`,
          patienceMs,
        });
        try {
          await law.check(lab);
        } finally {
          await lab.close();
        }
      });
  });
}
