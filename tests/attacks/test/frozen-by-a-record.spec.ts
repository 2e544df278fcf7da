import { eventually } from '@ringdown/testing/eventually';
import { Dice } from '@ringdown/testing/fuzz/dice';
import type { Answer } from '@ringdown/testing/launched-system';
import { answeredAtOnce } from '../src/answered-at-once.js';
import { attackSize } from '../src/attack-size.js';
import { pumpedRequest } from '../src/pumped-requests.js';
import { runningSystem } from '../src/running-system.js';

/** Bytes of a pump; the largest record has 400 KB. */
const LENGTH = attackSize(220_000, 380_000);
/** Requests with other pumps, the same in each run. */
const PUMPED = attackSize(100, 5_000);

// Slow requests are repeated, which must not exceed the request limit.
const attacked = runningSystem({ API_REQUESTS_PER_MINUTE: '10000' });
const operator = attacked.addPerson('dave', 'operator');
/** Tokens of a user who may see users, and of an operator who may not. */
let carol: string;
let dave: string;
let application: string;

beforeAll(async () => {
  carol = await attacked.client.signIn('carol');
  dave = await attacked.tokenOf(operator);
  application = await newApplication(carol);
});

async function newApplication(token: string): Promise<string> {
  const input = { culture: 'en', endpointId: 'attack', userAgent: 'attack' };
  const { text } = await send('/uc/v1/applications', input, token);
  const [, path] = /"self":\s*\{\s*"href":\s*"([^"]+)"/.exec(text) ?? [];
  if (path === undefined) throw new Error(text);
  return path;
}

function send(path: string, input: unknown, token = carol): Promise<Answer> {
  return attacked.client.as(token, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
}

/** A message in a conversation. */
function write(path: string, text: string): Promise<Answer> {
  return attacked.client.as(carol, path, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: text });
}

/** Repeats the text up to this length in UTF-8. */
function pump(text: string): string {
  return text.repeat(Math.ceil(LENGTH / Buffer.byteLength(text)));
}

function record(callId: string, inside: string): string {
  const connection = `<FrontEnd>fe1.example.test</FrontEnd><CallId>${callId}</CallId><CSEQ>1</CSEQ>`;
  const time = `<TimeStamp>${new Date().toISOString()}</TimeStamp>`;
  return `<Diagnostics Version="1.0"><ConnectionInfo>${connection}${time}</ConnectionInfo>${inside}</Diagnostics>`;
}

function beginning(uri: string): string {
  const [from, to] = [`<Id>a</Id><URI>${uri}</URI>`, '<Id>b</Id><URI>sip:ben@example.test</URI>'];
  return `<StartOrUpdate Type="audio"><From>${from}</From><To>${to}</To></StartOrUpdate>`;
}

function failed(diagnostics: string): string {
  const outcome = `<ResponseCode Code="403">Forbidden</ResponseCode><VendorDiagnostics>${diagnostics}</VendorDiagnostics>`;
  return `<Error><EndPoint><URI>sip:anna@example.test</URI></EndPoint><Properties>${outcome}</Properties></Error>`;
}

/**
 * Reads the call with visible users, with hidden users on request, and as an operator who may not see users, once the
 * record is in it.
 */
async function readsAtOnce(callId: string): Promise<void> {
  const { client } = attacked;
  await eventually(`the call ${callId}`, async () => (await client.as(carol, `/api/calls/${callId}`)).status === 200);
  for (const [token, query] of [
    [carol, ''],
    [carol, '?identities=hidden'],
    [dave, ''],
  ] as const) {
    for (const path of [`/api/calls/${callId}`, `/api/calls/${callId}/timeline`]) {
      const { status } = await answeredAtOnce(attacked.client, () => client.as(token, path + query));
      expect([path, query, status]).toEqual([path, query, 200]);
    }
  }
}

const USERS = ['@[', ':0@[', '@a', '1-', 'a%40', '\u0315\u0316', '<sip:', '"'];
const DIAGNOSTICS = ['1', 'user', 'user=', 'a="', 'a=1;', '@[', '+1 (', ' ', '\u0316\u0315'];
const SDP = ['a=x:@[', 'o=1', 'i=', '1.', 'cname:', '\u0315\u0316', '\r\n', ' '];

describe('one record of an anonymous sender', () => {
  it.each(USERS)('with a user of many %j is answered within a second, and so are other requests', async (text) => {
    const body = record('long-user', beginning(`sip:a${pump(text).replaceAll('<', '&lt;')}x`));
    const answer = await answeredAtOnce(attacked.client, () => attacked.client.post(body));
    // Escaped, the longest pump is larger than a record may be.
    expect([200, 400, 413]).toContain(answer.status);
  });

  it('with a URI beyond its limit is rejected, and the error names the element', async () => {
    const { status, text } = await attacked.client.post(record('refused', beginning(`sip:a${pump('@[')}`)));
    expect(status).toBe(400);
    expect(text).toContain('bad-value');
    expect(text).toContain('URI');
  });

  it.each(USERS.filter((text) => !/[<"]/.test(text)))(
    'with a user of as many %j as fit is read within a second',
    async (text) => {
      const callId = `fits-${USERS.indexOf(text)}`;
      const uri = `sip:a${text.repeat(Math.floor(2_000 / text.length))}x`;
      expect((await attacked.client.post(record(callId, beginning(uri)))).status).toBe(200);
      await readsAtOnce(callId);
    },
  );

  it.each(DIAGNOSTICS)('with diagnostics of many %j is answered and read within a second', async (text) => {
    const callId = `diagnostics-${DIAGNOSTICS.indexOf(text)}`;
    const answer = await answeredAtOnce(attacked.client, () =>
      attacked.client.post(record(callId, failed(`1;user=${pump(text)}a`))),
    );
    expect(answer.status).toBe(200);
    await readsAtOnce(callId);
  });

  it.each(SDP)('with SDP of many %j is answered and read within a second, and marked as cut', async (text) => {
    const callId = `sdp-${SDP.indexOf(text)}`;
    const body = record(callId, `${beginning('sip:anna@example.test')}<RawSDP>v=0\r\n${pump(text)}x</RawSDP>`);
    const answer = await answeredAtOnce(attacked.client, () => attacked.client.post(body));
    expect(answer.status).toBe(200);
    await readsAtOnce(callId);
    expect((await attacked.client.as(carol, `/api/calls/${callId}/timeline`)).text).toContain('"cut":["RawSDP"]');
  });

  it.each(['Route', 'Properties'])(
    'with a %s that is repeated with other attributes is answered within a second',
    async (name) => {
      const attribute = (n: number): string => ` a${n.toString(36)}=""`;
      const element = (n: number): string =>
        `<${name}${Array.from({ length: 32 }, (_, i) => attribute(n * 32 + i)).join('')}/>`;
      const repeated = Array.from({ length: Math.floor(LENGTH / 300) }, (_, n) => element(n)).join('');
      const body = record(`repeated-${name}`, beginning('sip:anna@example.test') + repeated);
      const answer = await answeredAtOnce(attacked.client, () => attacked.client.post(body));
      expect(answer.status).toBe(200);
    },
  );

  it('does not stop the system that starts again after a kill', async () => {
    expect((await attacked.client.post(record('last', failed(`1;user=${pump('1')}a`)))).status).toBe(200);
    await attacked.killAndStart();
    await readsAtOnce('last');
  });
});

describe('one request of a signed-in user', () => {
  const texts = ['@[', '1', 'a=', ' ', '\u0315\u0316', '=\t', '&', '<'];
  /** The path for messages to a user who has accepted the conversation. */
  let conversation: string;

  beforeAll(async () => {
    const alice = await attacked.client.signIn('alice');
    const hers = await newApplication(alice);
    for (const [token, path] of [
      [carol, application],
      [alice, hers],
    ] as const) {
      const available = { supportedModalities: ['Messaging'] };
      expect((await send(`${path}/me/makeMeAvailable`, available, token)).status).toBe(204);
    }
    const invited = await send(`${application}/communication/messagingInvitations`, { to: 'sip:alice@example.test' });
    const id = String(invited.headers['location']).split('/').at(-1);
    conversation = `${application}/communication/conversations/${id}/messaging/messages`;
    await eventually('the accepted conversation', async () => {
      await send(`${hers}/communication/messagingInvitations/${id}/accept`, {}, alice);
      return (await write(conversation, 'hello')).status === 201;
    });
  });

  it.each(texts)('with many %j in a note, subject, message or user agent is answered within a second', async (text) => {
    const long = pump(text).slice(0, 80_000);
    const inputs: [string, unknown][] = [
      [`${application}/me/note`, { message: `${long}x` }],
      [
        `${application}/communication/messagingInvitations`,
        { operationId: 'a', to: `sip:${long}`, subject: `${long}x` },
      ],
      ['/uc/v1/applications', { culture: long, endpointId: `${long}x`, userAgent: `${long}x` }],
    ];
    for (const [path, input] of inputs) {
      const answer = await answeredAtOnce(attacked.client, () => send(path, input));
      expect([path, answer.status < 500]).toEqual([path, true]);
    }
  });

  it.each(texts)('with a text message of many %j is answered within a second', async (text) => {
    const long = `${pump(text)}x`;
    expect((await answeredAtOnce(attacked.client, () => write(conversation, long))).status).toBe(413);
    const sent = await answeredAtOnce(attacked.client, () => write(conversation, long.slice(-1_000)));
    expect(sent.status).toBe(201);
    const { location } = sent.headers;
    const read = await answeredAtOnce(attacked.client, () => attacked.client.as(carol, String(location)));
    expect(read.status).toBe(200);
  });

  it.each(texts)('with many %j in a search is answered within a second', async (text) => {
    const query = encodeURIComponent(`${pump(text).slice(0, 1_000)}x`);
    const answer = await answeredAtOnce(attacked.client, () =>
      attacked.client.as(carol, `${application}/people/search?query=${query}`),
    );
    expect(answer.status).toBeLessThan(500);
  });

  it.each(['<a>', '<a/>', '<property name="message">x</property>', '<!---->', '&', '<'])(
    'with XML of many %s is answered within a second',
    async (text) => {
      const path = `${application}/me/note`;
      const body = `<input>${pump(text)}</input>`;
      const headers = { 'content-type': 'application/xml' };
      const answer = await answeredAtOnce(attacked.client, () =>
        attacked.client.as(carol, path, { method: 'POST', headers, body }),
      );
      expect(answer.status).toBeLessThan(500);
    },
  );
});

describe('one token request of an anonymous client', () => {
  it.each(['\u0315\u0316', '@', '\\'])('with many %j in both fields is answered within a second', async (text) => {
    const form = {
      grant_type: 'password',
      Username: pump(text).slice(0, 20_000),
      password: pump(text).slice(0, 20_000),
    };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const answer = await answeredAtOnce(attacked.client, () =>
      attacked.client.request('/uc/token', { method: 'POST', headers, body }),
    );
    expect(answer.status).toBeLessThan(500);
  });
});

describe('one batch of a signed-in user', () => {
  it('with a part that repeats a parameter as often as possible is answered within a second', async () => {
    const part = `GET ${application}/people/search?${'a&'.repeat(LENGTH / 4)} HTTP/1.1\r\n\r\n`;
    const body = `--b\r\nContent-Type: application/http\r\n\r\n${part}\r\n--b--`;
    const headers = { 'content-type': 'multipart/batching; boundary="b"' };
    const request = (): Promise<Answer> =>
      attacked.client.as(carol, `${application}/batch`, { method: 'POST', headers, body });
    expect((await answeredAtOnce(attacked.client, request)).status).toBeLessThan(500);
  });
});

describe('pump strings in requests of all kinds', () => {
  it('are answered within a second, and so are reads of calls that contain them', async () => {
    const places = { client: attacked.client, token: carol, application };
    for (let seed = 0; seed < PUMPED; seed++) {
      const answer = await answeredAtOnce(attacked.client, pumpedRequest(new Dice(seed), places));
      expect([seed, answer.status < 500]).toEqual([seed, true]);
    }
    const { text } = await attacked.client.as(carol, '/api/calls?limit=200');
    const read = new Set(text.match(/pumped-\d+/g));
    expect(read.size).toBeGreaterThan(2);
    for (const callId of read) await readsAtOnce(callId);
  });
});
