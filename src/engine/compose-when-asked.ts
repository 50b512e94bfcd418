/**
 * The composition, loaded with the first one: it is an eighth of the modules of an engine, and most
 * commands compose nothing.
 */
import type { ComposeDependencies } from '../compose/compose.ts';
import type { ComposeRequest, Composition } from '../model/composition.ts';

let loading: Promise<typeof import('../compose/compose.ts')> | null = null;

export async function compose(
  request: ComposeRequest,
  dependencies: ComposeDependencies,
): Promise<Composition> {
  loading ??= import('../compose/compose.ts');
  return (await loading).compose(request, dependencies);
}
