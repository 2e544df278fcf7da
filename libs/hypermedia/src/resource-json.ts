import type { Embedded, Link, Resource } from './resource.js';

/** The JSON form: properties, `_links`, `_embedded`, `rel`, in this order. */
export function resourceJson(resource: Resource): string {
  return JSON.stringify(plain(resource));
}

function plain(resource: Resource): object {
  const embedded = resource.embedded ?? [];
  return {
    ...resource.properties,
    _links: linksOf(resource),
    ...(embedded.length === 0 ? {} : { _embedded: Object.fromEntries(embedded.map((item) => embeddedEntry(item))) }),
    ...(resource.withoutRel ? {} : { rel: resource.rel }),
  };
}

function linksOf(resource: Resource): object {
  const links = new Map<string, object | object[]>([['self', { href: resource.href }]]);
  for (const link of resource.links ?? []) {
    const known = links.get(link.rel);
    if (link.many) links.set(link.rel, [...(Array.isArray(known) ? known : []), attributes(link)]);
    else links.set(link.rel, attributes(link));
  }
  return Object.fromEntries(links);
}

function attributes({ href, revision }: Link): object {
  return revision === undefined ? { href } : { href, revision };
}

function embeddedEntry(item: Embedded): [string, object] {
  return [item.rel, item.many ? item.resources.map((resource) => plain(resource)) : plain(item.resource)];
}
