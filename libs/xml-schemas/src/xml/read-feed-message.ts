import type { VendorProfile } from '@ringdown/vendor-profile';
import type { ConfigurationRequest, FeedMessage } from '../model/feed-message.js';
import { CONNECTION_FIELDS } from '../model/field-tables.js';
import type { ConnectionInfo, DiagnosticsRecord, RecordEvent } from '../model/record.js';
import { TEXT_LIMITS } from '../model/text-limits.js';
import { present, withoutAbsent } from '../model/values.js';
import { childText, type Element, joinedElement, trimmedElementText } from './element.js';
import { KIND_OF_ELEMENT } from './event-elements.js';
import { ExtensionCollector, ReadingBudget } from './extension-collector.js';
import { FeedSyntaxError } from './feed-syntax-error.js';
import { type FeedVocabulary, vocabularyOf } from './feed-vocabulary.js';
import { FieldReader } from './field-reader.js';
import { decodeBody, readElement } from './read-element.js';
import { readEvent } from './read-events.js';
import { readRoute } from './read-media.js';
import { readOutcome } from './read-outcome.js';

/** Length of the name of a front end or pool. They are host names, which have at most 253 characters. */
export const NAME_LIMIT = TEXT_LIMITS.host.characters;
/** How many front ends, and how many pools, one record may name. */
export const NAMES_LIMIT = 64;

const connectionReader = new FieldReader<ConnectionInfo>(CONNECTION_FIELDS, {
  children: ['FrontEnd', 'FrontEnds', 'Pools'],
  attribute: 'Originator',
});

/**
 * Reads one body of the feed: a record or a configuration request, distinguished by the root element. Accepts the names
 * of the profile and the default ones in any order; unknown content is kept and causes no error.
 * Throws {@link FeedSyntaxError}; an accepted record has a CallId.
 */
export function readFeedMessage(body: Uint8Array | string, profile: VendorProfile): FeedMessage {
  const text = typeof body === 'string' ? body : decodeBody(body);
  const vocabulary = vocabularyOf(profile);
  const root = readElement(text, vocabulary.roots);
  if (vocabulary.recordRoots.has(root.name)) return { kind: 'record', record: readRecord(root, vocabulary) };
  return { kind: 'configurationRequest', request: readRequest(root) };
}

function readRecord(root: Element, vocabulary: FeedVocabulary): DiagnosticsRecord {
  const budget = new ReadingBudget();
  const reading = { vocabulary, budget };
  const extensions = new ExtensionCollector(budget);
  let header: Element | undefined;
  const events: RecordEvent[] = [];
  const allProperties: Element[] = [];
  const routes: Element[] = [];
  let rawSdp: string | undefined;
  for (const child of root.children) {
    const kind = KIND_OF_ELEMENT.get(child.name);
    if (kind !== undefined) {
      events.push(readEvent(kind, child, reading));
    } else if (child.name === 'ConnectionInfo' && header === undefined) {
      header = child;
    } else if (child.name === 'Properties') {
      allProperties.push(child);
    } else if (child.name === 'Route') {
      routes.push(child);
    } else if (child.name === 'RawSDP' && rawSdp === undefined) {
      rawSdp = budget.cut.within(trimmedElementText(child), 'sdp', child);
      extensions.addAllExceptText(child);
    } else {
      extensions.add(child);
    }
  }
  const properties = joinedElement(allProperties);
  const route = joinedElement(routes);
  const connection = readConnection(root, header, budget);
  extensions.addAttributes(root, 'Version');
  if (properties) extensions.addAttributes(properties, undefined, properties.name);
  const outcome = readOutcome(properties, vocabulary, extensions, budget.cut);
  return withoutAbsent({
    version: budget.cut.within(present(root.attributes.get('Version')), 'word', root, `${root.name}@Version`),
    connection,
    events,
    outcome: Object.keys(outcome).length === 0 ? undefined : outcome,
    route: route && readRoute(route, extensions, budget.cut),
    rawSdp,
    further: extensions.result(),
    cut: budget.cut.list,
  });
}

function readConnection(root: Element, element: Element | undefined, budget: ReadingBudget): ConnectionInfo {
  if (!element) throw new FeedSyntaxError('missing-call-id', 'The record has no ConnectionInfo.', root.position);
  const fields = connectionReader.read(element, budget);
  const { callId } = fields;
  if (callId === undefined) {
    throw new FeedSyntaxError('missing-call-id', 'ConnectionInfo has no CallId.', element.position);
  }
  const originator = present(element.attributes.get('Originator'));
  const frontEnds = new NameList();
  const pools = new NameList();
  for (const child of element.children) {
    if (child.name === 'FrontEnd') frontEnds.add([child.text], child);
    else if (child.name === 'FrontEnds') frontEnds.add(child.text.split(','), child);
    else if (child.name === 'Pools') pools.add(child.text.split(','), child);
  }
  return withoutAbsent({
    ...fields,
    callId,
    frontEnds: frontEnds.names,
    pools: pools.names.length === 0 ? undefined : pools.names,
    originator: budget.cut.within(originator, 'identifier', element, 'ConnectionInfo@Originator'),
  });
}

/** Host names are compared without regard to case; a list may repeat the same host. */
class NameList {
  private readonly byLowerCase = new Map<string, string>();

  get names(): string[] {
    return [...this.byLowerCase.values()];
  }

  add(names: readonly string[], element: Element): void {
    for (const written of names) {
      const name = present(written);
      const key = name?.toLowerCase();
      if (name === undefined || key === undefined || this.byLowerCase.has(key)) continue;
      assertNameLength(name, element);
      this.byLowerCase.set(key, name);
      if (this.byLowerCase.size > NAMES_LIMIT) {
        const reason = `${element.name} makes more than ${NAMES_LIMIT} names.`;
        throw new FeedSyntaxError('bad-value', reason, element.position);
      }
    }
  }
}

/** Limited, because senders choose the names, which are stored as keys and rows for a long time. */
function assertNameLength(name: string, element: Element): void {
  if (name.length <= NAME_LIMIT) return;
  const reason = `A name in ${element.name} is longer than ${NAME_LIMIT} characters.`;
  throw new FeedSyntaxError('bad-value', reason, element.position);
}

function readRequest(root: Element): ConfigurationRequest {
  for (const child of root.children) assertNameLength(child.text.trim(), child);
  return withoutAbsent({
    version: present(root.attributes.get('Version')),
    pool: childText(root, 'Pool'),
    frontEnd: childText(root, 'FrontEnd'),
    currentVersion: childText(root, 'CurrentVersion'),
  });
}
