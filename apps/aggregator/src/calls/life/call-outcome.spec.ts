import { parseDiagnostics } from '@ringdown/xml-schemas/fields';
import type { ErrorEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example, stream } from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import { fold } from '../fold.js';
import { isTransferred, rangOut } from './call-outcome.js';

const gateway = { ...ben, trunk: 'nordtel-oslo' };
const GATEWAY =
  '10014;reason="The gateway responded with 503";gateway="10.10.9.21:5060";source="fe1.example.test";trunk="nordtel-oslo"';

interface Failed {
  readonly code?: number;
  readonly text?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly caller?: typeof anna;
  readonly callee?: typeof ben;
}

function failed({ code, text, header = {}, caller = anna, callee = ben }: Failed): Call {
  const error: ErrorEvent = {
    kind: 'error',
    endpoints: [caller, callee],
    ...(code === undefined ? {} : { responseCode: { code } }),
    ...(text === undefined ? {} : { diagnostics: parseDiagnostics(text) }),
  };
  const invite = example([{ kind: 'invite', caller, callee }], { version: 'D' });
  const rejected = example([error], { at: '00:20', version: 'D', connection: { further: header } });
  return fold([], [invite, rejected]).call;
}

describe('where a call was refused', () => {
  it.each<[string, Failed, unknown]>([
    [
      'the gateway that answered, and its trunk',
      { code: 503, text: GATEWAY, callee: gateway },
      { hop: '10.10.9.21:5060', trunk: 'nordtel-oslo' },
    ],
    [
      'the source without a gateway',
      { code: 500, text: '7;source="fe1.example.test"' },
      { hop: 'fe1.example.test', trunk: null },
    ],
    ['no source that repeats an answer', { code: 503, text: '2;source="fe1.example.test"' }, null],
    ['the trunk of the callee alone', { code: 503, callee: gateway }, { hop: null, trunk: 'nordtel-oslo' }],
    ['no trunk of the caller', { code: 503, caller: { ...anna, trunk: 'in' } }, null],
    ['no trunk that no party has', { code: 503, text: '7;trunk="Anna"' }, null],
    ['nothing for a callee who is busy', { code: 486, text: GATEWAY, callee: gateway }, null],
    ['nothing for a number that does not exist', { code: 404, text: GATEWAY, callee: gateway }, null],
    ['nothing without a status', { text: GATEWAY, callee: gateway }, null],
  ])('is %s', (_what, call, expected) => {
    expect(failed(call).end?.refusedBy).toEqual(expected);
  });

  it('is unknown for a call that ended as it should', () => {
    const records = [example([stream('audio', anna, gateway)]), example([{ kind: 'ended' }], { at: '05:00' })];
    expect(fold([], records).call.end?.refusedBy).toBeNull();
  });
});

describe('a call rang out', () => {
  const rang = { PostDialDelay: '1000', RingTime: '18000' };
  const elsewhere = '2;reason="Call completed elsewhere";source="fe1";protocol="SIP";cause="200"';

  it.each<[string, boolean, Failed]>([
    ['nobody answered', true, { code: 480, header: rang }],
    ['the time was over', true, { code: 408, header: rang }],
    ['the caller gave up', true, { code: 487, header: { ...rang, EndedBy: 'Caller' } }],
    ['it failed without a status', true, { header: rang }],
    ['the callee declined', false, { code: 603, header: rang }],
    ['the callee was busy', false, { code: 486, header: rang }],
    ['a server failed', false, { code: 503, header: rang }],
    ['it did not ring', false, { code: 480 }],
    ['another phone answered', false, { code: 487, text: elsewhere, header: rang }],
    ['another phone answered, by Q.850', false, { code: 487, text: '2;protocol="Q.850";cause="26"', header: rang }],
    ['it was cleared as usual, by Q.850', true, { code: 487, text: '2;protocol="Q.850";cause="16"', header: rang }],
  ])('if %s: %s', (_what, expected, call) => {
    expect(rangOut(failed(call))).toBe(expected);
  });

  it('if a response says that it rang', () => {
    const call = failed({ code: 480 });
    const responses = [{ at: call.beganAt, code: 180, phrase: 'Ringing', diagnostics: [] }];
    expect(rangOut({ ...call, details: { responses } })).toBe(true);
  });

  it('not before it has failed', () => {
    expect(rangOut({ ...failed({ code: 480, header: rang }), state: 'invited' })).toBe(false);
  });
});

describe('a call was transferred', () => {
  it.each([
    [{ transferredTo: 'sip:carl@example.test' }, true],
    [{ referredBy: ['sip:anna@example.test'] }, true],
    [{ replaces: ['abc;to-tag=1;from-tag=2'] }, false],
    [{ referredBy: [] }, false],
    [{}, false],
  ])('with %j: %s', (details, expected) => {
    expect(isTransferred({ details })).toBe(expected);
  });
});
