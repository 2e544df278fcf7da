import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { createSocket } from 'node:dgram';
import type { RunningSender } from '../src/run/running-sender.js';
import { BY_BOB, CALLEE_SDP, CALLER_SDP } from '@ringdown/call-capture/test/played-call.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { startSender } from './start-sender.js';

describe('a running sender that chooses the version by the collector', () => {
  const started = new Started();
  let collector: RecordingCollector;

  function start(): Promise<RunningSender> {
    return startSender(collector.url, { queueLength: 100 });
  }

  async function send(sender: RunningSender, messages: readonly Buffer[]): Promise<void> {
    const socket = createSocket('udp4');
    const packets = messages.map((payload) => writeHep({ payload }));
    for (const packet of packets) {
      await new Promise((resolve) => socket.send(packet, sender.port, '127.0.0.1', resolve));
    }
    socket.close();
  }

  function records(count: number): Promise<readonly DiagnosticsRecord[]> {
    return eventually(`${count} records`, () => {
      const read = collector.records.map(({ body }) => readFeedMessage(Buffer.from(body), defaultProfile));
      const found = read.flatMap((message) => (message.kind === 'record' ? message.record : []));
      return found.length >= count && found;
    });
  }

  beforeEach(async () => {
    collector = started.add(await RecordingCollector.start());
    collector.configuration = '<Configuration Version="1.0" AcceptedVersions="1.0 A C D"/>';
  });

  afterEach(() => started.stopAll());

  it('reports a call from its next change on after a restart', async () => {
    const first = await start();
    await send(first, [
      request('INVITE', { body: CALLER_SDP }),
      response('180 Ringing', 'INVITE'),
      response('200 OK', 'INVITE', { body: CALLEE_SDP }),
    ]);
    await records(2);
    await first.stop();
    const parts = { cseq: 2, to: BOB_ANSWERING };
    await send(started.add(await start()), [
      request('INVITE', { ...parts, body: sdp('192.0.2.10', 4_000, { audio: ['a=sendonly'] }) }),
      response('200 OK', 'INVITE', { ...parts, body: CALLEE_SDP }),
      request('BYE', { cseq: 3, to: BOB_ANSWERING }),
    ]);
    const all = await records(4);
    expect(all.map(({ version, connection }) => `${version} ${connection.callId}`)).toEqual(Array(4).fill('D call-1'));
    expect(all.map(({ events }) => events.map(({ kind }) => kind).join(' '))).toEqual([
      'invite',
      'start start',
      'update update',
      'ended ended bye',
    ]);
    expect(all[1]?.connection.further).toEqual({
      PostDialDelay: expect.stringMatching(/^\d+$/),
      RingTime: expect.stringMatching(/^\d+$/),
    });
  });

  it('joins the calls of a transfer', async () => {
    const headers = ['Refer-To: <sip:carol@example.test>', 'Referred-By: <sip:bob@example.test>'];
    await send(started.add(await start()), [
      request('INVITE', { body: CALLER_SDP }),
      response('200 OK', 'INVITE', { body: CALLEE_SDP }),
      request('REFER', { ...BY_BOB, cseq: 1, headers }),
      request('INVITE', { callId: 'call-2', to: '<sip:carol@example.test>', headers: headers.slice(1) }),
      request('BYE', { ...BY_BOB, cseq: 2 }),
    ]);
    const all = await records(4);
    expect(all.map(({ connection }) => connection.conversationId)).toEqual(Array(4).fill('call-1'));
    expect(all[3]?.connection.further).toEqual({
      EndedBy: 'Callee',
      TransferredTo: 'sip:carol@example.test',
      TransferredBy: 'Callee',
    });
  });
});
