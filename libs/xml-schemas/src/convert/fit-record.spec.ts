import { defaultProfile } from '@ringdown/vendor-profile';
import type { Endpoint } from '../model/endpoint.js';
import type { DiagnosticsRecord } from '../model/record.js';
import { readFeedMessage, writeRecord } from '../index.js';
import { fitRecord } from './fit-record.js';

const long = 'x'.repeat(70_000);

function withCaller(caller: Endpoint): DiagnosticsRecord {
  return {
    version: 'D',
    connection: { callId: 'c1', frontEnds: ['fe1'] },
    events: [{ kind: 'invite', caller }],
  };
}

describe('a record shortened to the limits', () => {
  it('is not changed when no text is too long', () => {
    const record = withCaller({ uri: 'sip:anna@example.test', userAgent: 'x'.repeat(1_024), port: 7 });
    expect(fitRecord(record)).toEqual(record);
  });

  it('omits keys and addresses that are too long, because cutting would change their identity', () => {
    const caller = { id: long, uri: `sip:${long}`, contact: long, assertedIdentity: long, ip: long, epId: 'e1' };
    expect(fitRecord(withCaller(caller)).events).toEqual([{ kind: 'invite', caller: { epId: 'e1' } }]);
  });

  it('cuts and marks texts that only people read, and never splits a surrogate pair', () => {
    const [event] = fitRecord(withCaller({ userAgent: `${'x'.repeat(1_022)}😀${long}` })).events;
    expect(event).toEqual({ kind: 'invite', caller: { userAgent: `${'x'.repeat(1_022)}…` } });
  });

  it('is accepted by a reader, which cuts no text in it', () => {
    const text = long;
    const record: DiagnosticsRecord = {
      version: 'D',
      connection: { callId: 'c1', frontEnds: ['fe1', long], conversationId: long, startTime: long, endTime: long },
      events: [
        { kind: 'error', responseCode: { code: 500, phrase: long }, diagnostics: { items: [], text } },
        { kind: 'start', mediaType: 'audio', codecs: [{ name: long }], replaces: long, referredBy: long, via: [long] },
      ],
      rawSdp: long,
    };
    const message = readFeedMessage(writeRecord(fitRecord(record), defaultProfile), defaultProfile);
    expect(message).toMatchObject({ kind: 'record', record: { connection: { callId: 'c1', frontEnds: ['fe1'] } } });
    expect(message.kind === 'record' ? message.record.cut : message).toBeUndefined();
  });
});
