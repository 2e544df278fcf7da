import { Fault } from '@ringdown/web-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { negotiate } from './negotiate.js';
import type { Resource } from './resource.js';
import { resourceJson } from './resource-json.js';
import { resourceXml } from './resource-xml.js';

/** Something written down, with the value of `Content-Type` that tells how. */
export interface Representation {
  readonly contentType: string;
  readonly body: string;
}

/** Media types of the interface, the first for a client that does not care. The last is an old name of XML. */
export function mediaTypes(web: WebNames): readonly string[] {
  return ['application/json', `${web.mediaType}+json`, 'application/xml', `${web.mediaType}+xml`, 'text/xml'];
}

/**
 * How the client wants its answer. Ask before doing anything that lasts, so that a request whose answer cannot be
 * given changes nothing. Throws {@link Fault} `not-acceptable`.
 */
export function acceptedType(accept: string | undefined, web: WebNames): string {
  const offers = mediaTypes(web);
  const type = negotiate(accept, offers);
  if (type === undefined) throw new Fault('not-acceptable', { message: `Served here: ${offers.join(', ')}.` });
  return type;
}

/** JSON goes without a charset, as some clients compare the whole value (web-interface.md, section 9). */
export function represent(resource: Resource, mediaType: string, web: WebNames): Representation {
  if (isXml(mediaType)) {
    return { contentType: `${mediaType}; charset=utf-8`, body: resourceXml(resource, web.xmlNamespace) };
  }
  return { contentType: mediaType, body: resourceJson(resource) };
}

export function isXml(mediaType: string): boolean {
  return mediaType.endsWith('xml');
}

/** Writes resources for one client after another, each in the form that it asked for. */
export class ResourceWriter {
  constructor(readonly web: WebNames) {}

  /** Throws {@link Fault} `not-acceptable` at once; what it returns writes the resource once there is one. */
  for(accept: string | undefined): (resource: Resource) => Representation {
    const mediaType = acceptedType(accept, this.web);
    return (resource) => represent(resource, mediaType, this.web);
  }
}
