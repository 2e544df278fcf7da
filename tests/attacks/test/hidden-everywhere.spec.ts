/* oxlint-disable eslint/max-lines -- one list with an entry for each path of the API */
import { eventually } from '@ringdown/testing/eventually';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { fileURLToPath } from 'node:url';
import {
  CALL_IDS,
  document,
  FRONT_ENDS,
  planted,
  plantedMessages,
  plantedRecords,
  SECRET,
  usual,
} from '../src/planted-records.js';
import { runningSystem } from '../src/running-system.js';

const DESCRIPTION = readFileSync(fileURLToPath(new URL('../../../../docs/openapi.yaml', import.meta.url)), 'utf8');
/** Every path of the query API that can be read. */
const PATHS = [...DESCRIPTION.matchAll(/^ {2}(\/api\/\S+):\n(?: {4}parameters:\n(?: {6}.*\n)+)? {4}get:$/gm)].map(
  ([, path = '']) => path,
);
const DIMENSIONS =
  'frontEnd site subnet medium codec connection userAgent pool device os relay trunk tenantId ssid bssid driver category dscp vpn inside mediaBypass'.split(
    ' ',
  );

/** Rules of alerts divide calls, and not streams; sites need SITES_FILE, which this system does not have. */
const NOT_IN_RULES = ['medium', 'codec', 'connection', 'userAgent', 'site'];
const RULES_BY = DIMENSIONS.filter((by) => !NOT_IN_RULES.includes(by));

const LOAD_BY = 'frontEnd site pool trunk tenantId relay'.split(' ');

const system = runningSystem();
const plainOperator = system.addPerson('dave', 'operator');
/** Token of an operator who may not see users. */
let operator: string;
/** Token of a user who may see users. */
let revealer: string;

beforeAll(async () => {
  operator = await system.tokenOf(plainOperator);
  revealer = await system.client.signIn('carol');
  const answers = await Promise.all(plantedRecords(new Date()).map((record) => system.client.post(record)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(CALL_IDS.length);
  expect((await system.client.postMessages("Zaphod's front end", plantedMessages(new Date()))).status).toBe(200);
  for (const path of ['/Zaphod', '/sip:trillian@example.test', '/?user=zaphod'])
    expect((await system.client.post('<Zaphod of="Beeblebrox">Trillian</Zaphod>', path)).status).toBe(400);
  const messages = `/api/calls/${encodeURIComponent(CALL_IDS[0] ?? '')}/messages`;
  await eventually('messages', async () => (await system.client.as(revealer, messages)).text.includes('INVITE'));
  await eventually('all calls', async () => (await readItems('/api/calls', revealer)).length === CALL_IDS.length);
});

/**
 * The planted words in a text: as they are, with percent signs or entities, or encoded in base64, as cursors may be.
 */
function plantedIn(text: string): readonly string[] {
  const encoded = [...text.matchAll(/[\w+/-]{8,}/g)].flatMap(([run]) =>
    [0, 1, 2, 3].map((skipped) => Buffer.from(run.slice(skipped), 'base64url').toString('latin1')),
  );
  const escaped = text.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return [text, escaped, ...encoded].flatMap(
    (each) => new RegExp(`.{0,60}(?:${SECRET.source}).{0,20}`, 'i').exec(each) ?? [],
  );
}

/** The whole response: body and headers. */
async function read(path: string, token = operator): Promise<string> {
  const { status, headers, text } = await system.client.as(token, path);
  expect([path, status]).toEqual([path, 200]);
  return `${JSON.stringify(headers)}\n${text}`;
}

/** The response to a request for which the operator lacks a role. */
async function refused(path: string): Promise<string> {
  const { status, headers, text } = await system.client.as(operator, path);
  expect([path, status]).toEqual([path, 403]);
  return `${JSON.stringify(headers)}\n${text}`;
}

/** All pages of a list, one item on each. */
async function readAllPages(path: string, token = operator): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let next: string | null = ''; next !== null;) {
    const page = await read(
      `${path}${path.includes('?') ? '&' : '?'}limit=1${next === '' ? '' : `&cursor=${next}`}`,
      token,
    );
    pages.push(page);
    const body: { next?: string | null } = JSON.parse(page.slice(page.indexOf('\n')));
    next = body.next ?? null;
  }
  return pages;
}

async function readItems(path: string, token = operator): Promise<readonly Record<string, string>[]> {
  const body: { items: readonly Record<string, string>[] } = JSON.parse((await system.client.as(token, path)).text);
  return body.items;
}

async function shownIds(): Promise<readonly string[]> {
  return (await readItems('/api/calls')).map(({ callId = '' }) => encodeURIComponent(callId));
}

/** A file that is not a capture, with planted names. Returns where its report is. */
async function upload(): Promise<string> {
  const path = '/api/captures';
  const headers = { 'content-type': 'application/octet-stream' };
  const accepted = await eventually('room for a capture', async () => {
    const answer = await system.client.as(revealer, path, { method: 'POST', body: 'Zaphod Beeblebrox', headers });
    return answer.status === 202 && answer;
  });
  return String(accepted.headers['location']);
}

/** A search for a planted user by an operator who sees users, shared with the others. Returns where it is. */
async function shareSearch(): Promise<string> {
  const parameters = {
    user: ['sip:zaphod@example.test', 'trillian'],
    'not.frontEnd': FRONT_ENDS[1],
    callId: CALL_IDS[1],
    q: 'Beeblebrox',
  };
  const body = JSON.stringify({ name: 'Calls of Zaphod Beeblebrox', shared: true, parameters });
  const headers = { 'content-type': 'application/json' };
  const { status, headers: answer } = await system.client.as(revealer, '/api/searches', {
    method: 'POST',
    body,
    headers,
  });
  expect(status).toBe(201);
  return String(answer['location']);
}

/** A rule about planted users by an operator who sees users. Returns where it is. */
async function createRule(): Promise<string> {
  const search = { user: 'sip:zaphod@example.test', frontEnd: FRONT_ENDS[1], q: 'Beeblebrox' };
  const body = JSON.stringify({ name: 'Bad calls of Zaphod', measure: 'badCalls', limit: 0.5, search });
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', body, headers } as const;
  const { status, headers: answer } = await system.client.as(revealer, '/api/alert-rules', options);
  expect(status).toBe(201);
  return String(answer['location']);
}

/** A limit of a planted trunk, by an admin who sees its name; without If-Match, one that is there stays. Returns the shown name. */
async function limitTrunk(): Promise<string> {
  const options = { method: 'PUT', body: '{"calls":5}', headers: { 'content-type': 'application/json' } } as const;
  await system.client.as(revealer, "/api/limits/trunk/Zaphod's%20trunk", options);
  const [{ trunk = '' } = {}] = await readItems('/api/limits/trunk');
  return trunk;
}

/** What a rule that fires at each call would have raised, in all dimensions. */
async function previews(): Promise<readonly string[]> {
  const headers = { 'content-type': 'application/json' };
  const rules = RULES_BY.map((by) => ({
    measure: 'answerSeizure',
    limit: 1,
    by,
    search: {},
  }));
  const answers = await Promise.all(
    [...rules, { measure: 'silentFeed', limit: 300 }].map((rule) => {
      const body = JSON.stringify({ name: 'x', minimumCalls: 1, ...rule });
      return system.client.as(operator, '/api/alert-rules/preview', { method: 'POST', body, headers });
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  return answers.map(({ text }) => text);
}

/** Alerts of rules about a planted call that failed, in all dimensions. */
async function raisedAlerts(): Promise<string> {
  const failed = document('1.0', `zaphod-${Date.now()}@example.test`, 1, new Date(), planted('Error'));
  expect((await system.client.post(failed)).status).toBe(200);
  const headers = { 'content-type': 'application/json' };
  const rule = { measure: 'answerSeizure', limit: 1, minimumCalls: 1, windowSeconds: 86_400 };
  const search = { 'not.user': 'sip:zaphod@example.com' };
  for (const by of [null, ...RULES_BY]) {
    const body = JSON.stringify({ ...rule, by, search, name: `Calls with Zaphod by ${by}` });
    expect((await system.client.as(revealer, '/api/alert-rules', { method: 'POST', body, headers })).status).toBe(201);
  }
  return eventually('an alert', async () => {
    const { text } = await system.client.as(operator, '/api/alerts?limit=200');
    const { items }: { items: readonly unknown[] } = JSON.parse(text);
    return items.length > 3 && text;
  });
}

/** The requests for each path; a path that is not here fails the test. */
const SUGGESTED = ['user', 'frontEnd', 'medium', 'codec', 'connection', 'userAgent', 'errorCode', 'diagnosticsCode'];

const QUESTIONS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  '/api/alert-receivers': async () => [await read('/api/alert-receivers')],
  '/api/alert-rules': async () => {
    await createRule();
    return [await read('/api/alert-rules'), ...(await previews())];
  },
  '/api/alert-rules/{id}': async () => [
    await read(await createRule()),
    await read(`${await createRule()}?identities=hidden`),
  ],
  '/api/alerts': async () => [await raisedAlerts()],
  '/api/alerts/{id}': async () => {
    const { items }: { items: readonly { id: string }[] } = JSON.parse(await raisedAlerts());
    return Promise.all(items.map(({ id }) => read(`/api/alerts/${id}`)));
  },
  '/api/calls': async () =>
    (await Promise.all(['newest', 'oldest'].map((sort) => readAllPages(`/api/calls?sort=${sort}`)))).flat(),
  '/api/calls.csv': async () => [await read('/api/calls.csv')],
  '/api/calls.ndjson': async () => [await read('/api/calls.ndjson')],
  '/api/calls/stream': async () => [await streamed()],
  '/api/calls/{callId}': async () => Promise.all((await shownIds()).map((id) => read(`/api/calls/${id}`))),
  '/api/calls/{callId}/messages': () => messagesAs(''),
  '/api/calls/{callId}/messages.txt': () => messagesAs('.txt'),
  '/api/calls/{callId}/messages.pcap': () => messagesAs('.pcap'),
  '/api/calls/{callId}/messages/stream': async () => [await streamedMessages()],
  '/api/calls/{callId}/metrics': async () =>
    Promise.all((await shownIds()).map((id) => read(`/api/calls/${id}/metrics`))),
  '/api/calls/{callId}/metrics/stream': async () => Promise.all((await shownIds()).map(streamedMetrics)),
  '/api/calls/{callId}/timeline': async () =>
    (await Promise.all((await shownIds()).map((id) => readAllPages(`/api/calls/${id}/timeline`)))).flat(),
  '/api/calls/{callId}/surroundings': async () =>
    Promise.all((await shownIds()).map((id) => read(`/api/calls/${id}/surroundings`))),
  '/api/captures': async () => {
    await upload();
    return [await read('/api/captures')];
  },
  '/api/captures/{id}': async () => {
    const location = await upload();
    const ended = async (): Promise<string | false> => {
      const text = await read(location);
      return !text.includes('"state":"reading"') && text;
    };
    const report = await eventually('the end of the reader', ended);
    expect(report).toContain('"state":"failed"');
    expect(report).toContain('"code":"not-a-capture"');
    return [report];
  },
  '/api/front-ends': () => readAllPages('/api/front-ends'),
  '/api/front-ends/{name}': async () =>
    Promise.all(
      (await readItems('/api/front-ends')).map(({ name = '' }) => read(`/api/front-ends/${encodeURIComponent(name)}`)),
    ),
  '/api/me': async () => [await read('/api/me')],
  '/api/me/password-rules': async () => [await read('/api/me/password-rules')],
  '/api/me/sessions': async () => [await read('/api/me/sessions')],
  '/api/people': async () => [await refused('/api/people?search=zaphod')],
  '/api/people/{username}': async () => [await refused('/api/people/carol@example.test')],
  '/api/people/{username}/identity': async () => [await refused('/api/people/carol@example.test/identity')],
  '/api/people/{username}/sessions': async () => [await refused('/api/people/carol@example.test/sessions')],
  '/api/searches': async () => {
    await shareSearch();
    return readAllPages('/api/searches');
  },
  '/api/searches/{id}': async () => [
    await read(await shareSearch()),
    await read(`${await shareSearch()}?identities=hidden`),
  ],
  '/api/services': async () => [await read('/api/services')],
  '/api/statistics/streams': () =>
    Promise.all(['', ...DIMENSIONS.map((by) => `?by=${by}`)].map((query) => read(`/api/statistics/streams${query}`))),
  '/api/statistics/metrics': () =>
    Promise.all(
      ['', ...DIMENSIONS.map((by) => `&by=${by}`)].map((query) => read(`/api/statistics/metrics?metric=loss${query}`)),
    ),
  '/api/statistics/total': async () => [await read('/api/statistics/total')],
  '/api/statistics/load': () =>
    Promise.all(['', ...LOAD_BY.map((by) => `?by=${by}`)].map((query) => read(`/api/statistics/load${query}`))),
  '/api/limits/trunk': async () => [(await limitTrunk()) && (await read('/api/limits/trunk'))],
  '/api/limits/trunk/{name}': async () => [await read(`/api/limits/trunk/${encodeURIComponent(await limitTrunk())}`)],
  '/api/rejected-records': async () => [await read('/api/rejected-records')],
  '/api/sip-failures': async () => [await read('/api/sip-failures')],
  '/api/suspects': async () => [await read('/api/suspects')],
  '/api/sip-failures/peers': async () => [await read('/api/sip-failures/peers')],
  '/api/suggest': () =>
    Promise.all(
      [...SUGGESTED, SUGGESTED.join('&field=')].map((field) => read(`/api/suggest?field=${field}&limit=200`)),
    ),
};

async function messagesAs(ending: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    (await shownIds()).map((id) => read(`/api/calls/${id}/messages${ending}?legs=all`)),
  );
  expect(answers.filter((answer) => answer.includes('INVITE')).length).toBeGreaterThanOrEqual(CALL_IDS.length);
  return answers;
}

/** The head and the events of the messages of a call. */
async function streamedMessages(): Promise<string> {
  const { seen, stop } = await openStream(`/api/calls/${encodeURIComponent(CALL_IDS[0] ?? '')}/messages/stream`);
  await eventually('a message', () => seen().includes('event: message'));
  stop();
  return seen();
}

/** The head and the first events of the metrics of a call; a call without reports has only the head. */
async function streamedMetrics(id: string): Promise<string> {
  const items = await readItems(`/api/calls/${id}/metrics`);
  const { seen, stop } = await openStream(`/api/calls/${id}/metrics/stream`);
  if (items.length > 0) await eventually('a point', () => seen().includes('event: point'));
  stop();
  return seen();
}

/** The head and the events of a live stream, from before a change until after it. */
async function streamed(): Promise<string> {
  const { seen, stop } = await openStream('/api/calls/stream');
  await eventually('a snapshot', () => seen().includes('event: snapshot'));
  const fresh = document('1.0', `zaphod-${Date.now()}@example.test`, 1, new Date(), usual('StartOrUpdate', 'zaphod'));
  expect((await system.client.post(fresh)).status).toBe(200);
  await eventually('a change', () => seen().includes('event: call'));
  stop();
  return seen();
}

async function openStream(path: string): Promise<{ seen: () => string; stop: () => void }> {
  const request = get(`${system.client.origin}${path}`, {
    ca: system.ca,
    headers: { authorization: `Bearer ${operator}` },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- what the event brings
  let seen = JSON.stringify(response.rawHeaders);
  response.setEncoding('utf8').on('data', (piece: string) => (seen += piece));
  return { seen: () => seen, stop: () => request.destroy() };
}

describe('an operator who may not see users', () => {
  it('has every path of the query API checked here', () => {
    expect(Object.keys(QUESTIONS).toSorted()).toEqual([...PATHS].toSorted());
    expect(PATHS.length).toBeGreaterThan(10);
  });

  it.each(PATHS)('finds no planted name at %s, in body, headers or cursors', async (path) => {
    const answers = (await QUESTIONS[path]?.()) ?? [];
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.flatMap(plantedIn)).toEqual([]);
  });

  it.each([
    '/api/calls',
    '/api/calls.csv',
    '/api/calls.ndjson',
    '/api/front-ends',
    '/api/rejected-records',
    '/api/searches',
    '/api/alert-rules',
  ])('would find planted names at %s with the role `reveal`', async (path) =>
    expect(plantedIn(await read(path, revealer))).not.toEqual([]),
  );

  it.each(['', '.txt', '.pcap'])('would find planted names in messages%s with the role `reveal`', async (ending) => {
    const id = encodeURIComponent(CALL_IDS[0] ?? '');
    expect(plantedIn(await read(`/api/calls/${id}/messages${ending}`, revealer))).not.toEqual([]);
  });

  it('opens and finds every call by the CallId in the response', async () => {
    for (const id of await shownIds()) {
      expect(JSON.parse((await system.client.as(operator, `/api/calls/${id}`)).text)).toMatchObject({
        callId: decodeURIComponent(id),
      });
      expect(await readItems(`/api/calls?callId=${id}`)).toHaveLength(1);
    }
  });

  it('finds calls by the front end and the conversation in the response', async () => {
    for (const { name = '' } of await readItems('/api/front-ends'))
      expect((await readItems(`/api/calls?frontEnd=${encodeURIComponent(name)}`)).length).toBeGreaterThan(0);
    const [{ conversationId = '' } = {}] = await readItems('/api/calls');
    expect((await readItems(`/api/calls?conversationId=${encodeURIComponent(conversationId)}`)).length).toBeGreaterThan(
      0,
    );
  });

  it('finds no call by a part of a planted name, which would tell who is behind a token', async () => {
    for (const name of SECRET.source.split('|')) {
      const q = encodeURIComponent(name.slice(1));
      expect([name, await readItems(`/api/calls?q=${q}`)]).toEqual([name, []]);
      for (const field of SUGGESTED) expect(await readItems(`/api/suggest?field=${field}&q=${q}`)).toEqual([]);
    }
  });

  it('learns nothing from requests for hidden ids and front ends', async () => {
    const paths = [
      ...[...CALL_IDS.slice(1), 'nobody@example.test'].flatMap((id) => [
        `/api/calls/${encodeURIComponent(id)}`,
        `/api/calls/${encodeURIComponent(id)}/timeline`,
        `/api/calls/${encodeURIComponent(id)}/surroundings`,
        `/api/calls?callId=${encodeURIComponent(id)}`,
        `/api/calls?conversationId=${encodeURIComponent(id)}`,
      ]),
      ...[...FRONT_ENDS.slice(1), 'without a name'].map((name) => `/api/front-ends/${encodeURIComponent(name)}`),
    ];
    for (const path of paths) {
      const { status, text } = await system.client.as(operator, path);
      expect([path, status, Object(JSON.parse(text)).code]).toEqual([path, 403, 'may-search-tokens-only']);
    }
    for (const id of CALL_IDS)
      expect((await system.client.as(revealer, `/api/calls/${encodeURIComponent(id)}`)).status).toBe(200);
    for (const name of FRONT_ENDS)
      expect((await system.client.as(revealer, `/api/front-ends/${encodeURIComponent(name)}`)).status).toBe(200);
  });
});
