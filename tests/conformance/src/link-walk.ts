import { header, json, answerMediaType, type Answer } from './answer.js';
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
  /** Names of all resources that were seen: links, embedded resources, and what they call themselves. */
  readonly names: ReadonlySet<string>;
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
  const names = new Set<string>();
  const dead: string[] = [];
  for (const link of queue) {
    rels.add(link.rel);
    if (seen.has(link.href) || link.href.startsWith('data:')) continue;
    seen.add(link.href);
    if (seen.size > MAX_LINKS) throw new Error(`more than ${MAX_LINKS} links, the last of them ${link.href}`);
    const { fault, links, named = [] } = await follow(client, token, link);
    queue.push(...links);
    for (const name of named) names.add(name);
    if (fault !== undefined) dead.push(`${link.rel} of ${link.from}, ${link.href}: ${fault}`);
  }
  return { rels, names: names.union(rels), dead };
}

interface Followed {
  readonly fault?: string;
  readonly links: readonly FoundLink[];
  readonly named?: readonly string[];
}

async function follow(client: WebClient, token: string, { rel, href }: FoundLink): Promise<Followed> {
  if (!/^\/(?!\/)/.test(href)) return { fault: 'it is not relative', links: [] };
  // Only a HEAD request for events: a poll would wait for some. A search needs a query.
  const url = rel === 'search' && !href.includes('?') ? `${href}?query=a` : href;
  const answer = await client.send({ method: rel === 'events' ? 'HEAD' : 'GET', url, token });
  if (answer.status !== 200) return { ...linkFault(rel, answer), links: [] };
  if (!answerMediaType(answer).endsWith('json') || answer.body === '') return { links: [] };
  const links = linksIn(json(answer), href);
  const named = namesIn(json(answer));
  const xml = await client.send({ url, token, headers: { accept: 'application/xml' } });
  const shown = new Set(hrefsInXml(readXml(xml.body)));
  const onlyInJson = links.find((link) => link.rel !== 'self' && !shown.has(link.href));
  return { ...(onlyInJson === undefined ? {} : { fault: `XML does not show ${onlyInJson.rel}` }), links, named };
}

/** Some links only accept POST. */
function linkFault(rel: string, answer: Answer): { fault?: string } {
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

/** The names of the links and embedded resources in a resource or an event, and what resources call themselves. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'rel' && typeof inner === 'string') return [inner];
    const own = key === '_embedded' || key === '_links' ? Object.keys(Object(inner)) : [];
    return [...own, ...namesIn(inner)];
  });
}

function hrefsInXml(element: XmlElement): readonly string[] {
  const { href } = element.attributes;
  const inner = [...children(element, 'link'), ...children(element, 'resource')];
  return [...(href === undefined ? [] : [href]), ...inner.flatMap((each) => hrefsInXml(each))];
}
