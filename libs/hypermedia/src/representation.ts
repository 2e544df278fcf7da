import { Fault } from '@ringdown/web-server/errors';
import type { WebNames } from '@ringdown/vendor-profile';
import { negotiate } from './negotiate.js';
import type { Resource } from './resource.js';
import { resourceJson } from './resource-json.js';
import { resourceXml } from './resource-xml.js';

/** A serialized resource with its `Content-Type`. */
export interface Representation {
  readonly contentType: string;
  readonly body: string;
}

/** Media types of the interface; the first is the default. The last is an old name of XML. */
export function mediaTypes(web: WebNames): readonly string[] {
  return ['application/json', `${web.mediaType}+json`, 'application/xml', `${web.mediaType}+xml`, 'text/xml'];
}

/**
 * The format that the client wants. To be called before any change, so that a request whose response cannot be sent has
 * no effect. Throws {@link Fault} `not-acceptable`.
 */
export function acceptedType(accept: string | undefined, web: WebNames): string {
  const known = decidedTypes(web);
  const type = known.get(accept) ?? negotiate(accept, mediaTypes(web));
  if (type === undefined)
    throw new Fault('not-acceptable', { message: `Supported media types: ${mediaTypes(web).join(', ')}.` });
  if (known.size < MAX_DECIDED && (accept ?? '').length < MAX_ACCEPT) known.set(accept, type);
  return type;
}

/** Clients send a handful of different headers. */
const MAX_DECIDED = 200;
/** Longer headers, in characters, are decided each time. */
const MAX_ACCEPT = 200;
/** The types for headers that were sent before. */
const decided = new WeakMap<WebNames, Map<string | undefined, string>>();

function decidedTypes(web: WebNames): Map<string | undefined, string> {
  const known = decided.get(web) ?? new Map<string | undefined, string>();
  if (known.size === 0) decided.set(web, known);
  return known;
}

/** JSON is sent without a charset, because some clients compare the whole value (web-interface.md, section 9). */
export function represent(resource: Resource, mediaType: string, web: WebNames): Representation {
  if (isXml(mediaType)) {
    return { contentType: `${mediaType}; charset=utf-8`, body: resourceXml(resource, web.xmlNamespace) };
  }
  return { contentType: mediaType, body: resourceJson(resource) };
}

export function isXml(mediaType: string): boolean {
  return mediaType.endsWith('xml');
}

/** Writes resources for many clients, each in the requested format. */
export class ResourceWriter {
  constructor(readonly web: WebNames) {}

  /** Throws {@link Fault} `not-acceptable` at once; the returned function writes the resource when it is available. */
  for(accept: string | undefined): (resource: Resource) => Representation {
    const mediaType = acceptedType(accept, this.web);
    return (resource) => represent(resource, mediaType, this.web);
  }
}
