/** The engine's costs: what models cost for captures, by scope, manifest, UTC day and model. */

import type { EmbeddingUse } from '../../cxri/ports/shared-vectors.ts';
import { LISTED_PRICES, savedUsd } from '../../inference/prices.ts';
import { checkInput } from '../../inputs/check-input.ts';
import { type Instant, parseInstant, parseUuid, toEpochMs, toInstant } from '../../model/ids.ts';
import { type EngineParts, readerOf } from '../engine-parts.ts';
import { readableScopes } from '../readable-scopes.ts';
import type { CostListing, EmbeddingDay, Memory } from './memory-surface.ts';

const DEFAULT_LIMIT = 100;

export function createCosts(parts: EngineParts): Pick<Memory, 'costs'> {
  const { authority, open, permission, now } = parts;
  return {
    costs: {
      list: open(async (asked, options) => {
        const { scope, ...page } = checkListing(asked ?? {}, now().slice(0, 10));
        const grant = await readerOf(parts, options);
        if (scope !== null) {
          const entrance = { door: 'costs', field: 'scope' };
          await permission.assertReadable(grant, scope, entrance);
        }
        const scopes = scope === null ? await readableScopes(grant, parts) : [scope];
        return authority.listCosts(grant.tenant, { scopes, ...page });
      }),
      embeddings: open(async (from, options) => {
        const day = from === undefined ? weekBefore(now()) : dayOf(from);
        const { tenant, scopes, kind } = await readerOf(parts, options);
        if (!scopes.all || kind === 'agent') return [];
        return (await authority.embeddingUse(tenant, day)).map(withSaved);
      }),
      prices: open(async () => LISTED_PRICES),
    },
  };
}

const WEEK_MS = 7 * 86_400_000;
const weekBefore = (at: Instant): string => toInstant(toEpochMs(at) - WEEK_MS).slice(0, 10);

function withSaved(use: EmbeddingUse): EmbeddingDay {
  const { process, shared, provider, space, saved_chars: chars } = use;
  const all = process + shared + provider;
  const [, ...model] = space.split('/').slice(0, -1);
  return {
    ...use,
    hit_rate: all === 0 ? 0 : (process + shared) / all,
    saved_usd: savedUsd(model.join('/'), chars),
  };
}

/** A day that its month has not is one of the next. */
const dayOf = (day: string): string => parseInstant(`${day}T00:00:00Z`, 'day').slice(0, 10);

function checkListing(asked: CostListing, today: string) {
  checkInput('cost_listing', asked);
  const { scope, from_day = today, to_day = today, limit = DEFAULT_LIMIT } = asked;
  const [first, last] = [dayOf(from_day), dayOf(to_day)];
  return {
    scope: scope === undefined ? null : parseUuid(scope, 'scope'),
    from_day: first,
    to_day: last,
    limit,
  };
}
