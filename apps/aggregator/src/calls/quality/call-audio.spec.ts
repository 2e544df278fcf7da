import type { Endpoint, Metric, QualityEvent, RecordEvent } from '@ringdown/xml-schemas/record';
import * as fc from 'fast-check';
import { anna, ben, end, example, report, stream } from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';

type Metrics = Record<string, number | Metric>;

const carl: Endpoint = { id: 'c3', uri: 'sip:carl@example.test' };
const HEARD = { PacketUtilization: 3_000, PacketLossRate: 0 };
const NOTHING = { PacketUtilization: 0 };
const CONSTANT = { CapturedPackets: 3_000, CapturedSilence: { value: 'constant level' } };
const NO_BANDWIDTH = { bandwidth: { average: 0, maximum: 0 } };
const FROM_ANNA = { from: anna.uri, to: ben.uri };
const FROM_BEN = { from: ben.uri, to: anna.uri };

function audio(
  from: Endpoint,
  to: Endpoint,
  metrics: Metrics,
  kind: QualityEvent['kind'] = 'qualityUpdate',
): RecordEvent {
  return report(metrics, { mediaType: 'audio', from, to, kind });
}

const BOTH = [stream('audio', anna, ben), stream('audio', ben, anna)];

interface Case {
  /** Of what Anna says, at Ben; undefined: no report. */
  readonly toBen?: Metrics;
  readonly toAnna?: Metrics;
  readonly streams?: readonly RecordEvent[];
  readonly during?: readonly FeedRecord[];
  readonly kind?: QualityEvent['kind'];
  readonly ended?: FeedRecord;
  readonly header?: Readonly<Record<string, string>>;
  readonly conferenceId?: string;
}

function recordsOf({
  toBen,
  toAnna,
  streams = BOTH,
  during = [],
  kind,
  ended = end(),
  header,
  conferenceId,
}: Case): readonly FeedRecord[] {
  const connection = {
    ...(header ? { further: header } : {}),
    ...(conferenceId === undefined ? {} : { conferenceId }),
  };
  const reports = [
    ...(toBen ? [audio(anna, ben, toBen, kind)] : []),
    ...(toAnna ? [audio(ben, anna, toAnna, kind)] : []),
  ];
  return [
    example(streams, { connection }),
    ...during,
    ended,
    ...(reports.length === 0 ? [] : [example(reports, { at: '05:01' })]),
  ];
}

function audioOf(given: Case): Call['audio'] {
  return fold([], recordsOf(given)).call.audio;
}

const oneWay = (evidence: string, ends: object): object => ({ heard: 'oneWay', evidence, ...ends });
const silent = (evidence: string): object => ({ heard: 'silent', evidence, from: null, to: null });

const CASES: readonly (readonly [string, Case, object | null])[] = [
  ['both sides heard', { toBen: HEARD, toAnna: HEARD }, null],
  ['nothing is known of one side', { toBen: HEARD }, null],
  ['one receiver got nothing, and the other is unknown', { toBen: NOTHING }, null],
  ['one receiver got no packets', { toBen: NOTHING, toAnna: HEARD }, oneWay('noPackets', FROM_ANNA)],
  ['the other receiver got no packets', { toBen: HEARD, toAnna: NOTHING }, oneWay('noPackets', FROM_BEN)],
  ['neither got a packet', { toBen: NOTHING, toAnna: NOTHING }, silent('noPackets')],
  [
    'none of the packets was captured',
    { toBen: { CapturedPackets: 0 }, toAnna: HEARD },
    oneWay('noPackets', FROM_ANNA),
  ],
  ['all packets were lost', { toBen: { PacketLossRate: 1 }, toAnna: HEARD }, oneWay('allLost', FROM_ANNA)],
  ['all but a few were lost', { toBen: { PacketLossRate: 0.99, PacketUtilization: 3 }, toAnna: HEARD }, null],
  ['both lost all packets', { toBen: { PacketLossRate: 1 }, toAnna: { PacketLossRate: 1 } }, silent('allLost')],
  [
    'nothing of the other direction was captured',
    { toBen: { ...HEARD, CapturedPackets: 3_000, CapturedOneWay: 1 } },
    oneWay('notCaptured', FROM_BEN),
  ],
  [
    'nothing of it was captured, but its receiver counts packets',
    { toBen: { CapturedPackets: 3_000, CapturedOneWay: 1 }, toAnna: HEARD },
    null,
  ],
  [
    'the receiver got nothing of what was captured',
    { toBen: { ...NOTHING, CapturedPackets: 3_000 }, toAnna: HEARD },
    oneWay('noPackets', FROM_ANNA),
  ],
  ['all packets had a constant level', { toBen: CONSTANT, toAnna: HEARD }, oneWay('constantLevel', FROM_ANNA)],
  [
    'a muted listener sends comfort noise',
    { toBen: { ...HEARD, CapturedSilence: { value: 'comfort noise' } }, toAnna: HEARD },
    null,
  ],
  [
    'a muted listener of a conference sends a constant level',
    { toBen: CONSTANT, toAnna: HEARD, conferenceId: 'conf1' },
    null,
  ],
  [
    'the conference got no packets',
    { toBen: NOTHING, toAnna: HEARD, conferenceId: 'conf1' },
    oneWay('noPackets', FROM_ANNA),
  ],
  ['packets were counted that cannot be', { toBen: { PacketUtilization: -1 }, toAnna: HEARD }, null],
  ['there are averages during the call only', { toBen: NOTHING, toAnna: HEARD, kind: 'inCallQuality' }, null],
  ['there are no reports', {}, null],
  ['it lasted four seconds', { toBen: NOTHING, toAnna: HEARD, ended: end({ at: '00:04.9' }) }, null],
  [
    'it lasted five seconds',
    { toBen: NOTHING, toAnna: HEARD, ended: end({ at: '00:05' }) },
    oneWay('noPackets', FROM_ANNA),
  ],
  [
    'one direction was agreed to carry nothing',
    { toBen: NOTHING, toAnna: HEARD, streams: [stream('audio', anna, ben, NO_BANDWIDTH), stream('audio', ben, anna)] },
    null,
  ],
  [
    'it ended on hold',
    {
      toBen: NOTHING,
      toAnna: HEARD,
      during: [
        example(
          BOTH.map((each) => ({ ...each, ...NO_BANDWIDTH })),
          { at: '00:01' },
        ),
      ],
    },
    null,
  ],
  [
    'it was on hold for a while',
    {
      toBen: NOTHING,
      toAnna: HEARD,
      during: [
        example(
          BOTH.map((each) => ({ ...each, ...NO_BANDWIDTH })),
          { at: '00:01' },
        ),
        example(
          BOTH.map((each) => ({ ...each, bandwidth: { average: 64_000, maximum: 64_000 } })),
          { at: '00:02' },
        ),
      ],
    },
    oneWay('noPackets', FROM_ANNA),
  ],
  [
    'only its video has no packets',
    {
      streams: [...BOTH, stream('video', anna, ben), stream('video', ben, anna)],
      during: [
        example([report(NOTHING), report({ RecvFrameRateAverage: 30 }, { from: ben, to: anna })], { at: '05:02' }),
      ],
    },
    null,
  ],
  [
    'a device rang that never was to hear anything',
    {
      toBen: HEARD,
      toAnna: HEARD,
      during: [example([audio(anna, carl, NOTHING), audio(carl, anna, NOTHING)], { at: '05:02' })],
    },
    null,
  ],
  [
    'another device of the callee had sound',
    {
      toBen: NOTHING,
      toAnna: NOTHING,
      streams: [...BOTH, stream('audio', anna, carl), stream('audio', carl, anna)],
      during: [example([audio(anna, carl, HEARD), audio(carl, anna, HEARD)], { at: '05:02' })],
    },
    null,
  ],
  ['our sender saw no media of it', { header: { NoMedia: '1' } }, silent('noMedia')],
  [
    'our sender saw none of the callee, and would have',
    { toBen: { ...HEARD, CapturedOneWay: 1 }, header: { NoMedia: 'Callee' } },
    oneWay('noMedia', FROM_BEN),
  ],
  [
    'our sender saw none of the caller, and would have',
    { toAnna: { ...HEARD, CapturedOneWay: 1 }, header: { NoMedia: 'Caller' } },
    oneWay('noMedia', FROM_ANNA),
  ],
  [
    'our sender saw none of the callee, but a receiver did',
    { toBen: HEARD, toAnna: HEARD, header: { NoMedia: 'Callee' } },
    null,
  ],
  ['our sender saw no media, but a receiver did', { header: { NoMedia: '1' }, toBen: HEARD }, null],
  ['something else is in its place', { header: { NoMedia: '0' } }, null],
  ['our sender saw no media for a moment', { header: { NoMedia: '1' }, ended: end({ at: '00:04' }) }, null],
];

describe('the audio of a call', () => {
  it.each(CASES)('if %s', (_what, given, expected) => {
    expect(audioOf(given)).toEqual(expected);
  });

  it('is unknown until it has ended', () => {
    const [started] = recordsOf({});
    const reports = example([audio(anna, ben, NOTHING), audio(ben, anna, HEARD)], { at: '02:00' });
    expect(
      fold(
        [],
        [started, reports].flatMap((record) => record ?? []),
      ).call,
    ).toMatchObject({
      state: 'active',
      audio: null,
      verdict: 'good',
    });
  });

  it.each([
    [
      'a constant level and nothing captured',
      { toBen: { ...CONSTANT, CapturedOneWay: 1 } },
      'constantLevel',
      'unknown',
    ],
    ['a constant level and no packets', { toBen: CONSTANT, toAnna: NOTHING }, 'noPackets', 'bad'],
  ])('of both directions is known by the strongest evidence: %s', (_what, given, evidence, verdict) => {
    expect(fold([], recordsOf(given)).call).toMatchObject({ verdict, audio: { heard: 'silent', evidence } });
  });

  it('makes no call bad if a party may only be muted', () => {
    const { call } = fold([], recordsOf({ toBen: CONSTANT, toAnna: HEARD }));
    expect(call).toMatchObject({ verdict: 'good', audio: { heard: 'oneWay', evidence: 'constantLevel' } });
  });

  it('makes no call bad if the capture may see one direction only', () => {
    const { call } = fold([], recordsOf({ toBen: { ...HEARD, CapturedOneWay: 1 } }));
    expect(call).toMatchObject({ verdict: 'good', audio: { heard: 'oneWay', evidence: 'notCaptured' } });
  });

  it('makes the call bad, and no stream', () => {
    const { call } = fold([], recordsOf({ toBen: HEARD, header: { NoMedia: 'Callee' } }));
    expect(call).toMatchObject({ verdict: 'bad', cause: null, quality: [{ verdict: 'good' }] });
    expect(call.streams.map(({ verdict }) => verdict)).toEqual(['good', 'unknown']);
  });

  it('does not hide the metric that makes the call bad, too', () => {
    const { call } = fold([], recordsOf({ toBen: NOTHING, toAnna: { ...HEARD, RoundTrip: 900 } }));
    expect(call).toMatchObject({ verdict: 'bad', cause: { metric: 'RoundTrip' }, audio: { heard: 'oneWay' } });
  });

  it('is the same in any order of the records', () => {
    const cases = fc.constantFrom(...CASES).chain(([, given]) => {
      const records = [...recordsOf(given)];
      return fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length }));
    });
    fc.assert(
      fc.property(cases, ([records, arrived]) => {
        const known = arrived.reduce<readonly FeedRecord[]>((before, record) => fold(before, [record]).records, []);
        expect(fold(known, []).call).toEqual(fold([], records).call);
      }),
      { numRuns: 200 },
    );
  });
});
