import { isList, timeOf, type Embedded, type Link, type Properties, type Resource } from './resource.js';

/** The JSON form: properties, `_links`, `_embedded`, `rel`, `etag`, in this order. */
export function resourceJson(resource: Resource): string {
  return JSON.stringify(resourceObject(resource));
}

/** The JSON form before it is text, to stand inside another document. */
export function resourceObject(resource: Resource): object {
  const embedded = resource.embedded ?? [];
  return {
    ...withTimes(resource.properties ?? {}),
    _links: linksOf(resource),
    ...(embedded.length === 0 ? {} : { _embedded: Object.fromEntries(embedded.map((item) => embeddedEntry(item))) }),
    ...(resource.withoutRel ? {} : { rel: resource.rel }),
    ...(resource.etag === undefined ? {} : { etag: resource.etag }),
  };
}

function withTimes(properties: Properties): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      typeof value === 'object' && !isList(value) ? `/Date(${timeOf(value).getTime()})/` : value,
    ]),
  );
}

function linksOf(resource: Resource): object {
  const links = new Map<string, object | object[]>([['self', attributes(resource)]]);
  for (const link of resource.links ?? []) {
    const known = links.get(link.rel);
    if (link.many) links.set(link.rel, [...(Array.isArray(known) ? known : []), attributes(link)]);
    else links.set(link.rel, attributes(link));
  }
  return Object.fromEntries(links);
}

function attributes({ href, title, revision }: Pick<Link, 'href' | 'title' | 'revision'>): object {
  return { href, ...(title === undefined ? {} : { title }), ...(revision === undefined ? {} : { revision }) };
}

function embeddedEntry(item: Embedded): [string, object] {
  return [
    item.rel,
    item.many ? item.resources.map((resource) => resourceObject(resource)) : resourceObject(item.resource),
  ];
}
