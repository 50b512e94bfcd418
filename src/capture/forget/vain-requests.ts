/** Requests to forget what nobody knows: the receipt says that nothing was found. */
import type { Uuid } from '../../model/ids.ts';
import type { Settled } from '../state.ts';
import type { ForgetRequest, TakenBack } from './forget-requests.ts';

interface Asked {
  readonly requests: readonly ForgetRequest[];
  /** What the talk itself said of it, by the turn. */
  readonly takenBack: ReadonlyMap<Uuid, TakenBack>;
}

/** `settled`: without the requests that take something back. */
export const withVain = (
  settled: readonly Settled[],
  { requests, takenBack }: Asked,
): readonly Settled[] => {
  const finding = new Set([...takenBack.values()].map(({ by }) => by.uuid));
  const asking = new Set(
    requests.flatMap((each) =>
      placesOf(finding.has(each.turn.uuid) ? { ...each, bare: [] } : each),
    ),
  );
  const found = new Set([...takenBack.values()].map(({ by, at }) => placeName(by.uuid, at)));
  const off = settled.filter(({ reason }) => reason === OFF);
  return settled.map((each) => {
    const place = placeName(each.source_uuid, each.start);
    if (each.reason !== OFF || !asking.has(place) || found.has(place)) return each;
    // In one turn with it, what is off the record is what it asks to forget.
    const isBeside = off.some(
      ({ source_uuid: source, start }) =>
        source === each.source_uuid && !asking.has(placeName(source, start)),
    );
    return isBeside ? each : { ...each, reason: VAIN };
  });
};
const OFF = 'never';
const VAIN = 'not_known';

const placeName = (source: Uuid, start: number): string => `${source}/${start}`;
const placesOf = ({ turn, named, bare }: ForgetRequest): readonly string[] =>
  [bare, ...[named.statements, named.topics, named.matters].map((asked) => asked.values())].flatMap(
    (starts) => [...starts].map((at) => placeName(turn.uuid, at)),
  );
