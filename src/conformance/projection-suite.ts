/** The contract of a projection as a test suite, beside that of a connector. */
import type { Projection } from '../cxri/projection.ts';
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
}

/** Defines a test of each law of the group `projection`. */
export function projectionSuite(options: ProjectionSuiteOptions): void {
  const { runner, name, tenantPrefix: prefix = 'projection' } = options;
  runner.describe(`${name} conforms as a projection`, () => {
    for (const [number, law] of projection.entries())
      runner.it(law.name, async () => {
        const lab = new ProjectionLab({
          connect: options.connect,
          tenantPrefix: `${prefix}.${number}`,
        });
        try {
          await law.check(lab);
        } finally {
          await lab.close();
        }
      });
  });
}
