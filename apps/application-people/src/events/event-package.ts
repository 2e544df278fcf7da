import {
  isXml,
  queryString,
  resourceElement,
  resourceObject,
  xmlDocument,
  type LinkBuilder,
  type Representation,
  type XmlElement,
} from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import { expanded } from './people-event.js';
import type { EventLink, SessionEvent } from './session-event.js';

/** The response to a poll (web-interface.md, section 7). */
export interface EventAnswer {
  /** Left out when the client has no current package. */
  readonly self?: string;
  /** In the order in which they are shown. */
  readonly links: readonly { readonly rel: 'next' | 'resume' | 'resync'; readonly href: string }[];
  readonly events: readonly SessionEvent[];
}

/** URLs of the packages of one channel. The query is never empty, because clients append `&low=…` to it. */
export class PackageLinks {
  constructor(
    private readonly links: LinkBuilder,
    private readonly applicationId: string,
    private readonly instance: string | null,
  ) {}

  package(number: number): string {
    const query = queryString({ ack: number, instanceId: this.instance ?? undefined });
    return this.links.application(this.applicationId, 'events') + query;
  }
}

export function representEvents(answer: EventAnswer, mediaType: string, web: WebNames): Representation {
  if (isXml(mediaType)) {
    return { contentType: `${mediaType}; charset=utf-8`, body: xmlDocument(eventsElement(answer, web.xmlNamespace)) };
  }
  return { contentType: mediaType, body: JSON.stringify(eventsObject(answer)) };
}

interface Block {
  readonly sender: SessionEvent['sender'];
  readonly events: SessionEvent[];
}

/** One block for consecutive events of the same sender: the order of events has a meaning. */
function blocksOf(events: readonly SessionEvent[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const event of expanded(events)) {
    const last = blocks.at(-1);
    if (last?.sender.href === event.sender.href) last.events.push(event);
    else blocks.push({ sender: event.sender, events: [event] });
  }
  return blocks;
}

/** `sender` is there even without events: bots index it. */
function eventsObject({ self, links, events }: EventAnswer): object {
  return {
    _links: {
      ...(self === undefined ? {} : { self: { href: self } }),
      ...Object.fromEntries(links.map(({ rel, href }) => [rel, { href }])),
    },
    sender: blocksOf(events).map(({ sender, events: sent }) => ({
      rel: sender.rel,
      href: sender.href,
      events: sent.map((event) => eventObject(event)),
    })),
  };
}

/**
 * An embedded resource is under the relation of the link, even if its own relation is different: clients read it there
 * without a check.
 */
function eventObject({ link, in: collection, embedded, status, reason, type }: SessionEvent): object {
  return {
    link,
    ...(collection === undefined ? {} : { in: collection }),
    ...(embedded === undefined ? {} : { _embedded: { [link.rel]: resourceObject(embedded) } }),
    ...(status === undefined ? {} : { status }),
    ...(reason === undefined ? {} : { reason }),
    type,
  };
}

/** The form of `in`, `status` and `reason` is our own, since no source shows one (web-interface.md, section 15). */
function eventsElement({ self, links, events }: EventAnswer, xmlns: string): XmlElement {
  const shown = links.map(({ rel, href }) => ({ name: 'link', attributes: { rel, href }, children: [] }));
  const senders = blocksOf(events).map(({ sender, events: sent }) => ({
    name: 'sender',
    attributes: { rel: sender.rel, href: sender.href },
    children: sent.map((event) => eventElement(event)),
  }));
  return { name: 'events', attributes: { href: self, xmlns }, children: [...shown, ...senders] };
}

function eventElement({ link, in: collection, embedded, status, reason, type }: SessionEvent): XmlElement {
  const children: XmlElement[] = [];
  if (collection !== undefined)
    children.push({ name: 'in', attributes: eventLinkAttributes(collection), children: [] });
  if (embedded !== undefined) children.push(resourceElement(embedded, link.rel));
  if (reason !== undefined) {
    const { code, subcode } = reason;
    const parts = [{ name: 'code', children: code }];
    if (subcode !== undefined) parts.push({ name: 'subcode', children: subcode });
    children.push({ name: 'reason', children: parts });
  }
  return { name: type, attributes: { ...eventLinkAttributes(link), status }, children };
}

function eventLinkAttributes({ rel, href, title }: EventLink): Record<string, string | undefined> {
  return { rel, href, title };
}
