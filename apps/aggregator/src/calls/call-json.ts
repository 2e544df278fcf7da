import type { Call } from './call.js';

const texts = new WeakMap<Call, string>();

/** A changed call is both stored and published: it is serialized only once. */
export function callJson(call: Call): string {
  let text = texts.get(call);
  if (text === undefined) {
    text = JSON.stringify(call);
    texts.set(call, text);
  }
  return text;
}
