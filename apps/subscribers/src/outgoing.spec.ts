import { msProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord, RecordEvent } from '@ringdown/xml-schemas/record';
import { OutgoingWriter } from './outgoing.js';
import { readSubscriberSettings } from './subscription.js';

function writer(more: Record<string, string> = {}): OutgoingWriter {
  const subscription = readSubscriberSettings({ name: 'a', submituri: 'http://a.test/', ...more });
  return new OutgoingWriter(subscription, msProfile, undefined);
}

function published(events: readonly RecordEvent[], version = 'D'): Parameters<OutgoingWriter['fromRecord']>[0] {
  const record: DiagnosticsRecord = { version, connection: { callId: 'Call', frontEnds: [] }, events };
  return { id: '1', receivedAt: 0, record, xml: '' };
}

const start: RecordEvent = {
  kind: 'start',
  mediaType: 'audio',
  from: { id: 'a' },
  to: { id: 'b' },
  codecs: [],
};
const error: RecordEvent = { kind: 'error', responseCode: { code: 486 } };

describe('OutgoingWriter', () => {
  it('uses one key for a call in any letter case of its id', () => {
    expect(writer().fromRecord(published([start]))[0]?.callKey).toBe('call');
  });

  it('makes several records for 1.0, which has one kind of activity per record', () => {
    const one = writer({ outputschema: '1.0', signaling: 'true' }).fromRecord(published([start, error]));
    expect(one.map(({ body }) => /<(StartOrUpdate|Error)/.exec(body)?.[1])).toEqual(['StartOrUpdate', 'Error']);
  });

  it('tells a receiver of 1.0 without signalling that a call without audio has ended, and others of its media', () => {
    const sides = { from: { id: 'a' }, to: { id: 'b' } };
    const ended: RecordEvent = { kind: 'ended', mediaType: 'applicationsharing', ...sides };
    const bye: RecordEvent = { kind: 'bye', endpoints: [sides.from] };
    const bodies = (outputschema: string, events: readonly RecordEvent[]): readonly string[] =>
      writer({ outputschema })
        .fromRecord(published(events))
        .map(({ body }) => body);
    expect(bodies('1.0', [ended, ended, bye])).toEqual([expect.stringMatching(/<Ended>.*<Id>a<.*<Id>b</)]);
    expect(bodies('1.0', [bye])).toEqual([expect.stringContaining('<Ended>')]);
    const [only, ...others] = bodies('D', [ended, bye]);
    expect(others).toEqual([]);
    expect(only).toContain('<Ended Type="applicationsharing">');
    expect(only).not.toContain('<Bye>');
    expect(bodies('D', [bye])).toEqual([]);
  });

  it('omits a record without wanted events, but not one that had no events', () => {
    expect(writer().fromRecord(published([error]))).toEqual([]);
    expect(writer().fromRecord(published([]))).toHaveLength(1);
  });

  it('omits records and calls of uploaded captures', () => {
    const { record, ...rest } = published([start]);
    const connection = { ...record.connection, frontEnds: ['upload~carol'] };
    expect(writer().fromRecord({ ...rest, record: { ...record, connection } })).toEqual([]);
    const call = { callId: 'Call', version: 1, parties: [], streams: [] };
    expect(writer().fromCall({ ...call, feeds: ['upload~carol'] })).toEqual([]);
    expect(writer().fromCall({ ...call, feeds: ['fe1.example.test'] })).toHaveLength(1);
  });

  it('keeps an older record in its version', () => {
    const [only] = writer({ outputschema: 'D' }).fromRecord(published([start], 'C'));
    expect(only?.body).toContain('Version="C"');
  });
});
