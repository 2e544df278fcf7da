import { invite, incomingMessageText, Device } from '@ringdown/application-people/test/messaging-world.js';
import { fetchUserToken } from '@ringdown/application-people/test/running-services.js';
import type { SeenEvent } from '@ringdown/application-people/test/inbox.js';
import { resourceHref, WebClient, type AnyResource } from '@ringdown/application-people/test/web-client.js';
import { eventually } from '@ringdown/testing/eventually';
import { setTimeout as sleep } from 'node:timers/promises';

const PACE_MS = 100;
const RETRY_MS = 200;
const RESPONSE_MS = 15_000;
const DELIVERY_MS = 180_000;

/** What is wrong with the messages; each list is empty if nothing is. */
export interface ChatOutcome {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly outOfOrder: readonly string[];
  /** Responses after which a client cannot go on. */
  readonly refused: readonly string[];
}

export const ALL_DELIVERED: ChatOutcome = { lost: [], doubled: [], outOfOrder: [], refused: [] };

interface Package {
  readonly _links: { readonly next?: { readonly href: string } };
  readonly sender: readonly { readonly events: readonly Omit<SeenEvent, 'sender'>[] }[];
}

/** Alice writes numbered messages to Bob, the next one when one was accepted; both poll for events all the time. */
export class Chat {
  /** Texts of messages that were answered with 201. */
  readonly acknowledged: string[] = [];
  /** Texts that Bob has received, as they came. */
  readonly received: string[] = [];
  private readonly refused: string[] = [];
  private readonly running: readonly Promise<void>[];
  private readonly ending = new AbortController();
  private isWriting = true;

  private constructor(
    private readonly bases: readonly string[],
    alice: Device,
    bob: Device,
    messaging: AnyResource,
  ) {
    const { token } = alice.client;
    this.running = [this.write(resourceHref(messaging, 'sendMessage'), token), this.poll(alice), this.poll(bob)];
  }

  /** `auth`: URL of a token service; `bases`: of the replicas that serve the clients. */
  static async start(auth: string, bases: readonly string[]): Promise<Chat> {
    const [first = '', second = first] = bases;
    const [alice, bob] = [await deviceOf(auth, first, 'alice'), await deviceOf(auth, second, 'bob')];
    await invite(alice, 'bob');
    const invitation = await bob.invited();
    await bob.press(resourceHref(invitation, 'accept'));
    const messaging = await alice.connected();
    await bob.connected();
    return new Chat(bases, alice, bob, messaging);
  }

  /** Resolves when a message that was written after this moment has arrived. */
  async delivers(): Promise<void> {
    // The next one may be under way already.
    const place = this.acknowledged.length + 1;
    await eventually('two more accepted messages', () => this.acknowledged.length > place, DELIVERY_MS);
    await this.arrived(this.acknowledged[place] ?? '');
  }

  /** Ends the writing, and waits for the last message. */
  async outcome(): Promise<ChatOutcome> {
    this.isWriting = false;
    await this.running[0];
    const { acknowledged, received, refused } = this;
    await this.arrived(acknowledged.at(-1) ?? '');
    const different = new Set(received);
    return {
      lost: acknowledged.filter((text) => !different.has(text)),
      doubled: received.filter((text, index) => received.indexOf(text) !== index),
      outOfOrder: received.filter((text, index) => index > 0 && Number(text) < Number(received[index - 1])),
      refused,
    };
  }

  async stop(): Promise<void> {
    this.isWriting = false;
    this.ending.abort();
    await Promise.all(this.running);
  }

  private async arrived(text: string): Promise<void> {
    await eventually(`the message ${text}`, () => this.received.includes(text), DELIVERY_MS);
  }

  /** A message without an answer is repeated with the same operation id, which makes it one message. */
  private async write(href: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
    for (let n = 0, replica = 0; this.isWriting;) {
      const url = `${this.at(replica)}${href}?operationId=message-${n}`;
      const response = await this.request(url, { method: 'POST', headers, body: String(n) });
      if (response?.status === 201) this.acknowledged.push(String(n++));
      else replica++;
      await sleep(response?.status === 201 ? PACE_MS : RETRY_MS);
    }
  }

  /** A package that did not arrive is requested again, at the other replica. */
  private async poll({ client, inbox }: Device): Promise<void> {
    const headers = { authorization: `Bearer ${client.token}` };
    for (let { next } = inbox, replica = 0; !this.ending.signal.aborted;) {
      const response = await this.request(this.at(replica) + next, { headers });
      const found = response?.status === 200 ? packageIn(await textIn(response)) : undefined;
      if (found === undefined) {
        replica++;
        await sleep(RETRY_MS);
        continue;
      }
      const { _links: links, sender } = found;
      if (links.next === undefined) this.refused.push(`no next package: ${JSON.stringify(links)}`);
      next = links.next?.href ?? next;
      for (const event of sender.flatMap(({ events }) => events)) this.onEvent(client, event);
    }
  }

  private onEvent({ token }: WebClient, event: Omit<SeenEvent, 'sender'>): void {
    const text = incomingMessageText({ ...event, sender: token });
    if (text !== undefined && event.type === 'completed') this.received.push(text);
  }

  /** Undefined: no response, or one that asks for another try. */
  private async request(url: string, init: RequestInit): Promise<Response | undefined> {
    try {
      const signal = AbortSignal.any([this.ending.signal, AbortSignal.timeout(RESPONSE_MS)]);
      const response = await fetch(url, { ...init, signal });
      if (response.status < 400 || response.status >= 500 || response.status === 429) return response;
      const body = await response.text();
      // An earlier request, given up here, may reach the server only now and take the place of this one.
      if (!body.includes('PGetReplaced')) this.refused.push(`${response.status} ${body}`);
      return undefined;
    } catch {
      // It was killed, or cannot reach the others.
      return undefined;
    }
  }

  private at(replica: number): string {
    return this.bases[replica % this.bases.length] ?? '';
  }
}

async function deviceOf(auth: string, base: string, user: string): Promise<Device> {
  const client = new WebClient(base, await fetchUserToken(auth, user));
  const device = new Device(client, await client.create(`cluster-${user}`));
  const { _embedded: embedded } = device.application;
  const status = await device.press(resourceHref(embedded?.['me'], 'makeMeAvailable'), {
    supportedModalities: ['Messaging'],
  });
  if (status !== 204) throw new Error(`${user} is not available: ${status}`);
  return device;
}

/** Undefined when the replica was killed while it wrote. */
async function textIn(response: Response): Promise<string> {
  return response.text().catch(() => '');
}

function packageIn(text: string): Package | undefined {
  return text === '' ? undefined : JSON.parse(text);
}
