import { CONNECTION_ROWS, ENDPOINT_ROWS, type FieldHiding, type FieldRow } from '@ringdown/call-catalogue/fields';
import { CALL_FILTERS } from '@ringdown/call-catalogue/filters';
import { isKnownMetric, metricRow, type TextHiding } from '@ringdown/call-catalogue/metrics';
import { hideAddress } from './hide-address.js';
import { hideCallId, isShownCallId } from './hide-call-id.js';
import { hideCertificateSubject } from './hide-certificate-subject.js';
import { hideInDiagnostics, hideValue, isKnownKey } from './hide-diagnostics.js';
import { hideRawSdp } from './hide-sip-message.js';
import { hideText } from './hide-text.js';
import { hideUnknownWords, hiddenMark, type ShownWords } from './hide-unknown-words.js';
import { ELEMENT_NAMES } from './known-names.js';
import { MEDIA_WORDS, PHRASE_WORDS, PRODUCT_WORDS } from './known-words.js';
import { isAddress, isHost, isMachineId, isMark, isSubnet, isTime, isUpload, isVersion } from './shapes.js';
import type { UserToken } from './user-token.js';

/** How the text of one field is hidden. */
export interface FieldRule {
  readonly name: string;
  readonly hide: (text: string, token: UserToken) => string;
  /** Whether the text is shown unchanged. */
  readonly isShown?: (text: string) => boolean;
  /** The limit in characters, if it is higher than for other texts. */
  readonly characters?: number;
}

/** The longest texts are descriptions of media; real ones with several offers have half of this length. */
const SDP_CHARACTERS = 16_384;

/** Texts written by Ringdown itself. */
const own: FieldRule = { name: 'own', isShown: () => true, hide: hiddenMark };
const nothing = shaped('nothing', isMark);
const address: FieldRule = { name: 'address', hide: hideAddress };
const sdp: FieldRule = { name: 'sdp', hide: hideRawSdp, characters: SDP_CHARACTERS };
const diagnostics: FieldRule = { name: 'diagnostics', hide: hideInDiagnostics };
const product = words('product', { known: PRODUCT_WORDS, numbers: 'versions' });
const codec = words('codec', { known: MEDIA_WORDS, numbers: 'short' });
const routed = text('routed', { known: PHRASE_WORDS, numbers: 'short' });
const machineId = shaped('machineId', isMachineId);
const callId: FieldRule = { name: 'callId', isShown: isShownCallId, hide: hideCallId };
const certificateSubject: FieldRule = { name: 'certificateSubject', hide: hideCertificateSubject };
const host = shaped('host', isHost);
const ip = shaped('ip', isAddress);
/** A machine that a text of diagnostics may name, where a single word may be a person. */
const server = shaped('server', (text) => /[.\d]/.test(text) && isHost(text));
/** The name of a machine, or the subject of the certificate of one that does not name itself. */
const feed: FieldRule = {
  name: 'feed',
  hide: (all, token) => (all.includes('=') ? hideCertificateSubject(all, token) : host.hide(all, token)),
  isShown: (all) => host.isShown?.(all) === true || isUpload(all),
};
const time = shaped('time', isTime);
const subnet = shaped('subnet', isSubnet);
const flag = shaped('flag', (value) => value === 'true' || value === 'false');

/**
 * Free text, and everything without a rule of its own: addresses with tokens, known words, and marks for all others.
 */
const freeText = text('text', { known: PHRASE_WORDS, numbers: 'none' });

/** Numbers are shown; a text in the place of one is free text. */
const BY_HIDING: Readonly<Record<FieldHiding, FieldRule>> = {
  address,
  callId,
  flag,
  host,
  ip,
  machineId,
  nothing,
  number: freeText,
  product,
  subnet,
  text: freeText,
  time,
};

function byHiding(rows: readonly FieldRow[]): Record<string, FieldRule> {
  return Object.fromEntries(rows.map(({ field, hiding }) => [field, BY_HIDING[hiding]]));
}

/** Keys of diagnostics texts: an unknown key may itself contain a name. */
export const diagnosticsKey: FieldRule = { name: 'key', isShown: isKnownKey, hide: hiddenMark };
/** Steps of the path to an element. */
export const elementName = shaped('element', (step) => {
  return ELEMENT_NAMES.has(step.toLowerCase()) || isKnownMetric(step) || /^\d{1,4}$/.test(step);
});
export const metricName = shaped('metric', isKnownMetric);
/** For values about which nothing is known. */
export const unknownValue: FieldRule = { name: 'unknown', hide: hiddenMark };

/** For the value of a key, as in diagnostics texts. */
export function keyValueRule(key: string): FieldRule {
  return { name: `value of ${key}`, hide: (value, token) => hideValue(key, value, token) };
}

const METRIC_TEXTS: Readonly<Record<TextHiding, FieldRule>> = { product, codec };

/** For a text in a metric; of a metric that is not known, nothing is shown. */
export function metricText(metric: string): FieldRule {
  const row = metricRow(metric);
  return row === undefined ? unknownValue : METRIC_TEXTS[row.hiding];
}

/** For the value of an element without a field of its own. */
export function extensionValue(name: string, value: string): FieldRule {
  return value.startsWith('v=0') ? sdp : keyValueRule(name);
}

function text(name: string, shown: ShownWords): FieldRule {
  return { name, hide: (all, token) => hideText(all, shown, token) };
}

function words(name: string, shown: ShownWords): FieldRule {
  return { name, hide: (all, token) => hideUnknownWords(all, shown, token) };
}

function shaped(name: string, fits: (text: string) => boolean): FieldRule {
  return { name, isShown: (all) => fits(all) || isMark(all), hide: hiddenMark };
}

/** Dimensions of statistics and alerts whose values are words of ours, and not in records under these names. */
const OWN_WORDS = Object.fromEntries(
  (['audio', 'cause'] as const).map((field) => {
    const values: readonly string[] = CALL_FILTERS[field].values;
    return [field, shaped('word', (text) => values.includes(text))];
  }),
);

/**
 * By the field that contains it, if the name alone is ambiguous, and the name of the field (docs/records.md, "What is
 * shown").
 */
const RULES: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  '': {
    ...each(
      own,
      'kind kinds state endReason verdict coverage senderVerdict ownVerdict clock metric unit level thresholdFrom profile withheld changed by uploader recordId assumedZero code',
    ),
    ...each(
      own,
      'beganAt invitedAt startedAt endedAt at receivedAt sentAt reportedAt firstReceivedAt lastReceivedAt settlesAt',
    ),
    ...each(callId, 'callIds replaces'),
    ...byHiding([...ENDPOINT_ROWS, ...CONNECTION_ROWS]),
    ...each(machineId, 'originator originators reporters'),
    ...each(host, 'pool pools'),
    ...each(server, 'hop refusedBy'),
    ...OWN_WORDS,
    ...each(ip, 'remoteAddress address'),
    ...each(address, 'from to parties transferredTo'),
    ...each(product, 'driver device captureDevice captureDeviceDriver renderDevice renderDeviceDriver'),
    ...each(sdp, 'rawSdp'),
    dscp: shaped('number', (digits) => /^\d{1,9}$/.test(digits)),
    // Dimensions of statistics and alerts: records have them as numbers.
    ...each(
      shaped('code', (digits) => /^-?\d{1,16}$/.test(digits)),
      'endCode errorCode diagnosticsCode',
    ),
    ...each(feed, 'frontEnd frontEnds feed feeds'),
    certificateSubject,
    via: routed,
    codec,
    ...each(shaped('version', isVersion), 'version versions'),
  },
  codecs: { name: codec },
  end: { reason: own },
  audio: { heard: own, evidence: own },
  details: { transferredBy: own },
  streams: { path: own },
  quality: { path: own },
  diagnostics: { meaning: own, text: diagnostics, reason: keyValueRule('reason'), source: keyValueRule('source') },
  otherDiagnostics: { meaning: own, text: diagnostics, reason: keyValueRule('reason'), source: keyValueRule('source') },
  diagnosticsClient: { text: diagnostics },
  diagnosticsPublic: { text: diagnostics },
};

function each(rule: FieldRule, fields: string): Record<string, FieldRule> {
  return Object.fromEntries(fields.split(' ').map((field) => [field, rule]));
}

/** `holder`: the field that contains this one. */
export function fieldRule(field: string, holder: string): FieldRule {
  return found(found(RULES, holder), field) ?? found(RULES[''], field) ?? freeText;
}

/** Field names come from clients. */
function found<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
