import { SHORTEST_SEED } from '@ringdown/identity-hiding';
import { SettingsError } from '@ringdown/settings';
import { readFile } from 'node:fs/promises';
import { readSubscriberSettings, subscriptionFields, type SubscriberSettings } from './subscription.js';

/** Part of the name of a durable consumer, and a label. */
const NAME = /^[a-z\d-]{1,32}$/i;

/**
 * Reads `{"subscribers": [{"name": …, "submituri": …}]}`. Throws `SettingsError` with every problem and its place.
 * `seed`: whether there is a default seed for subscribers without their own.
 */
export async function readSubscribersFile(file: string, seed: boolean): Promise<readonly SubscriberSettings[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'it does not exist' : error.message;
    throw new SettingsError([`SUBSCRIBERS_FILE ${file} cannot be read: ${reason}`]);
  });
  const { subscriptions, problems } = parseSubscribers(text, seed);
  if (problems.length > 0) throw new SettingsError(problems.map((problem) => `SUBSCRIBERS_FILE ${file} ${problem}`));
  return subscriptions;
}

interface Parsed {
  readonly subscriptions: readonly SubscriberSettings[];
  readonly problems: readonly string[];
}

export function parseSubscribers(text: string, seed: boolean): Parsed {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return { subscriptions: [], problems: ['is not JSON'] };
  }
  if (!isObject(root) || !Array.isArray(root['subscribers'])) {
    return { subscriptions: [], problems: ['must contain an object with a list "subscribers"'] };
  }
  const list: readonly unknown[] = root['subscribers'];
  const subscriptions: SubscriberSettings[] = [];
  const problems: string[] = [];
  for (const [index, item] of list.entries()) {
    try {
      const subscription = readSubscriberSettings(settingTexts(item));
      const wrong = subscriptionProblems(subscription, subscriptions, seed);
      if (wrong.length > 0) throw new SettingsError(wrong);
      subscriptions.push(subscription);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems.push(...error.problems.map((problem) => `subscribers[${index}]: ${problem}`));
    }
  }
  return { subscriptions, problems };
}

/** Numbers, words and lists in the form that the settings reader accepts. */
function settingTexts(item: unknown): Record<string, string> {
  if (!isObject(item)) throw new SettingsError(['must be an object']);
  const known = new Set(Object.values(subscriptionFields).map(({ env }) => env));
  const unknown = Object.keys(item).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new SettingsError(unknown.map((key) => `${key} is unknown`));
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
      const texts = Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : undefined;
      if (!isPlain && texts === undefined)
        throw new SettingsError([`${key} must be a text, a number or a list of texts`]);
      return [key, texts?.join(',') ?? wordOf(value)];
    }),
  );
}

/** Known senders write `True`. */
function wordOf(value: unknown): string {
  const text = String(value);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() : text;
}

function subscriptionProblems(
  subscription: SubscriberSettings,
  before: readonly SubscriberSettings[],
  seed: boolean,
): readonly string[] {
  const { name, via, submituri, hidepii, obfuscationseed, clientcertificate, clientkey } = subscription;
  const problems: string[] = [];
  if (via === 'http' && submituri === undefined) problems.push('submituri is not set: Where to post');
  if (via === 'bus' && submituri !== undefined) problems.push('submituri is not allowed with via bus');
  if (!NAME.test(name)) problems.push('name must consist of 1 to 32 letters, digits and hyphens');
  if (before.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    problems.push(`name ${name} is used twice`);
  if (hidepii === 'true' && obfuscationseed === undefined && !seed) {
    problems.push('obfuscationseed is not set, nor IDENTITY_SEED; one of them is needed to hide users');
  }
  if (obfuscationseed !== undefined && obfuscationseed.length < SHORTEST_SEED) {
    problems.push(`obfuscationseed needs at least ${SHORTEST_SEED} characters`);
  }
  if ((clientcertificate === undefined) !== (clientkey === undefined)) {
    problems.push('clientcertificate and clientkey belong together');
  }
  return problems;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
