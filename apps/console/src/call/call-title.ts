import type { Call } from '../api/answers.js';
import { shownSipAddress } from '../parts/format.js';
import { texts } from '../texts/call.js';
import { texts as partTexts } from '../texts/parts.js';

/** Who called, and whom: at least one of each. */
export function callNames({ parties }: Pick<Call, 'parties'>): readonly [string, ...string[]] {
  const [first = texts.unknown, ...others] = parties.map(
    ({ uri, ip }) => shownSipAddress(uri) || (ip ?? texts.unknown),
  );
  return [first, ...(others.length === 0 ? [texts.unknown] : others)];
}

/** Who called whom. */
export function callTitle(call: Pick<Call, 'parties'>): string {
  const [first, ...others] = callNames(call);
  return `${first} → ${others.join(', ')}`;
}

/** A browser shows about this much of the name of a tab. */
const LONGEST = 120;

/** The name of the tab: who called whom, and how it went. */
export function callTabTitle(call: Pick<Call, 'parties' | 'state' | 'verdict'>): string {
  const title = callTitle(call);
  const names = title.length > LONGEST ? `${title.slice(0, LONGEST)}…` : title;
  const isBad = call.verdict === 'bad' || call.verdict === 'poor';
  const state = partTexts.states[call.state];
  return isBad ? texts.tabTitleJudged(names, partTexts.verdicts[call.verdict], state) : texts.tabTitle(names, state);
}
