/**
 * The offered media type that a client's `Accept` header prefers, or undefined when it accepts none of them (RFC 9110,
 * section 12.5.1). Without the header, or with an unreadable one, the first offer.
 *
 * The weight of an offer is that of the most specific range that matches it. Among equal weights, a type that the
 * client names explicitly wins over one that a wildcard matches, then the client's order decides, then ours.
 */
export function negotiate<T extends string>(accept: string | undefined, offers: readonly T[]): T | undefined {
  const ranges = parseAccept(accept ?? '');
  if (ranges.length === 0) return offers[0];
  return offers
    .flatMap((offer) => {
      const range = mostExact(ranges, offer);
      return range === undefined || range.weight === 0 ? [] : [{ offer, range }];
    })
    .toSorted(
      ({ range: a }, { range: b }) => b.weight - a.weight || b.exactness - a.exactness || a.position - b.position,
    )[0]?.offer;
}

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
  /** 2 for an explicit type, 1 for `type/*`, 0 for anything. */
  readonly exactness: number;
  readonly position: number;
}

/** More ranges than any client sends; the rest of a longer header is not read. */
const MAX_RANGES = 32;

function parseAccept(accept: string): MediaRange[] {
  return accept.split(',', MAX_RANGES).flatMap((item, position) => {
    const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const [, type, subtype] = /^([a-z0-9!#$&^_.+*-]+)\/([a-z0-9!#$&^_.+*-]+)$/.exec(range) ?? [];
    if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return [];
    const exactness = type === '*' ? 0 : subtype === '*' ? 1 : 2;
    return [{ type, subtype, exactness, position, weight: weightOf(parameters) }];
  });
}

/** Other parameters, such as a charset, are ignored: the response is always UTF-8. */
function weightOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (given === undefined || !/^(0(\.\d*)?|1(\.0*)?)$/.test(given)) return 1;
  return Number(given);
}

function mostExact(ranges: readonly MediaRange[], offer: string): MediaRange | undefined {
  const [type, subtype] = offer.toLowerCase().split('/');
  return ranges
    .filter(
      (range) => (range.type === type || range.type === '*') && (range.subtype === subtype || range.subtype === '*'),
    )
    .toSorted((a, b) => b.exactness - a.exactness || b.weight - a.weight)[0];
}
