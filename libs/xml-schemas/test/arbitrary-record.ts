import * as fc from 'fast-check';
import { parseDiagnostics } from '../src/model/diagnostics-text.js';
import type { Endpoint } from '../src/model/endpoint.js';
import type { DiagnosticsRecord, RecordEvent, VendorDiagnostics } from '../src/model/record.js';
import { ENDPOINT_FIELDS } from '../src/model/field-tables.js';

/** Everything that XML can contain, trimmed and not empty like the output of the reader. */
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
/** Never a number, so that it is read as a text. */
const wordy = anyText.map((value) => `w${value}`);
const count = fc.nat();
const port = fc.nat({ max: 65_535 });
const decimal = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const unknownName = fc.stringMatching(/^Zz[A-Za-z0-9_.-]{0,8}$/);
const unknownPath = fc.array(unknownName, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const extensionPath = fc.oneof(
  unknownPath,
  unknownName.map((name) => `@${name}`),
  fc.tuple(unknownPath, unknownName).map((names) => names.join('@')),
);
const extensions = fc.dictionary(extensionPath, anyText, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
/** The extensions of an event or a record, except those in its `Properties`. */
const extensionsOfEvent = fc
  .tuple(extensions, fc.dictionary(extensionPath, anyText, { maxKeys: 2, noNullPrototype: true }))
  .map(([own, inside]) => {
    const prefixed = Object.entries(inside).map(([path, text]) => [
      // In a quality event, a simple element there is a metric.
      path.startsWith('@') ? `Properties${path}` : `Properties/Zy/${path}`,
      text,
    ]);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- fromEntries of what was made above
    return { ...own, ...Object.fromEntries(prefixed) } as Record<string, string>;
  });
const host = fc.stringMatching(/^[a-z][a-z0-9.-]{0,12}$/);
const hosts = { selector: (name: string) => name.toLowerCase(), maxLength: 3 };
const diagnostics: fc.Arbitrary<VendorDiagnostics> = fc
  .oneof(
    anyText,
    fc.tuple(count, anyText).map(([code, reason]) => `${code}; reason="${reason}";source=fe1`.trim()),
  )
  .map(parseDiagnostics);

const allOptional: { requiredKeys: []; noNullPrototype: true } = { requiredKeys: [], noNullPrototype: true };

const conversions = {
  text: anyText,
  integer: fc.maxSafeInteger().map((value) => value + 0),
  number: decimal,
  port,
  boolean: fc.boolean(),
} as const;
/** A few of the many fields, different each time. */
const endpoint = fc
  .subarray([...ENDPOINT_FIELDS], { maxLength: 6 })
  .chain((fields) =>
    fc.tuple(...fields.map(({ field, conversion }) => fc.tuple(fc.constant(field), conversions[conversion]))),
  )
  .chain((fields) => fc.tuple(fc.constant(fields), fc.option(extensions, { nil: undefined })))
  .map(([fields, unknown]): Endpoint => ({ ...Object.fromEntries(fields), ...(unknown && { further: unknown }) }));
const parties = fc.record(
  {
    mediaType: fc.constantFrom('audio', 'video', 'data', 'applicationsharing', 'odd & new'),
    from: endpoint,
    to: endpoint,
    endpoints: fc.array(endpoint, { minLength: 1, maxLength: 2 }),
    further: extensionsOfEvent,
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
const hop = fc.record({ address: anyText, rtt: decimal }, allOptional).filter((each) => Object.keys(each).length > 0);
const route = fc.array(hop, { maxLength: 2 });
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
      fc.record({ caller: endpoint, callee: endpoint, further: extensions }, allOptional),
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
          referredBy: anyText,
          replaces: anyText,
          via: fc.array(anyText, { minLength: 1, maxLength: 2 }),
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
      fc.oneof(
        fc.record({ route }, allOptional),
        fc.record(
          { streamQuality: anyText, streamQualitySource: anyText, route },
          { requiredKeys: ['streamQuality'], noNullPrototype: true },
        ),
      ),
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
        mediationServerLegPosition: anyText,
        sourcePool: anyText,
        further: extensions,
      },
      allOptional,
    ),
  )
  .map(([required, rest]) => ({ ...required, ...rest }));

/** Records that the reader can return. */
export const arbitraryRecord: fc.Arbitrary<DiagnosticsRecord> = fc
  .tuple(
    connection,
    fc.array(event, { maxLength: 4 }),
    fc.record(
      {
        version: fc.constantFrom('1.0', 'A', 'B', 'C', 'D', 'E'),
        outcome: outcome.filter((value) => Object.keys(value).length > 0),
        route,
        rawSdp: anyText,
        further: extensionsOfEvent,
      },
      allOptional,
    ),
  )
  .map(([connection, events, rest]) => ({ connection, events, ...rest }));
