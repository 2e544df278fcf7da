/** Many polls at once, and their results. */
import { Agent, request } from 'node:http';

/** Polls that are held open, each on its own connection, as clients do. */
export class Polls {
  agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  /** By the name of the poll: when its event was sent, and the promise of its reply. */
  #expected = new Map();
  #failed = Promise.withResolvers();
  #next;

  /** @param next Returns path and headers of the next poll from the reply to the previous one. */
  constructor(base, next) {
    this.base = base;
    this.#next = next;
    // Code that waits for the polls gets the failure; until then it must not be an unhandled rejection.
    this.#failed.promise.catch(() => undefined);
  }

  /** The same as `work`, but rejects as soon as one poll has failed: otherwise the wait would never end. */
  unlessFailed(work) {
    return Promise.race([this.#failed.promise, work]);
  }

  open(name, path, headers) {
    const outgoing = request(`${this.base}${path}`, { agent: this.agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        this.#expected.get(name)?.(performance.now());
        this.#expected.delete(name);
        const body = Buffer.concat(chunks).toString();
        if (response.statusCode !== 200) this.fail(`${response.statusCode}: ${body}`);
        else if (this.#next) this.open(name, this.#next(name, body), headers);
        else this.open(name, path, headers);
      });
    });
    outgoing.on('error', (error) => this.fail(error.message));
    outgoing.end();
  }

  isExpected(name) {
    return this.#expected.has(name);
  }

  /** Resolves with the milliseconds from now until the reply to the poll. */
  expect(name) {
    const began = performance.now();
    return new Promise((resolve) => this.#expected.set(name, (answered) => resolve(answered - began)));
  }

  close() {
    this.#next = undefined;
    this.agent.destroy();
  }

  fail(reason) {
    this.#failed.reject(new Error(`events cannot be delivered: ${reason}`));
  }
}

/**
 * Sends `perSecond` events for `seconds`, evenly, each to a waiting poll; resolves with the sorted milliseconds to each
 * reply.
 */
export async function deliver(polls, names, send, { perSecond, seconds }) {
  const all = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const wait = began + (n * 1_000) / perSecond - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    let name = names[Math.floor(Math.random() * names.length)];
    while (polls.isExpected(name)) name = names[Math.floor(Math.random() * names.length)];
    all.push(polls.expect(name));
    send(name).catch((error) => polls.fail(error.message));
  }
  const millis = await polls.unlessFailed(Promise.all(all));
  return millis.sort((a, b) => a - b);
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
