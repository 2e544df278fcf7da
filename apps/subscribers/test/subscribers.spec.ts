import { CALLS_CHANGED_SUBJECT } from '@ringdown/contracts/calls';
import { recordsSubject } from '@ringdown/contracts/records';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { msProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { Receiver } from './receiver.js';
import { RunningSubscribers, SEED } from './running-subscribers.js';

const hiding = new IdentityHiding(SEED);
let nats: TestNats;
let service: RunningSubscribers;
let receiver: Receiver;

beforeAll(async () => {
  nats = await startNats();
});
afterAll(() => nats.stop());
beforeEach(async () => {
  service = await RunningSubscribers.open(nats.url);
  receiver = await Receiver.start();
});
afterEach(async () => {
  await service.end();
  await receiver.stop();
});

/** Each test uses a new subscriber, without state on the bus. */
let subscriberNumber = 0;
function subscriber(more: object = {}): object {
  // A receiver that is slow on a busy machine must not count as one that does not answer.
  return { name: `subscriber-${++subscriberNumber}`, submituri: receiver.url, requesttimeout: 300, ...more };
}

function start(callId: string, { domain = 'example.test', moreEvents = '' } = {}): string {
  return record(
    callId,
    `<Start Type="audio"><From><Id>a</Id><URI>sip:alice@${domain}</URI><IP>192.0.2.10</IP></From>
     <To><Id>b</Id><URI>sip:bob@other.test</URI></To><Properties><Protocol>UDP</Protocol></Properties></Start>${moreEvents}`,
  );
}

function ended(callId: string): string {
  return record(callId, '<Ended Type="audio"><From><Id>a</Id></From><To><Id>b</Id></To></Ended>');
}

function quality(callId: string): string {
  return record(
    callId,
    `<QualityUpdate Type="audio"><From><Id>a</Id></From><To><Id>b</Id></To><Properties>
     <PacketLossRate>0.2</PacketLossRate></Properties></QualityUpdate>`,
  );
}

function record(callId: string, body: string): string {
  return `<LyncDiagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><CSEQ>1</CSEQ>
<TimeStamp>2026-03-04T09:15:27.1234567Z</TimeStamp></ConnectionInfo>${body}</LyncDiagnostics>`;
}

function read({ body }: { body: string }): DiagnosticsRecord {
  const message = readFeedMessage(Buffer.from(body), msProfile);
  if (message.kind !== 'record') throw new Error('not a record');
  return message.record;
}

async function received(count: number): Promise<readonly DiagnosticsRecord[]> {
  await eventually(`${count} records`, () => receiver.received.length >= count);
  return receiver.received.map(read);
}

describe('a subscriber of records', () => {
  it('gets them as XML with users hidden, in the newest version that it understands', async () => {
    await service.start(subscriber(), subscriber({ outputschema: 'C' }), subscriber({ hidepii: false }));
    await service.publish(start('call 1'));
    const records = await received(3);
    const versions = records.map(({ version = '' }) => version).sort((a, b) => a.localeCompare(b));
    expect(versions).toEqual(['C', 'D', 'D']);
    const users = JSON.stringify(records).match(/sip:[^"]*@example\.test/g);
    const token = hiding.token('alice');
    expect(users?.toSorted()).toEqual(
      [...[1, 2].map(() => `sip:${token}@example.test`), 'sip:alice@example.test'].toSorted(),
    );
    expect(receiver.received[0]).toMatchObject({ path: '/sdn', contentType: 'text/xml; charset=utf-8' });
  });

  it('gets no signaling, no SDP and no quality if configured so', async () => {
    await service.start(subscriber({ quality: false }), subscriber({ signaling: true, sendrawsdp: true }));
    const sdp = '<RawSDP>v=0</RawSDP>';
    const bye = '<Bye><EndPoint><Id>a</Id></EndPoint></Bye>';
    await service.publish(start('call 2', { moreEvents: bye + sdp }));
    await service.publish(quality('call 2'));
    await service.publish(record('call 2', bye));
    const records = await received(4);
    const kinds = records.map(({ events, rawSdp }) => [...events.map(({ kind }) => kind), rawSdp ?? ''].join(' '));
    expect(kinds.toSorted()).toEqual(['bye ', 'qualityUpdate ', 'start ', 'start bye v=0']);
  });

  it('gets the calls that pass its filters, to their end', async () => {
    await service.start(subscriber({ domainfilters: 'wanted', subnetfilters: ['192.0.2.0/24'] }));
    await service.publish(start('unwanted'), start('wanted', { domain: 'wanted.test' }));
    await service.publish(ended('unwanted'), ended('wanted'));
    await service.publish(start('last', { domain: 'wanted.test' }));
    const records = await received(3);
    expect(records.map(({ connection }) => connection.callId)).toEqual(
      expect.arrayContaining(['wanted', 'wanted', 'last']),
    );
    expect(records).toHaveLength(3);
  });

  it('gets everything about one call in order, with many concurrent requests', async () => {
    const several = Promise.withResolvers<void>();
    receiver.held = several.promise;
    await service.start(subscriber({ maxopen: 8 }));
    const calls = Array.from({ length: 40 }, (_, n) => `order-${n}`);
    await service.publish(...calls.map((call) => start(call)));
    await service.publish(...calls.map((call) => ended(call)));
    await eventually('more than one request at once', () => receiver.mostOpen > 1);
    several.resolve();
    const records = await received(80);
    for (const call of calls) {
      const kinds = records.filter(({ connection }) => connection.callId === call).map(({ events }) => events[0]?.kind);
      expect(kinds).toEqual(['start', 'ended']);
    }
    expect(receiver.mostOpen).toBeLessThanOrEqual(8);
  });
});

describe('a subscriber of calls', () => {
  it('gets each change as JSON, users hidden, filtered by parties and media', async () => {
    await service.start(subscriber({ send: 'calls', subnetfilters: '192.0.2.0/24' }));
    const call = (callId: string, ip: string): object => ({
      callId,
      version: 1,
      state: 'active',
      parties: [{ id: 'a', uri: 'sip:alice@example.test' }],
      streams: [{ from: { ip }, to: null }],
    });
    service.bus.publish(CALLS_CHANGED_SUBJECT, { calls: [] });
    service.bus.publish(CALLS_CHANGED_SUBJECT, { calls: [call('c1', '192.0.2.7'), call('c2', '198.51.100.7')] });
    await eventually('the call', () => receiver.received.length > 0);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.contentType).toBe('application/json');
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      callId: 'c1',
      state: 'active',
      parties: [{ id: 'a', uri: `sip:${hiding.token('alice')}@example.test` }],
    });
  });
});

describe('a subscriber on the bus', () => {
  /** Collects the messages on a subject from now on. */
  async function messagesOn(subject: string): Promise<unknown[]> {
    const received: unknown[] = [];
    service.bus.subscribe(subject, (message) => received.push(message));
    await service.bus.connection.flush();
    return received;
  }

  it('gets filtered records on its own subject, users hidden', async () => {
    await service.start({ name: 'Reader-1', via: 'bus', domainfilters: 'wanted', outputschema: 'C' });
    const received = await messagesOn('ringdown.subscribers.reader-1.records');
    await service.publish(start('unwanted'), start('wanted', { domain: 'wanted.test' }));
    await eventually('the record', () => received.length > 0);
    await service.publish(ended('wanted'));
    await eventually('the end', () => received.length > 1);
    const records = received.map((message) => read({ body: (message as { xml: string }).xml }));
    expect(records.map(({ version, connection }) => [version, connection.callId])).toEqual([
      ['C', 'wanted'],
      ['C', 'wanted'],
    ]);
    expect(JSON.stringify(records[0])).toContain(`sip:${hiding.token('alice')}@wanted.test`);
    expect(JSON.stringify(records)).not.toContain('alice');
  });

  it('gets changed calls, users hidden, also those from an outage of the bus', async () => {
    await service.start({ name: 'reader-2', via: 'bus', send: 'calls' });
    const received = await messagesOn('ringdown.subscribers.reader-2.calls');
    const call = { callId: 'c9', version: 1, parties: [{ id: 'a', uri: 'sip:alice@example.test' }], streams: [] };
    await nats.kill();
    await nats.restart();
    const publishCall = (): Promise<boolean> =>
      service.bus.js.publish(CALLS_CHANGED_SUBJECT, JSON.stringify({ calls: [call] }), { timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    await eventually('the bus', publishCall);
    await eventually('the call', () => received.length > 0);
    expect(received[0]).toEqual({ ...call, parties: [{ id: 'a', uri: `sip:${hiding.token('alice')}@example.test` }] });
  });
});

describe('a subscriber that does not accept requests', () => {
  const numbered = (metric: string): string => `ringdown_${metric}{subscriber="subscriber-${subscriberNumber}"`;

  it('gets them again until it accepts them, without loss', async () => {
    let failures = 3;
    receiver.answer = () => ({ status: failures-- > 0 ? 503 : 200 });
    await service.start(subscriber());
    await service.publish(start('again'));
    expect(await received(1)).toHaveLength(1);
    expect(await service.metric(numbered('subscriber_retries_total'))).toBe(3);
    await eventually(
      'the time that it took',
      async () => (await service.metric(numbered('subscriber_delivery_seconds_count'))) === 1,
    );
    // The receiver has accepted it before the sender gets the answer.
    await eventually(
      'the end of the failure',
      async () => (await service.metric(numbered('subscriber_failing'))) === 0,
    );
  });

  it('gets them again after a reply that changes the protocol', async () => {
    let failures = 1;
    const upgrade = { status: 101, headers: { connection: 'upgrade', upgrade: 'other' } };
    receiver.answer = () => (failures-- > 0 ? upgrade : { status: 200 });
    await service.start(subscriber());
    await service.publish(start('upgraded'));
    expect(await received(1)).toHaveLength(1);
  });

  it('does not get a record after the last retry, and gets the next one', async () => {
    receiver.answer = (body) => ({ status: body.includes('poison') ? 400 : 200 });
    await service.start(subscriber({ maxretry: 2 }));
    await service.publish(start('poison'), start('good'));
    const records = await received(1);
    expect(records.map(({ connection }) => connection.callId)).toEqual(['good']);
    await eventually(
      'the drop',
      async () => (await service.metric(`${numbered('subscriber_dropped_total')},reason="retries"`)) === 1,
    );
    await eventually(
      'the record of the other subscriber',
      async () => (await service.metric(numbered('subscriber_delivered_total'))) === 1,
    );
  });

  it('gets the missed records when it is back, also after a restart of the service', async () => {
    const { port } = receiver;
    const one = subscriber();
    await service.start(one);
    await receiver.stop();
    await service.publish(start('while-away-1'));
    await eventually('a failure', async () => (await service.metric(numbered('subscriber_failing'))) === 1);
    await service.stop();
    await service.publish(start('while-away-2'));
    receiver = await Receiver.start(port);
    await service.start(one);
    const records = await received(2);
    expect(records.map(({ connection }) => connection.callId).toSorted()).toEqual(['while-away-1', 'while-away-2']);
  });

  it('gets the records before and after an outage of the bus', async () => {
    await service.start(subscriber());
    await service.publish(start('before'));
    await received(1);
    await nats.kill();
    await nats.restart();
    await eventually('the bus', () =>
      service.publish(start('after')).then(
        () => true,
        () => false,
      ),
    );
    const after = await eventually('the record', () => receiver.received.find(({ body }) => body.includes('after')));
    expect(read(after).events).toHaveLength(1);
  });

  it('loses the oldest records beyond its queue length, counted', async () => {
    const all = Promise.withResolvers<void>();
    receiver.held = all.promise;
    await service.start(subscriber({ submitqueuelen: 1, maxopen: 1 }));
    for (let n = 0; n < 100; n++) await service.publish(start(`queue ${n}`));
    await service.publish(start('newest'));
    all.resolve();
    await eventually('the newest record', () => receiver.received.some(({ body }) => body.includes('newest')));
    const dropped = await service.metric(`${numbered('subscriber_dropped_total')},reason="queue"`);
    expect(dropped).toBeGreaterThan(0);
    expect(receiver.received.length + (dropped ?? 0)).toBe(101);
  });

  it('does not get unreadable messages, counted, and gets the next ones', async () => {
    await service.start(subscriber());
    await service.bus.js.publish(recordsSubject(0), '{"v":99}');
    await service.publish(start('behind'));
    expect(await received(1)).toHaveLength(1);
    await eventually(
      'the drop',
      async () => (await service.metric(`${numbered('subscriber_dropped_total')},reason="unreadable"`)) === 1,
    );
  });

  it('has its waiting messages counted, even while none are delivered', async () => {
    const all = Promise.withResolvers<void>();
    receiver.held = all.promise;
    await service.start(subscriber());
    for (let n = 0; n < 100; n++) await service.publish(start(`waits ${n}`));
    const waiting = (): Promise<number | undefined> => service.metric(numbered('subscriber_waiting'));
    await eventually('all records to be waiting', async () => (await waiting()) === 100);
    all.resolve();
    await eventually('no record to be waiting', async () => (await waiting()) === 0);
    expect(receiver.received).toHaveLength(100);
  });

  it('does not delay others', async () => {
    const dead = subscriber({ submituri: 'http://127.0.0.1:9/' });
    await service.start(dead, subscriber());
    await service.publish(start('for the living'));
    expect(await received(1)).toHaveLength(1);
  });
});
