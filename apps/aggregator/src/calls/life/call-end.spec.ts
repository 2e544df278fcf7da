import { parseDiagnostics } from '@ringdown/xml-schemas/fields';
import type { EndEvent, Endpoint, Outcome, RecordEvent } from '@ringdown/xml-schemas/record';
import { anna, ben, example, stream } from '../../../test/call-examples.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';
import { searchKeys } from '../../search/keys/search-keys.js';

const START = example([stream('audio', anna, ben), stream('audio', ben, anna)], { at: '00:01' });
const GATEWAY = parseDiagnostics('10004;reason="Gateway failed";source="gw.example.test"');
const LINK = parseDiagnostics('52094;reason="Link lost"');
const GATEWAY_TEXT = 'Mediation server or gateway';

function ended(more: Partial<EndEvent>, outcome?: Outcome, at = '00:09'): FeedRecord {
  const made = example([{ kind: 'ended', ...more }], { at });
  return outcome === undefined ? made : { ...made, record: { ...made.record, outcome } };
}

describe('the end of a call', () => {
  it('is unknown while the call is in progress', () => {
    expect(fold([START], []).call.end).toBeNull();
  });

  it('has all three kinds of diagnostics, each text once in each kind', () => {
    const end = ended({ diagnostics: GATEWAY, diagnosticsClient: LINK, diagnosticsPublic: GATEWAY });
    const copy = ended({ diagnostics: GATEWAY }, undefined, '00:10');
    expect(fold([START, end, copy], []).call.end).toEqual({
      reason: 'ended',
      by: null,
      code: null,
      phrase: null,
      refusedBy: null,
      diagnostics: [
        {
          kind: 'server',
          code: 10_004,
          reason: 'Gateway failed',
          source: 'gw.example.test',
          text: GATEWAY.text,
          meaning: GATEWAY_TEXT,
        },
        { kind: 'client', code: 52_094, reason: 'Link lost', source: null, text: LINK.text, meaning: 'Client' },
        {
          kind: 'public',
          code: 10_004,
          reason: 'Gateway failed',
          source: 'gw.example.test',
          text: GATEWAY.text,
          meaning: GATEWAY_TEXT,
        },
      ],
    });
  });

  it('is what the properties of the whole record say', () => {
    const end = ended({}, { responseCode: { code: 503, phrase: 'Gone' }, diagnostics: GATEWAY });
    expect(fold([START, end], []).call.end).toMatchObject({
      code: 503,
      phrase: 'Gone',
      diagnostics: [{ code: 10_004 }],
    });
  });

  it('names the party that hung up, as our sender reports it', () => {
    const made = example([{ kind: 'bye' }], {
      at: '00:09',
      connection: { further: { EndedBy: 'Callee' } },
    });
    expect(fold([START, made], []).call.end?.by).toBe('callee');
  });

  it('names the party that cancelled, from the record of the error', () => {
    const made = example([{ kind: 'error', endpoints: [anna, ben], responseCode: { code: 487 } }], {
      at: '00:09',
      connection: { further: { EndedBy: 'Caller' } },
    });
    expect(fold([made], []).call.end).toMatchObject({ reason: 'error', by: 'caller', code: 487 });
  });

  it('of a failed call is its last error, with the copies of other front ends', () => {
    const error = (at: string, code: number, frontEnd: string): FeedRecord =>
      example(
        [{ kind: 'error', endpoints: [anna, ben], responseCode: { code }, diagnostics: { ...LINK, text: `${at};` } }],
        {
          at,
          frontEnd,
          connection: { cseq: code },
        },
      );
    const errors = [error('00:01', 407, 'fe1'), error('00:02', 486, 'fe1'), error('00:03', 486, 'fe2')];
    const { end } = fold(errors, []).call;
    expect(end).toMatchObject({ reason: 'error', code: 486, by: null });
    expect(end?.diagnostics.map(({ text }) => text)).toEqual(['00:02;', '00:03;']);
  });

  it('is bounded', () => {
    const ends = Array.from({ length: 50 }, (_, n) =>
      ended({ diagnostics: parseDiagnostics(`${n};`) }, undefined, `00:${10 + n}`),
    );
    expect(fold([START, ...ends], []).call.end?.diagnostics).toHaveLength(20);
  });
});

describe.each(['A', 'C', 'D'])('the end of the streams of a call, as version %s reports it', (version) => {
  const later = (events: readonly RecordEvent[], at: string, cseq: number): FeedRecord => {
    const made = example(events, { at, connection: { cseq } });
    return { ...made, record: { ...made.record, version } };
  };
  const [there, back] = [stream('audio', anna, ben), stream('audio', ben, anna)];
  const start = later(
    [there, back].map((each) => ({ ...each, kind: 'start' })),
    '00:01',
    1,
  );
  const end = (from: Endpoint, to: Endpoint): EndEvent => ({ kind: 'ended', mediaType: 'audio', from, to });
  const broken = [{ ...end(anna, ben), diagnostics: GATEWAY }, end(ben, anna)];

  it('has their diagnostics without a Bye', () => {
    const { call } = fold([start, later(broken, '00:09', 2)], []);
    expect(call.end).toMatchObject({ reason: 'ended', diagnostics: [{ kind: 'server', code: 10_004 }] });
    expect(searchKeys(call, [])).toContain('diagnostics:10004');
  });

  it('has the diagnostics of the Bye and theirs', () => {
    const bye: EndEvent = { kind: 'bye', diagnosticsClient: LINK };
    const { call } = fold([start, later([...broken, bye], '00:09', 2)], []);
    expect(call.end).toMatchObject({ diagnostics: [{ code: 10_004 }, { code: 52_094 }] });
  });

  it('has the status of the Bye, and not that of a stream that ended before', () => {
    const video: EndEvent = { kind: 'ended', mediaType: 'video', responseCode: { code: 488 } };
    const bye = later([{ kind: 'bye', responseCode: { code: 503 } }], '00:09', 3);
    expect(fold([start, later([video], '00:05', 2), bye], []).call.end?.code).toBe(503);
    expect(
      fold([start, later([video], '00:05', 2), later([{ kind: 'bye' }], '00:09', 3)], []).call.end?.code,
    ).toBeNull();
  });
});

describe('an error whose properties are those of the whole record', () => {
  it('has their code, phrase and diagnostics', () => {
    const made = example([{ kind: 'error', endpoints: [anna, ben] }], { at: '00:02' });
    const outcome = { responseCode: { code: 488, phrase: 'Not Here' }, diagnostics: GATEWAY };
    const { errors } = fold([{ ...made, record: { ...made.record, outcome } }], []).call;
    expect(errors).toMatchObject([{ code: 488, phrase: 'Not Here', diagnostics: { code: 10_004 } }]);
  });

  it('has their text for the server rather than its own for everyone', () => {
    const made = example([{ kind: 'error', endpoints: [anna, ben], diagnosticsPublic: LINK }], { at: '00:02' });
    const { errors } = fold([{ ...made, record: { ...made.record, outcome: { diagnostics: GATEWAY } } }], []).call;
    expect(errors).toMatchObject([{ diagnostics: { code: 10_004 } }]);
  });
});
