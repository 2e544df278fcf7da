import { isList, propertyDate, type Embedded, type Link, type Resource } from './resource.js';

/** The JSON form: properties, `_links`, `_embedded`, `rel`, `etag`, in this order. */
export function resourceJson(resource: Resource): string {
  return resource.json?.() ?? JSON.stringify(resourceObject(resource));
}

/**
 * The JSON form of a resource that embeds a list of others, whose JSON forms are given as one text, separated by
 * commas.
 */
export function resourceJsonAround(resource: Omit<Resource, 'embedded'>, rel: string, texts: string): string {
  const { etag, ...others } = resource;
  const before = JSON.stringify(resourceObject({ ...others, withoutRel: true })).slice(0, -1);
  const end = etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`;
  return `${before},"_embedded":{${JSON.stringify(rel)}:[${texts}]},"rel":${JSON.stringify(resource.rel)}${end}}`;
}

/** The JSON form before it is serialized, to be part of another document. */
export function resourceObject(resource: Resource): object {
  // Built step by step: the response to a search contains dozens of resources, and lists of entries would use most
  // memory.
  const object: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource.properties ?? {})) {
    object[name] = typeof value === 'object' && !isList(value) ? `/Date(${propertyDate(value).getTime()})/` : value;
  }
  object['_links'] = resourceLinks(resource);
  if (resource.embedded !== undefined && resource.embedded.length > 0) {
    object['_embedded'] = embeddedObject(resource.embedded);
  }
  if (!resource.withoutRel) object['rel'] = resource.rel;
  if (resource.etag !== undefined) object['etag'] = resource.etag;
  return object;
}

function resourceLinks(resource: Resource): object {
  const links: Record<string, object | object[]> = { self: attributes(resource) };
  for (const link of resource.links ?? []) {
    const known = links[link.rel];
    if (!link.many) links[link.rel] = attributes(link);
    else if (Array.isArray(known)) known.push(attributes(link));
    else links[link.rel] = [attributes(link)];
  }
  return links;
}

function attributes({ href, title, revision }: Pick<Link, 'href' | 'title' | 'revision'>): object {
  if (title === undefined && revision === undefined) return { href };
  return { href, ...(title === undefined ? {} : { title }), ...(revision === undefined ? {} : { revision }) };
}

function embeddedObject(embedded: readonly Embedded[]): object {
  const object: Record<string, object> = {};
  for (const item of embedded) {
    object[item.rel] = item.many
      ? item.resources.map((resource) => resourceObject(resource))
      : resourceObject(item.resource);
  }
  return object;
}
