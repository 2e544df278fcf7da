import * as fc from 'fast-check';
import { parseDiagnostics, type DiagnosticsRecord, type RecordEvent, type VendorDiagnostics } from '../src/index.js';

/** Everything XML can hold, trimmed and not empty as the reader gives it. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((value) => value.replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '�').trim())
  .filter((value) => value !== '');
const awkward = fc.constantFrom(
  'a\r\nb',
  'a\tb',
  '<&>"\'',
  ']]>',
  '-->',
  '<!DOCTYPE x>',
  '&amp;',
  '☺',
  '\u{1f600}',
  '%',
  '__proto__',
);
const anyText = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: awkward });
/** Reads as a text only where it is no number. */
const wordy = anyText.map((value) => `w${value}`);
const count = fc.nat();
const port = fc.nat({ max: 65_535 });
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const unknownName = fc.stringMatching(/^Zz[A-Za-z0-9_.-]{0,8}$/);
const furtherKey = fc.oneof(
  unknownName,
  fc.tuple(unknownName, unknownName).map((names) => names.join('@')),
);
const further = fc.dictionary(furtherKey, anyText, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const host = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/);
const hosts = { selector: (name: string) => name.toLowerCase(), maxLength: 3 };
const diagnostics: fc.Arbitrary<VendorDiagnostics> = fc
  .oneof(
    anyText,
    fc.tuple(count, anyText).map(([code, reason]) => `${code}; reason="${reason}";source=fe1`.trim()),
  )
  .map(parseDiagnostics);

const allOptional: { requiredKeys: []; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true };

const endpoint = fc.record(
  {
    id: anyText,
    epId: anyText,
    uri: anyText,
    contact: anyText,
    ip: anyText,
    port,
    relay: anyText,
    relayPort: port,
    inside: fc.boolean(),
    vpn: fc.boolean(),
    connection: anyText,
    further,
  },
  allOptional,
);
const parties = fc.record(
  {
    mediaType: fc.constantFrom('audio', 'video', 'data', 'applicationsharing', 'odd & new'),
    from: endpoint,
    to: endpoint,
    endpoints: fc.array(endpoint, { minLength: 1, maxLength: 2 }),
  },
  allOptional,
);
const responseCode = fc.oneof(
  fc.record({ code: fc.nat({ max: 999 }) }),
  fc.record({ code: fc.nat({ max: 999 }), phrase: anyText }),
  fc.record({ phrase: anyText }),
);
const outcome = fc.record(
  {
    responseCode,
    diagnostics,
    diagnosticsClient: diagnostics,
    diagnosticsPublic: diagnostics,
  },
  allOptional,
);
const codec = fc.record(
  { name: anyText, payloadType: count, low: count, high: count },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const codecs = fc.array(codec, { maxLength: 3 });
const route = fc.array(fc.record({ address: anyText, rtt: decimal }, allOptional), { maxLength: 2 });
const metric = fc.record(
  { value: fc.oneof(decimal, wordy), limit: decimal },
  { requiredKeys: ['value'], noNullPrototype: true },
);
const metrics = fc.dictionary(fc.oneof(unknownName, fc.constantFrom('PacketLossRate', 'RoundTrip')), metric, {
  maxKeys: 4,
  noNullPrototype: true,
});

const event: fc.Arbitrary<RecordEvent> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('invite' as const, 'lrsInvite' as const),
      fc.record({ caller: endpoint, callee: endpoint }, allOptional),
    )
    .map(([kind, ends]) => ({ kind, ...ends })),
  fc
    .tuple(
      fc.constantFrom('startOrUpdate' as const, 'start' as const, 'update' as const),
      parties,
      fc.record(
        {
          protocol: anyText,
          bandwidth: fc.record({ average: count, maximum: count, multiplexed: count }, allOptional),
          further,
        },
        allOptional,
      ),
      codecs,
    )
    .map(([kind, ends, properties, codecs]) => ({ kind, ...ends, ...properties, codecs })),
  fc
    .tuple(fc.constantFrom('ended' as const, 'bye' as const, 'error' as const), parties, outcome)
    .map(([kind, ends, result]) => ({ kind, ...ends, ...result })),
  fc
    .tuple(
      fc.constantFrom('qualityUpdate' as const, 'inCallQuality' as const),
      parties,
      fc.record({ streamQuality: anyText, route }, allOptional),
      codecs,
      metrics,
    )
    .map(([kind, ends, properties, codecs, metrics]) => ({ kind, ...ends, ...properties, codecs, metrics })),
);

const connection = fc
  .tuple(
    fc.record({ callId: anyText, frontEnds: fc.uniqueArray(host, hosts) }),
    fc.record(
      {
        pools: fc.uniqueArray(host, { ...hosts, minLength: 1 }),
        originator: anyText,
        cseq: fc.maxSafeInteger(),
        conversationId: anyText,
        conferenceId: anyText,
        conferenceUri: anyText,
        correlationId: anyText,
        timeStamp: anyText,
        connectivity: anyText,
        startTime: anyText,
        endTime: anyText,
        appliedBandwidthLimit: count,
        dialogCategory: anyText,
        mediaBypass: fc.boolean(),
        further,
      },
      allOptional,
    ),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

/** Records as the reader can give them. */
export const arbitraryRecord: fc.Arbitrary<DiagnosticsRecord> = fc
  .tuple(
    connection,
    fc.array(event, { maxLength: 4 }),
    fc.record(
      {
        version: fc.constantFrom('1.0', 'A', 'C', 'D', 'new'),
        outcome: outcome.filter((value) => Object.keys(value).length > 0),
        route,
        rawSdp: anyText,
      },
      allOptional,
    ),
  )
  .map(([connection, events, rest]) => ({ connection, events, ...rest }));
