/** What the code reads from compositions, against what the intents of their calls fire. */
import type ts from 'typescript';
import type { Finding } from '../codes/finding.ts';
import { didYouMean } from '../manifest/suggest.ts';
import { shown } from '../model/ids.ts';
import type { Manifest } from '../model/manifest.ts';
import { callsOf } from './calls.ts';
import { type BoundCall, knowsIntent, namesOf, unionOf } from './check-call.ts';
import { findingAtNode } from './code-findings.ts';
import type { CallNode, FunctionNode } from './environment.ts';
import { follow } from './flow.ts';
import type { FlowVisitor } from './flow-visitor.ts';
import { askedIn, comparedWith } from './layer-names.ts';
import type { CodeBase } from './references.ts';

/** A place that names a layer, and the calls whose composition gets there. */
interface LayerRead {
  readonly name: string;
  readonly place: ts.Node;
  /** `item.layer !== 'x'` is as true where the layer does not fire. */
  readonly isComparison: boolean;
  readonly from: BoundCall[];
}

/** By place and name: `layers[key]` may name several. */
type Reads = Map<ts.Node, Map<string, LayerRead>>;

/** Names of layers that a manifest writes, those that are switched off too. */
export type DeclaredLayers = (manifest: Manifest) => readonly string[];

/** A read that several calls reach is right if it is right for one of them. */
export function checkLayers(
  base: CodeBase,
  bound: readonly BoundCall[],
  declared: DeclaredLayers,
): readonly Finding[] {
  const reads: Reads = new Map();
  for (const call of bound) collectReads(base, call, reads);
  return [...reads.values()]
    .flatMap((atPlace) => [...atPlace.values()])
    .flatMap((read) => {
      const manifests = [...new Set(read.from.flatMap((call) => call.manifests))];
      if (read.from.some((call) => call.manifests.length === 0)) return [];
      const known = unionOf(
        manifests.map((manifest) => [
          ...declared(manifest),
          ...manifest.layers.map(({ name }) => name),
        ]),
      );
      if (!known.includes(read.name)) return [unknownLayer(read, manifests, known)];
      return read.isComparison || read.from.some((call) => mayFire(call, read.name))
        ? []
        : [notFired(read, manifests)];
    });
}

function mayFire({ reading, manifests }: BoundCall, layer: string): boolean {
  const { texts, isComplete, isMaybeAbsent } = reading.intent;
  if (!isComplete || isMaybeAbsent || texts.length === 0) return true;
  // An intent that the manifest does not know is another finding.
  return texts.some(({ text }) =>
    manifests.some(
      (manifest) =>
        !knowsIntent(manifest, text) || manifest.intents[text]?.layers.includes(layer) === true,
    ),
  );
}

function unknownLayer(
  { name, place }: LayerRead,
  manifests: readonly Manifest[],
  known: readonly string[],
): Finding {
  return findingAtNode('CODE.UNKNOWN_LAYER', place, {
    message: `${namesOf(manifests)} has no layer \`${shown(name)}\`.`,
    fix: `${didYouMean(name, known)} Or declare it in \`spec.layers\`.`,
  });
}

function notFired({ name, place, from }: LayerRead, manifests: readonly Manifest[]): Finding {
  const intents = unionOf(from.map(({ reading }) => reading.intent.texts.map(({ text }) => text)));
  const fired = unionOf(
    manifests.flatMap((manifest) =>
      intents.map((intent) => manifest.intents[intent]?.layers ?? []),
    ),
  );
  return findingAtNode('CODE.LAYER_NOT_FIRED', place, {
    message:
      `The layer \`${name}\` of ${namesOf(manifests)} does not fire with ` +
      `${intents.map((intent) => `\`${intent}\``).join(' or ')}: it is never in this ` +
      'composition.',
    fix:
      "Add it to the intent's `layers`, call with another intent, or read one of " +
      `${fired.map((layer) => `\`${layer}\``).join(', ')}.`,
  });
}

type State = 'composition' | 'layers' | 'item' | 'layerName';

function collectReads(base: CodeBase, bound: BoundCall, reads: Reads): void {
  const { call, env } = bound.reading;
  const add = (name: string, place: ts.Node, isComparison = false): void => {
    const atPlace = reads.get(place) ?? new Map<string, LayerRead>();
    reads.set(place, atPlace);
    const known = atPlace.get(name);
    if (known) known.from.push(bound);
    else atPlace.set(name, { name, place, isComparison, from: [bound] });
  };
  const sitesOf = (fn: FunctionNode): readonly CallNode[] => {
    const site = env.frames.get(fn);
    return site ? [site] : callsOf(base, fn);
  };
  const visitor: FlowVisitor<State> = {
    read(state, name, place) {
      if (state === 'composition' && name === 'layers') return { path: [], state: 'layers' };
      if (state === 'composition' && name === 'items') return { path: ['#*'], state: 'item' };
      if (state === 'item' && name === 'layer') return { path: [], state: 'layerName' };
      if (state === 'layers') add(name, place);
      return undefined;
    },
    seen(node, state) {
      if (state === 'layerName')
        for (const { text, place, isSame } of comparedWith(base, node, sitesOf))
          add(text, place, !isSame);
      if (state === 'layers')
        for (const { text, place } of askedIn(base, node)) add(text, place, true);
    },
    callsOf: sitesOf,
    isPassedOn: (site, state) => state === 'composition' && isComposition(base, site),
  };
  follow(base, [{ node: call.node, path: [], state: 'composition' }], visitor);
}

/** Whether a call gives a composition, or something of no known type. */
function isComposition(
  { ts: typescript, checker, stub }: CodeBase,
  call: ts.CallExpression,
): boolean {
  const type = checker.getTypeAtLocation(call);
  const awaited = checker.getAwaitedType(type) ?? type;
  if (awaited.flags & typescript.TypeFlags.Any) return true;
  return (
    awaited.symbol?.name === 'Composition' &&
    (awaited.symbol.declarations?.some((known) => known.getSourceFile() === stub) ?? false)
  );
}
