import { resourceHref, type AnyResource, type WebClient } from './web-client.js';

/** An event as a client sees it, with its sender. */
export interface SeenEvent {
  readonly sender: string;
  readonly type: string;
  readonly link: { readonly rel: string; readonly href: string; readonly title?: string };
  readonly in?: { readonly rel: string; readonly href: string };
  readonly status?: string;
  readonly reason?: { readonly code: string; readonly subcode?: string };
  readonly _embedded?: Readonly<Record<string, AnyResource & Readonly<Record<string, unknown>>>>;
}

/** The content that an event embeds for its link; throws when it embeds none. */
export function shown({ _embedded: embedded, link }: SeenEvent): AnyResource & Readonly<Record<string, unknown>> {
  const resource = embedded?.[link.rel];
  if (resource === undefined) throw new Error(`nothing is embedded: ${JSON.stringify(link)}`);
  return resource;
}

interface Package {
  readonly _links: { readonly next?: { readonly href: string }; readonly resync?: { readonly href: string } };
  readonly sender: readonly { readonly href: string; readonly events: readonly Omit<SeenEvent, 'sender'>[] }[];
}

const POLL_LIMIT_MS = 120_000;

/** The events of one session: follows `next` whenever a test waits for an event. */
export class Inbox {
  /** Everything so far, the oldest first. */
  readonly events: SeenEvent[] = [];
  /** How many packages it has fetched. */
  packages = 0;
  /** Path of the package to request next. */
  next: string;

  constructor(
    private readonly client: WebClient,
    application: AnyResource,
  ) {
    this.next = resourceHref(application, 'events');
  }

  /** The first matching event; polls until there is one. */
  async until(rel: string, type: string, fits: (event: SeenEvent) => boolean = () => true): Promise<SeenEvent> {
    for (;;) {
      const found = this.events.find((event) => event.link.rel === rel && event.type === type && fits(event));
      if (found !== undefined) return found;
      await this.poll();
    }
  }

  /** `rel type` of all events about conversations so far, in order. */
  get summary(): readonly string[] {
    const events = this.events.filter(({ sender, link }) => !sender.endsWith('/me') && link.rel !== 'communication');
    return events.map(({ link, type, status }) => [link.rel, type, status].filter(Boolean).join(' '));
  }

  /** Fetches one package; through another replica if one is given. */
  async poll(base = this.client.base): Promise<void> {
    const response = await fetch(base + this.next, {
      headers: { authorization: `Bearer ${this.client.token}` },
      signal: AbortSignal.timeout(POLL_LIMIT_MS),
    });
    if (!response.ok) throw new Error(`no events: ${response.status} ${await response.text()}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test that reads what is not there fails
    const { _links: links, sender } = (await response.json()) as Package;
    const next = links.next?.href;
    if (next === undefined) throw new Error(`no next package: ${JSON.stringify(links)}`);
    this.next = next;
    this.packages++;
    this.events.push(...sender.flatMap(({ href, events }) => events.map((event) => ({ ...event, sender: href }))));
  }
}
