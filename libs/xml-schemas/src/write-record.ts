import type { VendorProfile } from '@ringdown/vendor-profile';
import { buildXml, element, optionalElement, type XmlNode } from './build-xml.js';
import { CONNECTION_FIELDS } from './field-tables.js';
import type { ConnectionInfo, DiagnosticsRecord } from './record.js';
import { writeEvent } from './write-events.js';
import { furtherTree, takeChild } from './write-further.js';
import {
  container,
  optionalContainer,
  writeFields,
  writeOutcome,
  writeRoute,
  writtenFields,
  type WritingStyle,
} from './write-parts.js';

const CONNECTION = writtenFields(CONNECTION_FIELDS);

/**
 * The record as a sender of the profile's vendor posts it, in the form of its version: 1.0 (also when it has none), or
 * that of A, C and D. What `readFeedMessage` reads from it equals `record`.
 */
export function writeRecord(record: DiagnosticsRecord, { feed }: VendorProfile): string {
  const { version, connection, events, outcome, route, rawSdp } = record;
  const style: WritingStyle = {
    firstVersion: version === undefined || version === '1.0',
    diagnosticsElement: feed.diagnosticsElement,
  };
  const further = furtherTree(record.further);
  const furtherProperties = takeChild(further, 'Properties');
  const furtherRoute = takeChild(further, 'Route');
  const children = [
    writeConnection(connection, style),
    ...events.map((event) => writeEvent(event, style)),
    ...writeRoute(route, furtherRoute),
    ...optionalContainer('Properties', outcome ? writeOutcome(outcome, style, false) : [], furtherProperties),
    ...optionalElement('RawSDP', rawSdp),
  ];
  return buildXml(container(feed.recordRoot, children, further, { Version: version }));
}

function writeConnection(connection: ConnectionInfo, style: WritingStyle): XmlNode {
  const { frontEnds, pools = [], originator } = connection;
  const fields = writeFields(connection, CONNECTION, style);
  const known = style.firstVersion
    ? [...frontEnds.map((name) => element('FrontEnd', name)), ...fields]
    : [...fields, ...commaList('FrontEnds', frontEnds)];
  const children = [...known, ...commaList('Pools', pools)];
  return container('ConnectionInfo', children, furtherTree(connection.further), { Originator: originator });
}

function commaList(name: string, items: readonly string[]): XmlNode[] {
  return items.length === 0 ? [] : [element(name, items.join(','))];
}
