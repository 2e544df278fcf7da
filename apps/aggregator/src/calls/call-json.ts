import type { Call } from './call.js';

const texts = new WeakMap<Call, string>();

/** A call that has changed is stored and told to others: it becomes text once. */
export function callJson(call: Call): string {
  let text = texts.get(call);
  if (text === undefined) {
    text = JSON.stringify(call);
    texts.set(call, text);
  }
  return text;
}
