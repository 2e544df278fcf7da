import { eventually } from '@ringdown/testing/eventually';
import type { Answer } from '@ringdown/testing/launched-system';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { runningSystem } from '../src/running-system.js';

const STREAMS = 3;
const REQUESTS = 1_000;
/** The limit of searches by name in a minute, for an operator who may not see users. */
const NAME_SEARCHES = 30;
const AT_ONCE = 250;

const system = runningSystem({
  LIVE_READERS_PER_USER: String(STREAMS),
  API_REQUESTS_PER_MINUTE: String(REQUESTS),
});
let carol: string;

beforeAll(async () => {
  carol = await system.client.signIn('carol');
});

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A call that begins at that time, with a conversation of that name. */
function timedStartRecord(callId: string, at = new Date().toISOString(), conversationId = 'c'): string {
  const [anna, ben] = ['anna', 'ben'].map((name) => `<Id>${name}</Id><URI>sip:${name}@example.test</URI>`);
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd><CallId>${escaped(callId)}</CallId>
    <CSEQ>1</CSEQ><ConversationId>${escaped(conversationId)}</ConversationId><TimeStamp>${at}</TimeStamp></ConnectionInfo>
    <StartOrUpdate Type="audio"><From>${anna}</From><To>${ben}</To><Properties><Protocol>UDP</Protocol></Properties>
    </StartOrUpdate></Diagnostics>`;
}

async function post(record: string): Promise<void> {
  expect((await system.client.post(record)).status).toBe(200);
}

/** The response of the query API, once the resource exists. */
function found(path: string): Promise<string> {
  return eventually(path, async () => {
    const { status, text } = await system.client.as(carol, path);
    return status === 200 && text;
  });
}

describe('calls that a sender invents', () => {
  it('are not formulas in a spreadsheet that separates columns at ";" or tabs', async () => {
    await post(timedStartRecord('formula', undefined, `x;=HYPERLINK("http://evil.test")\t+1`));
    await found('/api/calls/formula');
    const csv = await found('/api/calls.csv?callId=formula');
    const [, line = ''] = csv.split('\r\n');
    for (const cell of line.split(/[;\t,]/)) expect(cell.replace(/^["\s]+/, '')).not.toMatch(/^[=+@]/);
    expect(line).toContain('HYPERLINK');
  });

  it('do not stay the newest ones for years because of their own time', async () => {
    await post(timedStartRecord('of2099', '2099-12-31T23:59:59.000Z'));
    await found('/api/calls/of2099');
    const before = Date.now();
    await post(timedStartRecord('of-today'));
    await found('/api/calls/of-today');
    const { items } = JSON.parse(await found('/api/calls?sort=newest&limit=1')) as {
      items: { callId: string }[];
    };
    expect(items[0]?.callId).toBe('of-today');
    const call = JSON.parse(await found('/api/calls/of2099')) as {
      beganAt: string;
      clocks: { skewSeconds: number }[];
      records: { sentAt: string }[];
    };
    expect(Date.parse(call.beganAt)).toBeLessThanOrEqual(before + 60_000);
    // The original text stays visible.
    expect(call.records[0]?.sentAt).toBe('2099-12-31T23:59:59.000Z');
    expect(call.clocks[0]?.skewSeconds).toBeLessThan(-86_400 * 365);
  });

  it('have a timeline, whatever characters their CallId contains', async () => {
    const callId = 'İstanbul-ẞ-ﬀ-Ω';
    await post(timedStartRecord(callId));
    const path = `/api/calls/${encodeURIComponent(callId)}`;
    await found(path);
    const { status, text } = await system.client.as(carol, `${path}/timeline`);
    expect([status, text]).toEqual([200, expect.stringContaining('"items":[{')]);
  });
});

describe('an operator who sends too many requests', () => {
  it('does not get a wrong length in a HEAD request for an export', async () => {
    for (const format of ['csv', 'ndjson']) {
      const { status, headers } = await system.client.as(carol, `/api/calls.${format}`, { method: 'HEAD' });
      expect([status, headers['content-length']]).toEqual([200, undefined]);
    }
  });

  it('gets 429 and Retry-After for too many concurrent exports, and another export after they have ended', async () => {
    const exported = (): Promise<Answer> => system.client.as(carol, '/api/calls.ndjson');
    // They are short: not all ten of each round are in progress at the same time.
    const refused = await eventually('a refused export beside others', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, exported));
      return answers.some(({ status }) => status === 200) && answers.find(({ status }) => status === 429);
    });
    expect(refused.headers['retry-after']).toBe('10');
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'too-many-exports-of-user' });
    await eventually('another export', async () => (await exported()).status === 200);
  });

  async function openStream(): Promise<IncomingMessage> {
    const request = get(`${system.client.origin}/api/calls/stream`, {
      ca: system.ca,
      headers: { authorization: `Bearer ${carol}` },
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  it('gets 429 and Retry-After for one live stream too many, and another stream after one has ended', async () => {
    const streams = [];
    for (let n = 0; n < STREAMS; n++) streams.push(await openStream());
    expect(streams.map(({ statusCode }) => statusCode)).toEqual(streams.map(() => 200));
    const refused = await openStream();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
    refused.resume();
    streams.pop()?.destroy();
    await eventually('a place', async () => {
      const stream = await openStream();
      streams.push(stream);
      return stream.statusCode === 200;
    });
    for (const stream of streams) stream.destroy();
  });

  // Last: all other requests of this user in the rest of the minute are rejected.
  it('gets 429 and Retry-After beyond the allowed requests in a minute', async () => {
    const answers: Answer[] = [];
    while (answers.every(({ status }) => status === 200)) {
      answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => system.client.as(carol, '/api/me')))));
    }
    const refused = answers.filter(({ status }) => status === 429);
    expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({ code: 'too-many-requests' });
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('SEARCH_BY_NAME=operator', () => {
  const searched = runningSystem({ SEARCH_BY_NAME: 'operator', LOG_FORMAT: 'json' });
  const username = searched.addPerson('dave', 'operator');
  const paths = ['/api/calls', '/api/calls.csv', '/api/statistics/streams', '/api/statistics/load'];
  let dave: string;

  beforeAll(async () => {
    dave = await searched.tokenOf(username);
  });

  function search(n: number): Promise<Answer> {
    return searched.client.as(dave, `${paths[n % paths.length]}?user=sip:name${n}@example.test`);
  }

  function logLines(): readonly string[] {
    const { process } = searched;
    return `${process.stdout()}\n${process.stderr()}`
      .split('\n')
      .filter((line) => line.includes('has searched calls by a name'));
  }

  it('rejects more than 30 searches by name a minute with 429 and Retry-After', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < NAME_SEARCHES; n++) answers.push(await search(n));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const refused = await search(NAME_SEARCHES);
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'too-many-requests' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('still accepts that operator’s requests without a name, and searches of one who may see users', async () => {
    expect((await searched.client.as(dave, '/api/calls')).status).toBe(200);
    const revealer = await searched.client.signIn('carol');
    expect((await searched.client.as(revealer, '/api/calls?user=sip:name1@example.test')).status).toBe(200);
  });

  it('logs each search with the operator and the token, without the name', async () => {
    await eventually('the log lines', () => logLines().length >= NAME_SEARCHES);
    const lines = logLines();
    expect(lines).toHaveLength(NAME_SEARCHES);
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        level: 40,
        operator: username,
        user: expect.stringMatching(/[\dA-F]{16}/),
      });
      expect(line).not.toMatch(/name\d/);
    }
  });
});
