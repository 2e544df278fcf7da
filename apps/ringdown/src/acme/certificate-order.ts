import type { Authorization, Client, Order } from 'acme-client';
import { setTimeout as sleep } from 'node:timers/promises';
import { AcmeFailure, isProblem, refusal } from './acme-failure.js';
import type { PendingOrder } from './acme-files.js';
import type { Authority } from './authority.js';
import type { Challenges } from './challenges.js';
import type { ChallengeType } from './settings.js';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Authorities look within seconds; some look from several places. */
const PATIENCE_MS = 180_000;

export interface OrderParts {
  readonly authority: Authority;
  readonly challenges: Challenges;
  readonly challenge: ChallengeType;
  /** Called when the authority knows the order, before anything else. */
  readonly keep: (order: PendingOrder) => void;
}

/** Certificate and those between it and the root, PEM. Goes on with an order that a process before has begun. */
export async function certificateFor(pending: PendingOrder, parts: OrderParts): Promise<string> {
  const { authority, challenges, keep } = parts;
  const { client } = authority;
  const order = (await knownOrder(client, pending)) ?? (await newOrder(client, pending));
  keep({ ...pending, url: order.url });
  try {
    if (order.status === 'pending') await authorize(order, parts);
    const ready = await settled(authority, 'the order', () => client.getOrder(order), ['pending', 'processing']);
    if (ready.status === 'ready') await client.finalizeOrder(ready, await authority.requestFor(pending));
    const over = ['pending', 'ready', 'processing'];
    const valid = await settled(authority, 'the certificate', () => client.getOrder(order), over);
    return await client.getCertificate(valid);
  } finally {
    challenges.clear();
  }
}

/** Undefined if the authority no longer knows it, or it came to nothing. */
async function knownOrder(client: Client, { url }: PendingOrder): Promise<Order | undefined> {
  if (url === undefined) return undefined;
  try {
    // Only its address is used.
    const asked: Pick<Order, 'url'> = { url };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of the package wants what the answer brings
    const order = await client.getOrder(asked as Order);
    return order.status === 'invalid' ? undefined : { ...order, url };
  } catch (error) {
    if (error instanceof AcmeFailure && FORGOTTEN.has(error.kind)) return undefined;
    throw error;
  }
}

/** Authorities answer differently for an order that has expired, or of an account that they no longer have. */
const FORGOTTEN = new Set(['malformed', 'unauthorized', 'accountDoesNotExist', 'unexpectedAnswer', 'notFound']);

function newOrder(client: Client, { hosts }: PendingOrder): Promise<Order> {
  return client.createOrder({ identifiers: hosts.map((value) => ({ type: 'dns', value })) });
}

async function authorize(order: Order, parts: OrderParts): Promise<void> {
  const { client } = parts.authority;
  const open = (await client.getAuthorizations(order)).filter(({ status }) => status !== 'valid');
  // All answers are there before the authority looks for the first.
  const chosen = [];
  for (const authorization of open) chosen.push({ authorization, url: await prepare(authorization, parts) });
  for (const { authorization, url } of chosen) {
    const challenge = authorization.challenges.find((each) => each.url === url);
    if (challenge?.status === 'pending') await client.completeChallenge(challenge);
  }
  for (const { authorization } of chosen) await authorized(authorization, parts);
}

/** Makes the answer to the challenge; returns its address. */
async function prepare(
  authorization: Authorization,
  { authority, challenges, challenge: type }: OrderParts,
): Promise<string> {
  const { value: host } = authorization.identifier;
  // The type of the package knows two kinds alone.
  const kinds: readonly string[] = authorization.challenges.map((each) => each.type);
  const challenge = authorization.challenges[kinds.indexOf(type)];
  if (challenge === undefined) {
    throw new AcmeFailure('noChallenge', `the authority does not check ${host} by ${type}, but by ${kinds.join(', ')}`);
  }
  const keyAuthorization = await authority.client.getChallengeKeyAuthorization(challenge);
  if (type === 'http-01') challenges.answerWithText(challenge.token, keyAuthorization);
  else challenges.answerWithCertificate(host, await authority.challengeCertificate(authorization, keyAuthorization));
  return challenge.url;
}

async function authorized({ url, identifier }: Authorization, { authority }: OrderParts): Promise<void> {
  const read = async (): Promise<Authorization> => {
    const [one] = await authority.client.getAuthorizations(ordered([url]));
    if (one === undefined) throw new AcmeFailure('unexpectedAnswer', `no authorization of ${identifier.value}`);
    return one;
  };
  await settled(authority, `the check of ${identifier.value}`, read, ['pending']);
}

function ordered(authorizations: string[]): Order {
  return { status: 'pending', identifiers: [], finalize: '', url: '', authorizations };
}

interface Stateful {
  readonly status: string;
  readonly error?: object;
  readonly challenges?: readonly { readonly error?: object }[];
}

/** Asks until it is in another state than these. Throws a {@link AcmeFailure} if it has failed. */
async function settled<T extends Stateful>(
  { signal, pauseAsked }: Authority,
  what: string,
  read: () => Promise<T>,
  waiting: readonly string[],
): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const now = await read();
    if (!waiting.includes(now.status)) return assertWell(what, now);
    if (performance.now() > until) throw new AcmeFailure('slow', `${what} is still ${now.status} after some minutes`);
    await sleep(Math.max(pause, Math.min(pauseAsked() ?? 0, LONGEST_PAUSE_MS)), undefined, { signal });
  }
}

function assertWell<T extends Stateful>(what: string, state: T): T {
  if (state.status === 'valid' || state.status === 'ready') return state;
  const problem = state.error ?? state.challenges?.find(({ error }) => error !== undefined)?.error;
  throw refusal(`${what} has failed`, isProblem(problem) ? problem : { type: state.status });
}
