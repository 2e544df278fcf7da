import { header, json, mediaTypeOf, type Answer } from './answer.js';
import { children, readXml, type XmlElement } from './xml.js';
import type { WebClient } from './web-client.js';

interface FoundLink {
  readonly rel: string;
  readonly href: string;
  /** The resource that contains the link. */
  readonly from: string;
}

export interface Walked {
  /** Relations that were followed. */
  readonly rels: ReadonlySet<string>;
  /** Broken links, each with the reason. */
  readonly dead: readonly string[];
}

/** Links to resources that a person may not have, which are then answered with 404. */
const MAY_BE_MISSING = new Set(['photo', 'contactPhoto']);
/** More than any application has; a walk that exceeds this is in a loop. */
const MAX_LINKS = 2_000;

/** Follows every link of a resource, and of every resource that is reached from it, in JSON and in XML. */
export async function walkLinks(client: WebClient, token: string, start: string): Promise<Walked> {
  const queue: FoundLink[] = [{ rel: 'self', href: start, from: 'the start' }];
  const seen = new Set<string>();
  const rels = new Set<string>();
  const dead: string[] = [];
  for (const link of queue) {
    rels.add(link.rel);
    if (seen.has(link.href) || link.href.startsWith('data:')) continue;
    seen.add(link.href);
    if (seen.size > MAX_LINKS) throw new Error(`more than ${MAX_LINKS} links, the last of them ${link.href}`);
    const { fault, links } = await follow(client, token, link);
    queue.push(...links);
    if (fault !== undefined) dead.push(`${link.rel} of ${link.from}, ${link.href}: ${fault}`);
  }
  return { rels, dead };
}

interface Followed {
  readonly fault?: string;
  readonly links: readonly FoundLink[];
}

async function follow(client: WebClient, token: string, { rel, href }: FoundLink): Promise<Followed> {
  if (!/^\/(?!\/)/.test(href)) return { fault: 'it is not relative', links: [] };
  // Only a HEAD request for events: a poll would wait for some. A search needs a query.
  const url = rel === 'search' && !href.includes('?') ? `${href}?query=a` : href;
  const answer = await client.send({ method: rel === 'events' ? 'HEAD' : 'GET', url, token });
  if (answer.status !== 200) return { ...faultOf(rel, answer), links: [] };
  if (!mediaTypeOf(answer).endsWith('json') || answer.body === '') return { links: [] };
  const links = linksIn(json(answer), href);
  const xml = await client.send({ url, token, headers: { accept: 'application/xml' } });
  const shown = new Set(hrefsInXml(readXml(xml.body)));
  const onlyInJson = links.find((link) => link.rel !== 'self' && !shown.has(link.href));
  return { ...(onlyInJson === undefined ? {} : { fault: `XML does not show ${onlyInJson.rel}` }), links };
}

/** Some links only accept POST. */
function faultOf(rel: string, answer: Answer): { fault?: string } {
  if (answer.status === 405 && /\b(POST|PUT|DELETE)\b/.test(header(answer, 'allow') ?? '')) return {};
  if (answer.status === 404 && MAY_BE_MISSING.has(rel)) return {};
  return { fault: `${answer.status} ${answer.body.slice(0, 200)}` };
}

/** With their relations, which are the keys around them in JSON. */
function linksIn(value: unknown, from: string, rel = ''): readonly FoundLink[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => linksIn(item, from, rel));
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'href' && typeof inner === 'string' ? [{ rel, href: inner, from }] : linksIn(inner, from, key),
  );
}

function hrefsInXml(element: XmlElement): readonly string[] {
  const { href } = element.attributes;
  const inner = [...children(element, 'link'), ...children(element, 'resource')];
  return [...(href === undefined ? [] : [href]), ...inner.flatMap((each) => hrefsInXml(each))];
}
