import type { Call, CallError, DiagnosticsOfCall } from '../api/answers.js';
import { reportedCauses, callEnding } from './call-ending.js';

const busy: DiagnosticsOfCall = {
  kind: 'server',
  code: 10_000,
  reason: 'the callee is in another call',
  source: 'fe1.example.test',
  text: '10000;reason=the callee is in another call;source=fe1.example.test',
  meaning: 'The gateway failed',
};
const end: NonNullable<Call['end']> = {
  reason: 'error',
  by: null,
  code: 486,
  phrase: 'Busy Here',
  diagnostics: [busy],
};
const error: CallError = {
  at: '2026-11-21T12:00:00.000Z',
  frontEnds: [],
  mediaType: null,
  code: 503,
  phrase: null,
  diagnostics: null,
  endpoints: [],
};

describe('the ending of a call', () => {
  it('that failed has status, meaning and diagnostics', () => {
    expect(callEnding({ state: 'failed', end, errors: [] })).toEqual({
      level: 'bad',
      title: 'The call failed: 486 Busy Here',
      meaning: 'The other person is in another call.',
      place: undefined,
      diagnostics: [
        { text: 'fe1.example.test reports: the callee is in another call (10000)', meaning: 'The gateway failed' },
      ],
    });
  });

  it('by an error while it was running says so', () => {
    const title = callEnding({ state: 'ended', end: { ...end, phrase: null, diagnostics: [] }, errors: [] })?.title;
    expect(title).toBe('An error ended the call: 486');
  });

  it('without a status is that of the last error, and without any of both says only that it failed', () => {
    const unknown = { ...end, code: null, phrase: null, diagnostics: [] };
    expect(callEnding({ state: 'failed', end: unknown, errors: [error] })?.title).toBe('The call failed: 503');
    expect(callEnding({ state: 'failed', end: null, errors: [] })).toEqual({
      level: 'bad',
      title: 'The call failed',
      meaning: undefined,
      place: undefined,
      diagnostics: [],
    });
  });

  it.each([
    [{ hop: '10.10.9.21', trunk: 'nordtel-oslo' }, 'Refused by 10.10.9.21 (trunk nordtel-oslo).'],
    [{ hop: '10.10.9.21', trunk: null }, 'Refused by 10.10.9.21.'],
    [{ hop: null, trunk: 'nordtel-oslo' }, 'Refused on trunk nordtel-oslo.'],
    [null, undefined],
  ])('names the server and the trunk that refused it: %j', (refusedBy, place) => {
    expect(callEnding({ state: 'failed', end: { ...end, code: 503, refusedBy }, errors: [] })?.place).toBe(place);
  });

  it.each([
    ['caller', 'The caller hung up before the call was answered.'],
    ['callee', 'The call was cancelled before it was answered.'],
    [null, 'The call was cancelled before it was answered.'],
  ] as const)('with 487 is the hang-up of the caller only if it ended the call: %s', (by, meaning) => {
    expect(callEnding({ state: 'failed', end: { ...end, code: 487, by }, errors: [] })?.meaning).toBe(meaning);
  });

  it('that nobody reported is not an error', () => {
    expect(callEnding({ state: 'expired', end: null, errors: [] })?.level).toBe('poor');
  });

  it.each(['active', 'held', 'invited', 'ended'] as const)('is nothing to tell of a call that is %s', (state) => {
    expect(callEnding({ state, end: null, errors: [error] })).toBeUndefined();
  });

  it('shows no characters that change the direction of the text', () => {
    const phrase = 'a\u202Egro.live';
    expect(callEnding({ state: 'failed', end: { ...end, phrase }, errors: [] })?.title).toBe(
      'The call failed: 486 a\uFFFDgro.live',
    );
  });
});

describe('the causes of an ending', () => {
  it('are listed once each, by their source, or by whom they were written', () => {
    const [client, raw] = [
      { ...busy, kind: 'client', source: null, code: null } as const,
      { ...busy, kind: 'public', source: null, reason: null, text: '1; strange' } as const,
    ];
    expect(reportedCauses([busy, { ...busy, kind: 'public' }, client, raw]).map(({ text }) => text)).toEqual([
      'fe1.example.test reports: the callee is in another call (10000)',
      'A device reports: the callee is in another call',
      'A server reports: 1; strange',
    ]);
  });
});
