import { hasMark, type IdentityHiding } from '@ringdown/identity-hiding';
import { frontEndKey } from '../../calls/call-keys.js';
import type { Transaction } from '../../store/database/transaction.js';

/** All of them are hidden once for a comparison; systems have a few hundred. */
const MOST_NAMES = 10_000;

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The keys of front ends that were chosen by their names, or by the texts with marks that operators without the role
 * `reveal` see instead. `period`: when problems of front ends that never sent a record are looked for.
 */
export async function chosenFrontEnds(
  transaction: Transaction,
  texts: readonly string[],
  period: Period,
  hiding: Pick<IdentityHiding, 'field'>,
): Promise<readonly string[]> {
  const keys = texts.map(frontEndKey);
  // Names without a mark are shown as they are.
  const marked = new Set(keys.filter(hasMark));
  if (marked.size === 0) return keys;
  const hide = (name: string): string => hiding.field(name, 'frontEnd');
  const names = (await namesIn(transaction, period)).filter((name) => isShownAs(name, marked, hide));
  return [...new Set([...keys, ...names.map(frontEndKey)])];
}

/**
 * Whether one of the texts, in the form of keys, is shown instead of this name. Lists hide names as they were sent, and
 * alerts hide their keys.
 */
export function isShownAs(name: string, shown: ReadonlySet<string>, hide: (name: string) => string): boolean {
  return [name, frontEndKey(name)].some((form) => shown.has(frontEndKey(hide(form))));
}

/** As they were sent, where that is known. */
async function namesIn(transaction: Transaction, { from, to }: Period): Promise<readonly string[]> {
  const { rows } = await transaction.query<{ name: string }>(
    `select name collate "C" as name from front_ends
     union select feed collate "C" from sip_failures where at >= $1 and at < $2
     union select feed_key from rejections where at >= $1 and at < $2
     limit ${MOST_NAMES}`,
    [from, to],
  );
  return rows.map(({ name }) => name);
}
