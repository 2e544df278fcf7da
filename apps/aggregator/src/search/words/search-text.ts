import { filterRow, PARTY_FIELDS } from '@ringdown/call-catalogue/fields';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { normalize } from '@ringdown/linear-text';
import type { Call } from '../../calls/call.js';

/** The texts by whose parts a call is found, one in each line, as {@link foldText} writes them. */
export interface SearchText {
  /** For every operator: users are tokens. */
  readonly shown: string;
  /** For operators who see users: only the texts that are hidden from the others. */
  readonly identity: string;
}

/** Fields of a call with texts that an operator may remember or copy from somewhere. */
const FIELDS = new Set([
  'callId',
  'conversationId',
  'conferenceId',
  'conferenceUri',
  'correlationId',
  'replaces',
  'referredBy',
  'transferredTo',
  'feeds',
  'frontEnds',
  'pools',
  'uri',
  'contact',
  'displayName',
  'assertedIdentity',
  'ip',
  'hostIp',
  'reflexiveIp',
  ...PARTY_FIELDS.flatMap((field) => (filterRow(field).inTexts ? (filterRow(field).party ?? []) : [])),
  'userAgent',
  'dnsSuffix',
  'phrase',
  'meaning',
  'text',
]);
/** The host in an id may be that of a user's device; with `reveal`, the whole id is found. */
const HOST_OF_ID = new Set(['callId', 'conversationId', 'conferenceId', 'correlationId', 'replaces']);
/** Large parts of a call in which no such field is. */
const WITHOUT_TEXTS = new Set(['metrics', 'codecs', 'clocks', 'bandwidth']);
/** More than any real call has; an invented call must not fill the index. */
const TEXTS_LIMIT = 100;
const TEXT_LIMIT = 200;
const DEPTH_LIMIT = 8;
/** Every call of a feed has the same few user agents and addresses. */
const PLAIN = /^[\u0020-\u007e]*$/;

/** Without `hiding` every text is kept from operators who do not see users. */
export function searchText(call: Call, hiding?: Pick<IdentityHiding, 'field'>): SearchText {
  const [shown, identity] = [new Set<string>(), new Set<string>()];
  for (const { text, field, holder } of searchedTexts(call)) {
    const whole = text.slice(0, TEXT_LIMIT);
    const visible = hiding?.field(whole, field, holder);
    if (visible !== undefined) shown.add(foldText(HOST_OF_ID.has(field) ? (visible.split('@', 1)[0] ?? '') : visible));
    if (visible !== whole || HOST_OF_ID.has(field)) identity.add(foldText(whole));
  }
  return { shown: [...shown].join('\n'), identity: [...identity].join('\n') };
}

/**
 * The form in which texts are compared: without case and accents, and with one space in place of white space and control
 * characters.
 */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalize(text, 'NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[\p{White_Space}\p{Control}]/gu, ' ');
}

interface FoundText {
  readonly text: string;
  readonly field: string;
  readonly holder: string;
}

/** Each text of a field once, of the fields that are searched. */
function searchedTexts(call: Call): Iterable<FoundText> {
  const found = new FoundTexts();
  visit(found, call, '', '', 0);
  return found.texts;
}

class FoundTexts {
  readonly texts: FoundText[] = [];
  private readonly places = new Map<string, Map<string, number>>();

  /** Of a text that several parts of the call have, the last one counts as its holder. */
  add(text: string, field: string, holder: string): void {
    const places = this.places.get(field) ?? new Map<string, number>();
    this.places.set(field, places);
    const place = places.get(text) ?? this.texts.length;
    places.set(text, place);
    this.texts[place] = { text, field, holder };
  }
}

function visit(found: FoundTexts, value: unknown, field: string, holder: string, depth: number): void {
  if (found.texts.length >= TEXTS_LIMIT || depth > DEPTH_LIMIT) return;
  if (typeof value === 'string') {
    if (value !== '' && FIELDS.has(field)) found.add(value, field, holder);
  } else if (Array.isArray(value)) {
    for (const item of value) visit(found, item, field, holder, depth + 1);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (!WITHOUT_TEXTS.has(key)) visit(found, value[key], key, field, depth + 1);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
