import type { VendorProfile } from '@ringdown/vendor-profile';
import { defaultProfile } from '@ringdown/vendor-profile';
import { decodeBody, readElement, type Element } from './element.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { CONNECTION_FIELDS, FieldReader } from './field-tables.js';
import { readEvents } from './read-events.js';
import { readRoute } from './read-media.js';
import { readOutcome } from './read-outcome.js';
import type { ConfigurationRequest, ConnectionInfo, DiagnosticsRecord, FeedMessage } from './record.js';
import { childNamed, childText, present, textOf, withoutAbsent } from './values.js';

export const CONFIGURATION_REQUEST_ROOT = 'GetConfiguration';

/** It is a key of stores and messages. Real ones have 32 to 80 characters; SIP sets no limit. */
export const CALL_ID_LIMIT = 512;

const connectionReader = new FieldReader<ConnectionInfo>(CONNECTION_FIELDS, ['FrontEnd', 'FrontEnds', 'Pools']);

/**
 * Reads one body of the feed: a record or a configuration request, told apart by the root element. Names are the
 * profile's or the default ones, order does not matter, what is unknown does not disturb.
 * Throws {@link FeedSyntaxError}; a record that is not refused has a CallId.
 */
export function readFeedMessage(body: Uint8Array | string, { feed }: VendorProfile): FeedMessage {
  const text = typeof body === 'string' ? body : decodeBody(body);
  const recordRoots = [feed.recordRoot, defaultProfile.feed.recordRoot];
  const root = readElement(text, new Set([...recordRoots, CONFIGURATION_REQUEST_ROOT]));
  if (!recordRoots.includes(root.name)) return { kind: 'configurationRequest', request: readRequest(root) };
  const diagnosticsNames = [...new Set([feed.diagnosticsElement, defaultProfile.feed.diagnosticsElement])];
  return { kind: 'record', record: readRecord(root, diagnosticsNames) };
}

function readRecord(root: Element, diagnosticsNames: readonly string[]): DiagnosticsRecord {
  const outcome = readOutcome(childNamed(root, 'Properties'), diagnosticsNames);
  return withoutAbsent({
    version: present(root.attributes.get('Version')),
    connection: readConnection(root),
    events: readEvents(root, diagnosticsNames),
    outcome: Object.keys(outcome).length === 0 ? undefined : outcome,
    route: readRoute(childNamed(root, 'Route')),
    rawSdp: childText(root, 'RawSDP'),
  });
}

function readConnection(root: Element): ConnectionInfo {
  const element = childNamed(root, 'ConnectionInfo');
  if (!element) throw new FeedSyntaxError('missing-call-id', 'The record has no ConnectionInfo.', root.position);
  const callId = childText(element, 'CallId');
  if (callId === undefined) {
    throw new FeedSyntaxError('missing-call-id', 'ConnectionInfo has no CallId.', element.position);
  }
  if (callId.length > CALL_ID_LIMIT) {
    throw new FeedSyntaxError(
      'bad-value',
      `The CallId is longer than ${CALL_ID_LIMIT} characters.`,
      childNamed(element, 'CallId')?.position,
    );
  }
  return withoutAbsent({
    ...connectionReader.read(element),
    callId,
    frontEnds: distinct([...texts(element, 'FrontEnd'), ...texts(element, 'FrontEnds').flatMap(listOf)]),
    pools: nonEmpty(distinct(texts(element, 'Pools').flatMap(listOf))),
    originator: present(element.attributes.get('Originator')),
  });
}

function readRequest(root: Element): ConfigurationRequest {
  return withoutAbsent({
    version: present(root.attributes.get('Version')),
    pool: childText(root, 'Pool'),
    frontEnd: childText(root, 'FrontEnd'),
    currentVersion: childText(root, 'CurrentVersion'),
  });
}

function texts(element: Element, name: string): string[] {
  return element.children.filter((child) => child.name === name).flatMap((child) => textOf(child) ?? []);
}

function listOf(commaList: string): string[] {
  return commaList.split(',').flatMap((item) => present(item) ?? []);
}

/** Host names compare case-blind; a list may repeat the same host. */
function distinct(names: readonly string[]): string[] {
  const byLowerCase = new Map<string, string>();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!byLowerCase.has(key)) byLowerCase.set(key, name);
  }
  return [...byLowerCase.values()];
}

function nonEmpty(names: string[]): string[] | undefined {
  return names.length === 0 ? undefined : names;
}
