import type { IncomingMessage } from 'node:http';
import { hasUnknownCoding } from '@ringdown/node-http/requests';
import { isBatchRequest } from './batch-inlet.js';
import { FeedRefusal } from './feed-refusal.js';
import { jsonPathEnd } from './json-inlet.js';

/** `text/xml`, `application/xml`, `application/anything+xml`, in any case, with or without parameters. */
const XML_TYPE = /^\s*[\w.!#$&^-]+\/(?:[\w.!#$&^-]+\+)?xml\s*(?:;|$)/i;

export function isXmlType(contentType: string): boolean {
  return XML_TYPE.test(contentType);
}

/**
 * Rejects what can be rejected by the head alone, so that a sender that expects `100 Continue` need not send the body.
 * A body without a declared type is accepted and parsed.
 */
export function refusalByHead(request: IncomingMessage, maxBodyBytes: number): FeedRefusal | undefined {
  const { method, headers } = request;
  if (hasUnknownCoding(request)) return new FeedRefusal('unsupported-transfer-encoding');
  if (method !== 'POST') return new FeedRefusal('method-not-allowed');
  // Only browsers send it: a page of any origin could otherwise post records from a machine that may send.
  if (headers.origin !== undefined) return new FeedRefusal('origin-not-allowed');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    return new FeedRefusal('unsupported-encoding');
  const length = Number(headers['content-length'] ?? 0);
  const type = headers['content-type'];
  if (length > 0 || headers['transfer-encoding'] !== undefined) {
    const isKnown =
      type === undefined || isXmlType(type) || isBatchRequest(request) || jsonPathEnd(request) !== undefined;
    if (!isKnown) return new FeedRefusal('unsupported-media-type');
  }
  if (headers.expect !== undefined && length > maxBodyBytes) return new FeedRefusal('too-large');
  return undefined;
}

const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The origin in the sender's `Host`; undefined when it is not valid. */
export function senderOrigin(scheme: 'http' | 'https', host: string | undefined): string | undefined {
  return host !== undefined && HOST.test(host) ? `${scheme}://${host}` : undefined;
}

/** Where a sender that requested `path` posts records: the same sender root (diagnostics-feed.md, 1). */
export function recordsUrl(origin: string | undefined, path: string): string | undefined {
  if (origin === undefined || !URL.canParse(path, origin)) return undefined;
  const { pathname } = new URL(path, origin);
  // A trailing slash belongs to the last part.
  const lastPart = pathname.lastIndexOf('/', pathname.length - 2) + 1;
  return new URL(`${pathname.slice(0, lastPart)}RequestMessage`, origin).href;
}
