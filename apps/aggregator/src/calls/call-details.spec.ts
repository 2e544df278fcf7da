import { anna, ben, example, report, stream } from '../../test/call-examples.js';
import type { CallStream } from './call.js';
import { fold } from './fold.js';
import { searchKeys } from '../search/keys/search-keys.js';

const RELAY = '192.0.2.200';

describe('the details of a call', () => {
  it('are what the headers contain, the newest of each', () => {
    const made = (at: string, connection: object): ReturnType<typeof example> =>
      example([stream('audio', anna, ben)], { at, connection, version: 'D' });
    const { details } = fold(
      [
        made('00:01', { originator: 'e1', connectivity: 'DIRECT', mediaBypass: true }),
        made('00:02', { originator: 'e2', connectivity: 'RELAY', conferenceUri: 'sip:conference@example.test' }),
      ],
      [],
    ).call;
    expect(details).toEqual({
      versions: ['D'],
      originators: ['e1', 'e2'],
      connectivity: 'RELAY',
      mediaBypass: true,
      conferenceUri: 'sip:conference@example.test',
    });
  });

  it('have unknown elements by path, but not those of our sender', () => {
    const connection = { further: { Weather: 'rain', '@Lang': 'en', EndedBy: 'Caller', RingTime: '5' } };
    const made = example([{ kind: 'invite', caller: anna, callee: ben, further: { Subject: 'lunch' } }], {
      connection,
    });
    const { details } = fold([{ ...made, record: { ...made.record, further: { Season: 'spring' } } }], []).call;
    expect(details.further).toEqual({
      'ConnectionInfo/Weather': 'rain',
      'ConnectionInfo@Lang': 'en',
      Season: 'spring',
      'Invite/Subject': 'lunch',
    });
  });

  it('have responses that are neither errors nor ends', () => {
    const made = example([stream('audio', anna, ben)], { at: '00:01' });
    const outcome = { responseCode: { code: 200, phrase: 'OK' } };
    const { call } = fold([{ ...made, record: { ...made.record, outcome } }], []);
    expect(call.details.responses).toEqual([
      { at: '2026-03-02T10:00:01.000Z', code: 200, phrase: 'OK', diagnostics: [] },
    ]);
    const failed = example([{ kind: 'error', endpoints: [anna, ben] }], { at: '00:01' });
    expect(fold([{ ...failed, record: { ...failed.record, outcome } }], []).call.details.responses).toBeUndefined();
  });

  it('have redirects and transfers as our sender reports them, and the headers of the call after a transfer', () => {
    const redirected = example([{ kind: 'invite', caller: anna, callee: ben }], {
      at: '00:01',
      connection: {
        further: { RedirectedFrom: 'sip:a@b.test', 'RedirectedFrom@Code': '302', RedirectedTo: 'sip:c@b.test' },
      },
    });
    const end = example([{ kind: 'bye' }], {
      at: '00:09',
      connection: { further: { TransferredTo: 'sip:carol@example.test', TransferredBy: 'Callee' } },
    });
    expect(fold([redirected, end], []).call.details).toMatchObject({
      redirects: [{ from: 'sip:a@b.test', to: 'sip:c@b.test', code: 302 }],
      transferredTo: 'sip:carol@example.test',
      transferredBy: 'callee',
    });
    const replacing = stream('audio', anna, ben, {
      replaces: 'c0;to-tag=a;from-tag=b',
      referredBy: '<sip:ben@b.test>',
    });
    expect(fold([example([replacing])], []).call.details).toMatchObject({
      replaces: ['c0;to-tag=a;from-tag=b'],
      referredBy: ['<sip:ben@b.test>'],
    });
  });

  it('are bounded', () => {
    const further = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`Element${n}`, 'x']));
    const { details } = fold([example([], { connection: { further } })], []).call;
    expect(Object.keys(details.further ?? {})).toHaveLength(200);
  });
});

describe('the path of a stream', () => {
  const reported = (connectivity: string, more: object): ReturnType<typeof example> =>
    example([report({}, { mediaType: 'audio', from: { ...anna, ...more }, to: ben })], {
      at: '00:09',
      connection: { connectivity },
    });
  const streamOf = (connectivity: string, more: object): CallStream | undefined =>
    fold([example([stream('audio', anna, ben)], { at: '00:01' }), reported(connectivity, more)], []).call.streams[0];

  it.each([
    ['DIRECT', {}, 'direct'],
    ['DIRECT', { relay: RELAY }, 'relay'],
    ['RELAY', {}, 'relay'],
    ['HTTP', {}, null],
  ])('reported as %s with %j is %s', (connectivity, more, path) => {
    expect(streamOf(connectivity, more)?.path).toBe(path);
  });

  it.each([
    ['DIRECT', {}, ['path:direct']],
    ['DIRECT', { relay: RELAY }, ['path:relay']],
    ['HTTP', {}, []],
  ])('of a call known only by quality reports with %s and %j is found as %j', (connectivity, more, keys) => {
    const { call } = fold([reported(connectivity, more)], []);
    expect(call.streams).toEqual([]);
    expect(searchKeys(call, []).filter((key) => key.startsWith('path:'))).toEqual(keys);
  });

  it.each([
    ['DIRECT', {}, 'direct'],
    ['DIRECT', { relay: RELAY }, 'relay'],
    ['HTTP', {}, null],
  ])('is shown with a report of %s with %j as %s', (connectivity, more, path) => {
    const { call } = fold([reported(connectivity, more)], []);
    expect(call.quality).toMatchObject([{ connectivity, path }]);
  });

  it('is not direct in a report that does not know the relay of its stream', () => {
    const start = example([stream('audio', { ...anna, relay: RELAY }, ben)], { at: '00:01' });
    const { call } = fold([start, reported('DIRECT', {})], []);
    expect(call.quality).toMatchObject([{ connectivity: 'DIRECT', path: 'relay' }]);
  });

  it('is not found as direct by a report that does not know the relay of its stream', () => {
    const start = example([stream('audio', { ...anna, relay: RELAY }, ben)], { at: '00:01' });
    const { call } = fold([start, reported('DIRECT', {})], []);
    expect(searchKeys(call, []).filter((key) => key.startsWith('path:'))).toEqual(['path:relay']);
  });

  it('has the relay and the addresses outside of the NAT that only the report has', () => {
    const path = { relay: RELAY, relayPort: 3478, reflexiveIp: '198.51.100.7', reflexivePort: 9 };
    expect(streamOf('DIRECT', path)?.from).toMatchObject({ ...path, ip: anna.ip, port: anna.port });
  });
});

describe('the parties of a call', () => {
  it('have the devices from the reports: the microphone of the sender, the loudspeaker of the receiver', () => {
    const metrics = { CaptureDevice: { value: 'Headset' }, RenderDevice: { value: 'Speaker' } };
    const { parties } = fold([example([report(metrics, { mediaType: 'audio' })])], []).call;
    expect(parties).toMatchObject([
      { uri: anna.uri, captureDevice: 'Headset' },
      { uri: ben.uri, renderDevice: 'Speaker' },
    ]);
  });
});
