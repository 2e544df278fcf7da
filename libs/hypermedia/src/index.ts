export { LinkBuilder, pathSegment, queryString, type LinkBuilderOptions } from './links.js';
export { negotiate } from './negotiate.js';
export { reasons, reasonStyle } from './reason.js';
export { acceptedType, isXml, mediaTypes, represent, ResourceWriter, type Representation } from './representation.js';
export type { Embedded, Link, Properties, PropertyValue, Resource } from './resource.js';
export { resourceJson, resourceJsonAround, resourceObject } from './resource-json.js';
export { resourceElement, resourceXml } from './resource-xml.js';
export { xmlDocument, type XmlElement } from './xml-document.js';
