import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { EMAIL_PROPERTIES, emailReceiverOf } from './email-receiver.js';
import type { AlertReceiver } from './receivers.js';

const MOST_RECEIVERS = 50;
const NAME = /^[a-z\d][a-z\d-]{0,31}$/i;
const SHORTEST_SECRET = 16;

/** What a receiver of each kind has beside `name` and `kind`. */
const PROPERTIES = {
  webhook: ['url', 'secret'],
  alertmanager: ['url'],
  email: EMAIL_PROPERTIES,
} as const;

/**
 * Receivers from a JSON file: `{"receivers": [{"name": "pager", "kind": "webhook", …}]}`. Throws an Error that completes
 * "ALERT_RECEIVERS …" and contains none of the values, of which some are secrets.
 */
export function loadReceivers(file: string): readonly AlertReceiver[] {
  const { receivers } = receiverObject(readJson(file), 'must contain an object with a list "receivers"');
  if (!Array.isArray(receivers)) throw new Error('must contain an object with a list "receivers"');
  if (receivers.length > MOST_RECEIVERS) throw new Error(`may have at most ${MOST_RECEIVERS} receivers`);
  const loaded = receivers.map((item: unknown, index) => {
    const place = `receivers[${index}]`;
    return receiverOf(receiverObject(item, `needs an object as ${place}`), place);
  });
  const twice = loaded.find(({ name }, index) => loaded.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) throw new Error(`has two receivers of the name ${twice.name}`);
  return loaded;
}

function receiverOf(item: Readonly<Record<string, unknown>>, place: string): AlertReceiver {
  const { name, kind } = item;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new Error(`needs 1 to 32 letters, digits and hyphens as ${place}.name`);
  if (kind !== 'webhook' && kind !== 'alertmanager' && kind !== 'email')
    throw new Error(`needs webhook, alertmanager or email as ${place}.kind`);
  const known: readonly string[] = ['name', 'kind', ...PROPERTIES[kind]];
  const unknown = Object.keys(item).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`has an unknown property ${JSON.stringify(unknown)} in ${place}`);
  if (kind === 'email') return emailReceiverOf(item, name, place);
  if (kind === 'alertmanager') return { kind, name, url: checkedHttpUrl(item['url'], `${place}.url`) };
  const { secret } = item;
  if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET)
    throw new Error(`needs a text of at least ${SHORTEST_SECRET} characters as ${place}.secret`);
  return { kind, name, url: checkedHttpUrl(item['url'], `${place}.url`), secret };
}

function checkedHttpUrl(value: unknown, place: string): URL {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`needs a URL with http: or https: as ${place}`);
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new Error(`needs each % of a name or password as %25 in ${place}`);
  }
  return url;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`must be a readable JSON file: ${errorReason(error)}`, {
      cause: error,
    });
  }
  try {
    return JSON.parse(text);
  } catch {
    // The reason would quote the file, which contains secrets.
    throw new Error('must be a JSON file');
  }
}

function receiverObject(value: unknown, problem: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(problem);
  return Object.fromEntries(Object.entries(value));
}
