import type { CallPage } from '../api/answers.js';

/** The calls before and after one in a list of calls. */
export interface Neighbours {
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** Where in a page of results a call is; undefined if it is not there (any more). */
export function neighboursIn({ items }: CallPage, callId: string): Neighbours | undefined {
  const at = items.findIndex((call) => call.callId === callId);
  if (at === -1) return undefined;
  return { previous: items[at - 1]?.callId, next: items[at + 1]?.callId };
}

/** The page after this one. */
export function nextList(list: string, { next }: Pick<CallPage, 'next'>): string | undefined {
  if (next === null) return undefined;
  const parameters = new URLSearchParams(list);
  parameters.set('cursor', next);
  return parameters.toString();
}
