/** The names that a scoring formula may use. A new signal is one file and one line here. */
import { absorbedSignal } from './absorbed.ts';
import { ageDaysSignal } from './age-days.ts';
import { authorSignal } from './author.ts';
import { betaSignal } from './beta.ts';
import { classBoostSignal } from './class-boost.ts';
import { confidenceSignal } from './confidence.ts';
import { dateSignal } from './date.ts';
import type { SignalDefinition } from './definition.ts';
import { denseSignal } from './dense.ts';
import { depthSignal } from './depth.ts';
import { frequencySignal } from './frequency.ts';
import { importanceSignal } from './importance.ts';
import { lambdaSignal } from './lambda.ts';
import { latestSignal } from './latest.ts';
import { lengthSignal } from './length.ts';
import { lexicalSignal } from './lexical.ts';
import { maxsimSignal } from './maxsim.ts';
import { previousSignal } from './previous.ts';
import { questionSignal } from './question.ts';
import { recencySignal } from './recency.ts';
import { replacedSignal } from './replaced.ts';
import { retrievabilitySignal } from './retrievability.ts';
import { sessionSignal } from './session.ts';
import { simSignal } from './sim.ts';
import { staleSignal } from './stale.ts';
import { strangersSignal } from './strangers.ts';
import { tagMatchesSignal } from './tag-matches.ts';
import { trustSignal } from './trust.ts';
import { unnamedSignal } from './unnamed.ts';
import { unseenSignal } from './unseen.ts';
import { utilitySignal } from './utility.ts';
import { whenSignal } from './when.ts';
import { windowSignal } from './window.ts';

const DEFINITIONS = [
  simSignal,
  denseSignal,
  lexicalSignal,
  retrievabilitySignal,
  utilitySignal,
  recencySignal,
  importanceSignal,
  frequencySignal,
  staleSignal,
  confidenceSignal,
  trustSignal,
  ageDaysSignal,
  depthSignal,
  tagMatchesSignal,
  classBoostSignal,
  absorbedSignal,
  replacedSignal,
  lambdaSignal,
  betaSignal,
  maxsimSignal,
  windowSignal,
  previousSignal,
  sessionSignal,
  authorSignal,
  dateSignal,
  whenSignal,
  questionSignal,
  lengthSignal,
  strangersSignal,
  latestSignal,
  unseenSignal,
  unnamedSignal,
] as const;

export type SignalName = (typeof DEFINITIONS)[number]['name'];
export type Signals = Readonly<Partial<Record<SignalName, number>>>;

/** In the order in which an item carries them. */
export const SIGNAL_LIST: readonly SignalDefinition<SignalName>[] = DEFINITIONS;
// Every name of the list is a key.
export const SIGNALS = Object.fromEntries(
  SIGNAL_LIST.map((definition) => [definition.name, definition]),
) as Readonly<Record<SignalName, SignalDefinition<SignalName>>>;

/** Read of classes and links, and only where a formula names one of these. */
const OF_CLASSES: readonly SignalName[] = ['class_boost', 'absorbed', 'replaced'];
export const needsClasses = (names: readonly string[]): boolean =>
  OF_CLASSES.some((name) => names.includes(name));

export const isSignalName = (name: string): name is SignalName => Object.hasOwn(SIGNALS, name);

/**
 * Signals of the design that need a capability which has not landed: refused in formulas with
 * `FEATURE.NOT_LANDED`.
 */
export const PENDING_SIGNALS = ['co_occurs'] as const;
