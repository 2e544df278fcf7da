import { isList, propertyDate, type PropertyValue, type Resource } from './resource.js';
import { xmlDocument, type XmlElement } from './xml-document.js';

/**
 * The XML form: links, then properties, then embedded resources as sibling `resource` elements without a wrapper
 * (web-interface.md, section 5).
 */
export function resourceXml(resource: Resource, namespace: string): string {
  const element = resourceElement(resource);
  return xmlDocument({ ...element, attributes: { ...element.attributes, xmlns: namespace } });
}

/**
 * The XML form before it is serialized, to be part of another document. An embedded resource has no wrapper that names
 * its relation, so its `rel` contains the relation instead of its own name.
 */
export function resourceElement(resource: Resource, rel = resource.rel): XmlElement {
  const properties = Object.entries({ ...resource.properties, etag: resource.etag });
  return {
    name: 'resource',
    attributes: { rel, href: resource.href, revision: resource.revision },
    children: [
      ...(resource.links ?? []).map(({ rel, href, title, revision }) => ({
        name: 'link',
        attributes: { rel, href, title, revision },
        children: [],
      })),
      ...properties.flatMap(([name, value]) => (value === undefined ? [] : [propertyElement(name, value)])),
      ...(resource.embedded ?? []).flatMap((item) =>
        (item.many ? item.resources : [item.resource]).map((inner) => resourceElement(inner, item.rel)),
      ),
    ],
  };
}

function propertyElement(name: string, value: PropertyValue): XmlElement {
  if (isList(value)) {
    return {
      name: 'propertyList',
      attributes: { name },
      children: value.map((item) => ({ name: 'item', children: item })),
    };
  }
  return { name: 'property', attributes: { name }, children: propertyText(value) };
}

function propertyText(value: Exclude<PropertyValue, readonly string[]>): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'object') return propertyDate(value).toISOString();
  return String(value);
}
