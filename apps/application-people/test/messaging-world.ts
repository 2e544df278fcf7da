import { Inbox, shown, type SeenEvent } from './inbox.js';
import { TwoReplicas } from './two-replicas.js';
import { resourceHref, type AnyResource, type WebClient } from './web-client.js';

export const NAMES = ['alice', 'bob', 'zoe'] as const;
export type Name = (typeof NAMES)[number];

/** Invites a person and returns the URL of the invitation. */
export async function invite({ client, application }: Device, to: Name, more: object = {}): Promise<string> {
  const { _embedded: embedded } = application;
  const href = resourceHref(embedded?.['communication'], 'startMessaging');
  const response = await client.post(href, { to: userSipAddress(to), ...more });
  return locationOf(response);
}

export function userSipAddress(name: Name): string {
  return `sip:${name}@example.test`;
}

export async function locationOf(response: Response): Promise<string> {
  const text = await response.text();
  const location = response.headers.get('location');
  if (response.status !== 201 || location === null) throw new Error(`${response.status} ${text}`);
  return location;
}

/** One running client of a user, with its events. */
export class Device {
  readonly inbox: Inbox;

  constructor(
    readonly client: WebClient,
    readonly application: AnyResource,
  ) {
    this.inbox = new Inbox(client, application);
  }

  get self(): string {
    return resourceHref(this.application);
  }

  /** Posts to a link and returns the status. */
  async press(href: string, body?: unknown, headers: Record<string, string> = {}): Promise<number> {
    const response = await this.client.post(href, body, headers);
    await response.body?.cancel();
    return response.status;
  }

  /** Waits for an invitation and returns its links. */
  async invited(): Promise<AnyResource> {
    return shown(await this.inbox.until('messagingInvitation', 'started', isIncoming));
  }

  /** Waits until it can send, and returns the messaging resource. */
  async connected(): Promise<AnyResource> {
    return shown(await this.inbox.until('messaging', 'updated', (event) => shown(event)['state'] === 'Connected'));
  }

  async sendMessage(messaging: AnyResource, text: string, query = ''): Promise<string> {
    const href = resourceHref(messaging, 'sendMessage') + query;
    return locationOf(await this.client.post(href, text, { 'content-type': 'text/plain' }));
  }

  /** Waits for a message of the other side. */
  async received(text: string): Promise<SeenEvent> {
    return this.inbox.until('message', 'completed', (event) => incomingMessageText(event) === text);
  }
}

/** The text of an incoming message, decoded as bots do; undefined for other events. */
export function incomingMessageText(event: SeenEvent): string | undefined {
  if (event.link.rel !== 'message') return undefined;
  const { _links: links } = shown(event);
  const { href } = links['plainMessage'] ?? links['htmlMessage'] ?? {};
  return href === undefined ? undefined : decodeURIComponent(href.slice(href.indexOf(',') + 1).replaceAll('+', ' '));
}

function isIncoming(event: SeenEvent): boolean {
  return shown(event)['direction'] === 'Incoming';
}

/** The users who can receive messages: Alice and Zoë at the first replica, Bob at the other one. */
export class MessagingWorld {
  private readonly devices: Record<Name, Device[]> = { alice: [], bob: [], zoe: [] };
  private count = 0;

  private constructor(
    readonly replicas: TwoReplicas,
    private clients: Readonly<Record<Name, WebClient>>,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<MessagingWorld> {
    const staff = [
      { user: 'alice', name: 'Alice Archer' },
      { user: 'bob', name: 'Bob Baker' },
      { user: 'zoe', name: 'Zoë Ziegler' },
    ];
    const replicas = await TwoReplicas.start(staff, { APPLICATIONS_PER_USER: '100', ...settings });
    const [alice, bob, zoe] = await Promise.all(NAMES.map((name) => replicas.user(name)));
    if (alice === undefined || bob === undefined || zoe === undefined) throw new Error('a client is missing');
    return new MessagingWorld(replicas, { alice, bob: bob.at(replicas.other), zoe });
  }

  stop(): Promise<void> {
    return this.replicas.stop();
  }

  /** A new client of the user, who is available in it. */
  async device(name: Name, formats: readonly string[] = ['Plain']): Promise<Device> {
    const device = await this.lurker(name);
    const { _embedded: embedded } = device.application;
    const href = resourceHref(embedded?.['me'], 'makeMeAvailable');
    const available = { supportedModalities: ['Messaging'], supportedMessageFormats: formats };
    const status = await device.press(href, available);
    if (status !== 204) throw new Error(`${name} is not available: ${status}`);
    return device;
  }

  /** A new client of a user who is not available in it. */
  async lurker(name: Name): Promise<Device> {
    const client = this.clients[name];
    const device = new Device(client, await client.create(`device-${++this.count}`));
    this.devices[name].push(device);
    return device;
  }

  /** Everything stops and starts again at other addresses; clients keep their tokens. */
  async restartAll(): Promise<void> {
    await this.replicas.restartAll();
    const { alice, bob, zoe } = this.clients;
    const [{ base }] = this.replicas.replicas;
    this.clients = { alice: alice.at(base), bob: bob.at(this.replicas.other), zoe: zoe.at(base) };
  }

  /** The same client, after it has found the new address. */
  moved({ application, inbox }: Device, name: Name): Device {
    const moved = new Device(this.clients[name], application);
    moved.inbox.next = inbox.next;
    moved.inbox.events.push(...inbox.events);
    return moved;
  }

  /** Ends the clients of earlier tests, which would ring, too. */
  async signOutAll(): Promise<void> {
    for (const name of NAMES) {
      for (const { self } of this.devices[name].splice(0)) await this.clients[name].send('DELETE', self);
    }
  }

  /** Two clients whose users are in a conversation. */
  async talking(caller: Device, callee: Device, name: Name): Promise<readonly [AnyResource, AnyResource]> {
    await invite(caller, name);
    const invitation = await callee.invited();
    await callee.press(resourceHref(invitation, 'accept'));
    return [await caller.connected(), await callee.connected()];
  }
}
