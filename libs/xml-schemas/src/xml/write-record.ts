import type { VendorProfile } from '@ringdown/vendor-profile';
import { CONNECTION_FIELDS } from '../model/field-tables.js';
import type { ConnectionInfo, DiagnosticsRecord } from '../model/record.js';
import { schemaVersion } from '../model/schema-version.js';
import { buildXml, element, optionalElement, type XmlNode } from './build-xml.js';
import { writeEvent } from './write-events.js';
import { extensionTree, detachChild } from './write-extensions.js';
import {
  container,
  optionalContainer,
  writeFields,
  writeOutcome,
  writeRoute,
  type WritingStyle,
  writtenFields,
} from './write-parts.js';

const CONNECTION = writtenFields(CONNECTION_FIELDS);

/**
 * The record as a sender of the profile's vendor posts it, in the format of its version: that of 1.0, or that of A, C
 * and D. What `readFeedMessage` reads from it equals `record`.
 */
export function writeRecord(record: DiagnosticsRecord, { feed }: VendorProfile): string {
  const { version, connection, events, outcome, route, rawSdp } = record;
  const style: WritingStyle = {
    firstVersion: schemaVersion(record) === '1.0',
    diagnosticsElement: feed.diagnosticsElement,
  };
  const extensions = extensionTree(record.further);
  const propertyExtensions = detachChild(extensions, 'Properties');
  const routeExtensions = detachChild(extensions, 'Route');
  const children = [
    writeConnection(connection, style),
    ...events.map((event) => writeEvent(event, style)),
    ...writeRoute(route, routeExtensions),
    ...optionalContainer('Properties', outcome ? writeOutcome(outcome, style, false) : [], propertyExtensions),
    ...optionalElement('RawSDP', rawSdp),
  ];
  return buildXml(container(feed.recordRoot, children, extensions, { Version: version }));
}

function writeConnection(connection: ConnectionInfo, style: WritingStyle): XmlNode {
  const { frontEnds, pools = [], originator } = connection;
  const fields = writeFields(connection, CONNECTION, style);
  const known = style.firstVersion
    ? [...frontEnds.map((name) => element('FrontEnd', name)), ...fields]
    : [...fields, ...commaList('FrontEnds', frontEnds)];
  const children = [...known, ...commaList('Pools', pools)];
  return container('ConnectionInfo', children, extensionTree(connection.further), { Originator: originator });
}

function commaList(name: string, items: readonly string[]): XmlNode[] {
  return items.length === 0 ? [] : [element(name, items.join(','))];
}
