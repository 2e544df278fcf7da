import { stateSettings } from '@ringdown/contracts/bucket-limits';
import { channelSubject, pollsHeldPattern } from '@ringdown/contracts/event-channels';
import { PEOPLE_AUDIT_PATTERN, PEOPLE_KNOWN_PATTERN } from '@ringdown/contracts/people';
import { readerName } from '@ringdown/contracts/readers';
import { partitionOfCall, RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { UPLOADS_CHECK_PATTERN } from '@ringdown/contracts/upload-tickets';
import { RequestedPlace } from '@ringdown/feed-bus';
import { BUS_FIXED_BYTES, deadLetterSettings, streamSettings } from '@ringdown/feed-bus/streams';
import { Identities, PeopleStore, StoreEditor } from '@ringdown/directory/stored';
import { Bucket } from '@ringdown/nats/buckets';
import { ServiceReports } from '@ringdown/service';
import { readSettings } from '@ringdown/settings';
import { eventually } from '@ringdown/testing/eventually';
import { freePorts, launch, running, SystemClient } from '@ringdown/testing/launched-system';
import { startNats } from '@ringdown/testing/servers/nats';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { randomUUID } from 'node:crypto';
import { tokenHash } from '@ringdown/token-validation';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressPattern, BusDescription } from './bus-description.js';
import { endXml, errorXml, laterXml, qualityXml, startXml } from './feed-examples.js';
import { Wiretap } from './wiretap.js';

const USER = '/uc/discovery/user';
const APPLICATIONS = '/uc/v1/applications';

describe('the messages on the bus while the system is used', () => {
  const description = new BusDescription();
  const { channels } = description.document;
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-bus-'));
  const tokens: string[] = [];
  const started = new Started();
  let tap: Wiretap;
  let client: SystemClient;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    tap = started.add(await Wiretap.open(nats.url));
    const ports = await freePorts();
    // No server accepts what is sent to this subscriber; this test does not depend on it.
    const subscribers = [
      { name: 'nobody', submituri: 'http://127.0.0.1:9/', send: 'calls' },
      { name: 'on-the-bus', via: 'bus', hidepii: false },
      { name: 'calls-on-the-bus', via: 'bus', send: 'calls', hidepii: false },
    ];
    const SUBSCRIBERS_FILE = join(folder, 'subscribers.json');
    writeFileSync(SUBSCRIBERS_FILE, JSON.stringify({ subscribers }));
    const env = { ...ports, DATA_DIR: folder, NATS_URL: nats.url, APPLICATIONS_PER_USER: '2', SUBSCRIBERS_FILE };
    await seedDatabase(join(folder, 'database'));
    await running(started.add(launch(env)));
    client = started.add(new SystemClient(folder, ports));
    await useTheWebInterface();
    await talk();
    await meetAndSignOut();
    await feed();
    await callsInProgress();
    await placeOfSubscriber();
    await requestWithInvalidTokens();
    await uploadACapture();
    await anotherAggregatorLeaves();
    await changePeople();
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function signIn(name: string): Promise<string> {
    const token = await client.signIn(name);
    tokens.push(token);
    return token;
  }

  async function useTheWebInterface(): Promise<void> {
    const alice = await signIn('alice');
    expect((await client.as(alice, USER)).status).toBe(200);
    const create = (userAgent: string, endpointId = 'phone'): Promise<{ status: number; text: string }> =>
      client.as(alice, APPLICATIONS, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ culture: 'en-US', endpointId, userAgent }),
      });
    const created = await create('First/1');
    const again = await create('First/2');
    expect([created.status, again.status]).toEqual([201, 201]);
    const [application = ''] = /\/uc\/v1\/applications\/\d{24}/.exec(again.text) ?? [];
    expect((await client.as(alice, `${application}/people/search?query=bob&limit=5`)).status).toBe(200);
    const available = await client.as(alice, `${application}/me/makeMeAvailable`, { method: 'POST' });
    expect(available.status).toBe(204);
    const subscribe = `${application}/people/presenceSubscriptions?uris=sip:bob@example.test`;
    expect((await client.as(alice, subscribe, { method: 'POST' })).status).toBe(201);
    for (const endpoint of ['tablet', 'car']) expect((await create('Other/1', endpoint)).status).toBe(201);
    expect((await client.as(alice, application)).status).toBe(410);
    const [last = ''] = /\/uc\/v1\/applications\/\d{24}/.exec((await create('Other/2', 'car')).text) ?? [];
    await pollForEvents(alice, last);
  }

  /** A poll waits after one of higher priority, at a replica that does not hold that one any more. */
  async function pollForEvents(token: string, application: string): Promise<void> {
    const subject = channelSubject(application.slice(-24), '0');
    const waiter = { token: 'elsewhere.1', priority: 3, until: Date.now() + 100_000, resume: false };
    const polling = { low: 15, medium: 5, timeout: 180, priority: 3 };
    const state = { v: 1, last: 0, held: null, heldBy: null, pending: [], polling, waiter, endedAt: null };
    await tap.disturb(subject, JSON.stringify(state));
    const stop = tap.bus.respond(pollsHeldPattern('elsewhere'), () => false);
    const poll = client.as(token, `${application}/events?ack=1&priority=1`);
    await eventually('the poll to wait', () => tap.messages.some((message) => message.subject === subject));
    stop();
    expect((await client.as(token, application, { method: 'DELETE' })).status).toBe(204);
    expect((await poll).status).toBe(404);
    expect((await client.as(token, application)).status).toBe(404);
  }

  /** Alice writes to Bob, and both leave; and there is a conversation that ended long ago. */
  async function talk(): Promise<void> {
    const [alice, bob] = [await signIn('alice'), await signIn('bob')];
    const post = (token: string, path: string, body: string, type = 'application/json'): ReturnType<typeof client.as> =>
      client.as(token, path, { method: 'POST', headers: { 'content-type': type }, body });
    const application = async (token: string): Promise<string> => {
      const { text } = await post(token, APPLICATIONS, '{"culture":"en-US","endpointId":"talk","userAgent":"x"}');
      return /\/uc\/v1\/applications\/\d{24}/.exec(text)?.[0] ?? '';
    };
    const [own, other] = [await application(alice), await application(bob)];
    const available = '{"supportedModalities":["Messaging"]}';
    expect((await post(bob, `${other}/me/makeMeAvailable`, available)).status).toBe(204);
    const invitation = { to: 'sip:bob@example.test', subject: 'Lunch', operationId: 'a', message: 'data:,hi' };
    const { headers } = await post(alice, `${own}/communication/messagingInvitations`, JSON.stringify(invitation));
    const [id = ''] = /[^/]+$/.exec(String(headers['location'])) ?? [];
    expect((await post(bob, `${other}/communication/messagingInvitations/${id}/accept`, '')).status).toBe(204);
    const messaging = `${own}/communication/conversations/${id}/messaging`;
    expect((await post(alice, `${messaging}/typing`, '')).status).toBe(204);
    const sent = await post(alice, `${messaging}/messages?operationId=b`, 'Are you there?', 'text/plain');
    expect(sent.status).toBe(201);
    let next = `${other}/events?ack=1`;
    await eventually('the message', async () => {
      const { text } = await client.as(bob, next);
      next = /"next":\{"href":"([^"]+)"/.exec(text)?.[1] ?? next;
      return text.includes('Are+you+there');
    });
    for (const [token, path] of [
      [alice, own],
      [bob, other],
    ] as const) {
      expect((await client.as(token, path, { method: 'DELETE' })).status).toBe(204);
    }
    const subject = `$KV.CONVERSATIONS.conversation.${id}`;
    const ofConversation = (): readonly string[] =>
      tap.messages.flatMap((message) => (message.subject === subject ? [message.payload] : []));
    const last = Object(JSON.parse(ofConversation().at(-1) ?? ''));
    const longOver = { ...last, conversation: { ...last.conversation, phase: 'ended', usedAt: 0 }, outbox: [], due: 0 };
    await tap.disturb(subject, JSON.stringify(longOver));
    await eventually('the conversation to be deleted', async () => {
      return (await tap.bus.jsm.streams.getMessage('KV_CONVERSATIONS', { last_by_subj: subject })) === null;
    });
  }

  async function forwardCalls(token: string, url: string): Promise<void> {
    const before = Object(JSON.parse((await client.as(token, url)).text));
    const headers = { 'content-type': 'application/json', 'if-match': before.etag };
    const body = JSON.stringify({ ...before, activeSetting: 'ImmediateForward' });
    expect((await client.as(token, url, { method: 'PUT', headers, body })).status).toBe(204);
  }

  async function inviteAsGuest(token: string, organizer: string): Promise<void> {
    const post = (path: string, body: object): ReturnType<typeof client.as> =>
      client.as(token, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const { text } = await post(APPLICATIONS, { culture: 'en-US', endpointId: 'guest', userAgent: 'x' });
    const [own = ''] = /\/uc\/v1\/applications\/\d{24}/.exec(text) ?? [];
    const invitation = { to: organizer, anonymousDisplayName: 'Ann' };
    expect((await post(`${own}/communication/messagingInvitations`, invitation)).status).toBe(201);
    expect((await client.as(token, own, { method: 'DELETE' })).status).toBe(204);
  }

  async function meetAndSignOut(): Promise<void> {
    await expect(client.signIn('bob', 'wrong')).rejects.toThrow('400');
    const bob = await signIn('bob');
    const post = (path: string, body: string, type = 'json'): Promise<{ status: number; text: string }> =>
      client.as(bob, path, { method: 'POST', headers: { 'content-type': `application/${type}` }, body });
    const application = '{"culture":"en-US","endpointId":"phone","userAgent":"x"}';
    const [own = ''] = /\/uc\/v1\/applications\/\d{24}/.exec((await post(APPLICATIONS, application)).text) ?? [];
    expect((await post(`${own}/people/groups`, '{"displayName":"Team"}')).status).toBe(204);
    expect((await post(`${own}/people/contactsAndGroupsSubscription`, '{"duration":30}')).status).toBe(201);
    await forwardCalls(bob, `${own}/me/callForwardingSettings`);
    const made = await post(`${own}/onlineMeetings/myOnlineMeetings`, '{"subject":"Lunch"}');
    const { conferenceId = '', onlineMeetingUri = '' } = Object(JSON.parse(made.text));
    const fields = { grant_type: 'urn:ringdown:uc:anonmeeting', password: conferenceId };
    const form = new URLSearchParams({ ...fields, ringdown_rtc_conferenceuri: onlineMeetingUri }).toString();
    const guest = await post('/uc/token', form, 'x-www-form-urlencoded');
    const { access_token: guestToken } = Object(JSON.parse(guest.text));
    tokens.push(guestToken);
    expect((await client.as(guestToken, USER)).status).toBe(200);
    await inviteAsGuest(guestToken, 'sip:bob@example.test');
    const meeting = `${own}/onlineMeetings/myOnlineMeetings/${conferenceId}`;
    expect((await client.as(bob, meeting, { method: 'DELETE' })).status).toBe(204);
    expect((await client.as(bob, '/uc/token/revoke', { method: 'POST' })).status).toBe(200);
    await eventually('the token to be refused', async () => (await client.as(bob, USER)).status === 401);
  }

  async function feed(): Promise<void> {
    for (const xml of [startXml, errorXml, qualityXml, endXml]) {
      expect((await client.post(xml('tapped-1'))).status).toBe(200);
    }
    expect((await client.post(laterXml('tapped-2'))).status).toBe(200);
    await trace('tapped-1');
    const failures = [{ method: 'REGISTER', status: '403', peer: '192.0.2.10', count: 3 }];
    const report = { v: 1, id: randomUUID(), frontEnd: 'fe1.example.test', failures };
    expect((await client.postSipFailures(report)).status).toBe(200);
    expect((await client.post('<html/>')).status).toBe(400);
    const partition = partitionOfCall('tapped-1');
    await tap.disturb(recordsSubject(partition), 'not JSON');
    await tap.disturb(recordsSubject(partition), '{"v":1,"records":[{"id":"x"}]}');
    const carol = await signIn('carol');
    await eventually('the calls and what was refused', async () => {
      const calls = await client.as(carol, '/api/calls');
      const rejected = await client.as(carol, '/api/rejected-records');
      const codes = [...rejected.text.matchAll(/"code":"([a-z-]+)"/g)].map(([, code]) => code);
      const expected = ['unknown-root', 'unreadable-message', 'unreadable-record'];
      return expected.every((code) => codes.includes(code)) && /tapped-1.*tapped-2|tapped-2.*tapped-1/.test(calls.text);
    });
    await eventually('the Count of the replies', async () => {
      return (await client.as(carol, '/api/front-ends')).text.includes('"count":');
    });
  }

  async function trace(callId: string): Promise<void> {
    const at = Date.now() * 1_000;
    const [source, destination] = [
      { ip: '192.0.2.10', port: 5060 },
      { ip: '192.0.2.20', port: 5060 },
    ];
    const payload = Buffer.from('BYE sip:bob@192.0.2.20 SIP/2.0\r\n\r\n').toString('base64');
    const message = { callId, at, source, destination, content: 'sip', point: '7', payload };
    expect((await client.postMessages('fe1.example.test', [message])).status).toBe(200);
    await eventually('the notice of stored messages', () =>
      tap.messages.some(({ subject }) => subject === 'ringdown.traces.stored'),
    );
  }

  async function uploadACapture(): Promise<void> {
    const carol = await signIn('carol');
    const headers = { 'content-type': 'application/octet-stream' };
    const { headers: answer } = await client.as(carol, '/api/captures', {
      method: 'POST',
      headers,
      body: 'no capture',
    });
    const path = String(answer['location']);
    const isRead = async (): Promise<boolean> => !(await client.as(carol, path)).text.includes('"reading"');
    await eventually('the end of the reader', isRead);
    expect((await client.as(carol, path, { method: 'DELETE' })).status).toBe(204);
  }

  /** Sent at the start and then every minute; a system that is just starting may need a second request. */
  async function callsInProgress(): Promise<void> {
    const isPage = ({ payload }: { payload: string }): boolean => /^\{"calls":.*"next":/.test(payload);
    await eventually('an answer about calls in progress', () => tap.messages.some(isPage));
  }

  /** As subscribers do whose account has no streams; here, all services share one account. */
  async function placeOfSubscriber(): Promise<void> {
    const place = new RequestedPlace({ bus: tap.bus, stream: RECORDS_STREAM, reader: readerName('elsewhere') });
    expect(await place.ensure(undefined, false)).toBe('ready');
  }

  async function requestWithInvalidTokens(): Promise<void> {
    expect((await client.as('never-issued', USER)).status).toBe(401);
    await tap.disturb(`$KV.TOKENS.${tokenHash('broken')}`, 'not JSON');
    expect((await client.as('broken', USER)).status).toBe(503);
    // As a collector does for a record of an uploaded capture.
    expect(await tap.bus.request(UPLOADS_CHECK_PATTERN, { ticket: 'made-up' }, 5_000)).toEqual({ frontEnd: null });
  }

  async function changePeople(): Promise<void> {
    const store = await PeopleStore.open({ bus: tap.bus, logger: quietLogger(), role: 'user' });
    const people = new StoreEditor(store);
    const username = 'dave@example.test';
    const dave = {
      username,
      name: 'Dave',
      sipAddress: `sip:${username}`,
      phones: {},
      roles: ['user'],
      contacts: [],
    } as const;
    await people.add(dave);
    await people.change(username, (entry) => ({ ...entry, blocked: true }));
    const identities = await Identities.open(tap.bus);
    await identities.bind(username, { issuer: 'https://login.example.test', subject: '4711' });
    await identities.forget(username);
    await people.remove(username);
    await people.close();
    const audit = { action: 'remove', by: 'command:root', from: 'uc1', people: [username], result: 'done' };
    await tap.bus.request(PEOPLE_AUDIT_PATTERN, audit, 5_000);
    // An aggregator sends it once a minute.
    await tap.bus.request(PEOPLE_KNOWN_PATTERN, { usernames: [username] }, 5_000);
  }

  /** What an aggregator, and every service, does when it stops. */
  async function anotherAggregatorLeaves(): Promise<void> {
    const replicas = await Bucket.open({ bus: tap.bus, name: 'AGGREGATORS', maxAgeMs: 5_400, parse: Object });
    await replicas.delete('0123456789ab');
    await new ServiceReports(tap.bus).remove({ service: 'collector', replica: '0123456789ab' });
  }

  it('match exactly one description each, and every described message occurs', async () => {
    const seen = new Set(tap.describedBy(description));
    const described = Object.entries(channels).flatMap(([channel, { messages }]) =>
      Object.keys(messages).map((message) => `${channel}/${message}`),
    );
    expect([...seen].toSorted()).toEqual(described.toSorted());
  });

  it('contain no password and no token', async () => {
    const passwords = await Promise.all(['alice', 'bob', 'carol'].map((name) => client.firstUser(name)));
    const secrets = [...tokens, ...passwords.map(({ password }) => password)];
    expect(secrets.length).toBeGreaterThanOrEqual(5);
    const all = tap.messages.map((message) => JSON.stringify(message)).join('\n');
    expect(all).toContain(tokenHash(tokens[0] ?? ''));
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
  });

  it('are in streams and buckets with limits, whose sum is what the start compares with the disk', async () => {
    const limits = new Map<string, number>();
    for await (const { config } of tap.bus.jsm.streams.list()) limits.set(config.name, config.max_bytes);
    expect([...limits].filter(([, bytes]) => bytes <= 0)).toEqual([]);
    const settings = readSettings({ ...streamSettings, ...deadLetterSettings, ...stateSettings }, {});
    const { recordsMaxBytes, deadLettersMaxBytes, stateMaxBytes } = settings;
    const all = [...limits.values()].reduce((sum, bytes) => sum + bytes, 0);
    expect(all).toBe(recordsMaxBytes + deadLettersMaxBytes + stateMaxBytes + BUS_FIXED_BYTES);
  });

  it('are stored by the streams in the description, for the described time, and by no others', async () => {
    const existing = new Map<string, { subjects: readonly string[]; hours: number }>();
    for await (const { config } of tap.bus.jsm.streams.list()) {
      existing.set(config.name, { subjects: config.subjects, hours: config.max_age / 3.6e12 });
    }
    const named = Object.values(channels).flatMap((channel) => channel['x-jetstream'] ?? []);
    expect([...existing.keys()].toSorted()).toEqual([...new Set(named.map(({ stream }) => stream))].toSorted());
    for (const { stream, maxAgeHours } of named)
      expect([stream, existing.get(stream)?.hours]).toEqual([stream, maxAgeHours]);
    for (const { subject } of tap.messages.filter(({ subject }) => !subject.startsWith('_INBOX.'))) {
      const keeping = [...existing].filter(([, { subjects }]) => subjects.some((each) => covers(each, subject)));
      const channel = Object.values(channels).find((each) => addressPattern(each)?.test(subject));
      expect([subject, keeping.map(([name]) => name)]).toEqual([
        subject,
        channel?.['x-jetstream'] === undefined ? [] : [channel['x-jetstream'].stream],
      ]);
    }
  });
});

/** Whether a subject of a stream, with its wildcards, matches this one. */
function covers(wildcard: string, subject: string): boolean {
  const tokens = wildcard
    .split('.')
    .map((token) => (token === '*' ? '[^.]+' : token === '>' ? '.+' : RegExp.escape(token)));
  return new RegExp(`^${tokens.join('\\.')}$`).test(subject);
}
