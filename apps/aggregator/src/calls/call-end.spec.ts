import { parseDiagnostics, type EndEvent, type Outcome } from '@ringdown/xml-schemas';
import { anna, ben, example, stream } from '../../test/call-examples.js';
import type { FeedRecord } from './feed-record.js';
import { fold } from './fold.js';

const START = example([stream('audio', anna, ben), stream('audio', ben, anna)], { at: '00:01' });
const GATEWAY = parseDiagnostics('10004;reason="Gateway failed";source="gw.example.test"');
const LINK = parseDiagnostics('52094;reason="Link lost"');

function ended(more: Partial<EndEvent>, outcome?: Outcome, at = '00:09'): FeedRecord {
  const made = example([{ kind: 'ended', ...more }], { at });
  return outcome === undefined ? made : { ...made, record: { ...made.record, outcome } };
}

describe('the end of a call', () => {
  it('is unknown while the call is in progress', () => {
    expect(fold([START], []).call.end).toBeNull();
  });

  it('has all three kinds of diagnostics, each text once', () => {
    const end = ended({ diagnostics: GATEWAY, diagnosticsClient: LINK, diagnosticsPublic: GATEWAY });
    expect(fold([START, end], []).call.end).toEqual({
      reason: 'ended',
      by: null,
      code: null,
      phrase: null,
      diagnostics: [
        { kind: 'server', code: 10_004, reason: 'Gateway failed', source: 'gw.example.test', text: GATEWAY.text },
        { kind: 'client', code: 52_094, reason: 'Link lost', source: null, text: LINK.text },
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

describe('an error whose properties are those of the whole record', () => {
  it('has their code, phrase and diagnostics', () => {
    const made = example([{ kind: 'error', endpoints: [anna, ben] }], { at: '00:02' });
    const outcome = { responseCode: { code: 488, phrase: 'Not Here' }, diagnostics: GATEWAY };
    const { errors } = fold([{ ...made, record: { ...made.record, outcome } }], []).call;
    expect(errors).toMatchObject([{ code: 488, phrase: 'Not Here', diagnostics: { code: 10_004 } }]);
  });
});
