import { eventually } from '@ringdown/testing/eventually';
import { logged, type Answer } from '@ringdown/testing/launched-system';
import { FAT_RECORDS } from '../src/fat-records.js';
import { runningSystem } from '../src/running-system.js';
import { captureOf } from '../src/invented-capture.js';
import { startedExport } from '../src/slow-reader.js';

const system = runningSystem({ LOG_FORMAT: 'json', LOG_LEVEL: 'info' });
const dave = system.addPerson('dave', 'operator');
const erin = system.addPerson('erin', 'operator');
const readers = Array.from({ length: 4 }, (_, n) => system.addPerson(`reader${n}`, 'operator', 'reveal'));
/** More than the buffers of a connection hold. */
const FAT_CALLS = 60;
const TYPE = { 'content-type': 'application/vnd.tcpdump.pcap' };

let carol: string;
let plain: string;

beforeAll(async () => {
  carol = await system.client.signIn('carol');
  plain = await system.tokenOf(dave);
});

function userStartRecord(callId: string, user: string): string {
  const [from, to] = [user, 'ben'].map((name) => `<Id>${name}</Id><URI>sip:${name}@example.test</URI>`);
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>fe1.example.test</FrontEnd><CallId>${callId}</CallId>
    <CSEQ>1</CSEQ><TimeStamp>${new Date().toISOString()}</TimeStamp></ConnectionInfo><StartOrUpdate Type="audio">
    <From>${from}</From><To>${to}</To><Properties><Protocol>UDP</Protocol></Properties></StartOrUpdate></Diagnostics>`;
}

/** The answer as JSON, once the resource is as expected. */
function found<T>(path: string, isRight: (body: T) => boolean = () => true): Promise<T> {
  return eventually(path, async () => {
    const { status, text } = await system.client.as(carol, path);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    const body = JSON.parse(text) as T;
    return status === 200 && isRight(body) && body;
  });
}

function send(method: 'POST' | 'PUT', path: string, body: object, token = plain): Promise<Answer> {
  return system.client.as(token, path, { method, body: JSON.stringify(body) });
}

describe('an operator who sees only tokens', () => {
  let token: string;

  beforeAll(async () => {
    expect((await system.client.post(userStartRecord('first', 'anna'))).status).toBe(200);
    await found('/api/calls/first');
    const { text } = await system.client.as(plain, '/api/calls/first');
    [, token = ''] = /"sip:([\dA-F]{16})@example\.test"/.exec(text) ?? [];
    expect(token).toMatch(/[A-F]/);
  });

  it('cannot upload guessed names to read their tokens', async () => {
    const options = { method: 'POST' as const, body: captureOf('guess', 'anna', 'ben'), headers: TYPE };
    const refused = await system.client.as(plain, '/api/captures', options);
    expect([refused.status, Object(JSON.parse(refused.text)).code]).toEqual([403, 'may-not-upload']);
  });

  it('cannot write a guessed name anywhere to read its token', async () => {
    const rule = { measure: 'badCalls', limit: 0.5, name: 'anna', search: { q: 'anna' } };
    const searches = [{ q: 'anna' }, { 'not.codec': 'anna' }, { userAgent: 'anna' }, { user: 'anna' }];
    const answers = [
      ...(await Promise.all(
        searches.map((parameters) => send('POST', '/api/searches', { name: 'anna', shared: true, parameters })),
      )),
      await send('POST', '/api/alert-rules', rule),
      await send('POST', '/api/alert-rules/preview', rule),
    ];
    const other = await system.tokenOf(erin);
    for (const path of ['/api/searches', '/api/alert-rules', '/api/captures']) {
      for (const reader of [plain, other]) answers.push(await system.client.as(reader, path));
    }
    for (const query of ['q=anna', 'user=anna', 'callId=anna', 'frontEnd=anna', 'site=anna', 'userAgent=anna']) {
      for (const list of ['calls', 'calls.ndjson', 'statistics/streams', 'statistics/total', 'sip-failures'])
        answers.push(await system.client.as(plain, `/api/${list}?${query}`));
    }
    for (const field of ['user', 'userAgent', 'frontEnd'])
      answers.push(await system.client.as(plain, `/api/suggest?field=${field}&q=anna`));
    for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(token);
  });

  it('does not see the owner of a shared search as a user of calls', async () => {
    const search = { name: 'mine', shared: true, parameters: { state: 'failed' } };
    const saved = await send('POST', '/api/searches', search, carol);
    expect((await system.client.post(userStartRecord('second', 'carol'))).status).toBe(200);
    await found('/api/calls/second');
    const { owner } = Object(JSON.parse((await system.client.as(plain, String(saved.headers['location']))).text));
    expect((await system.client.as(plain, '/api/calls/second')).text).not.toContain(String(owner).split('@', 1)[0]);
    expect(String(owner)).not.toContain('carol');
  });

  it('can test an alert rule only a few times a minute', async () => {
    const { text } = await send('POST', '/api/alert-rules', { name: 'x', measure: 'badCalls', limit: 0.5 });
    const { id } = Object(JSON.parse(text));
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await send('POST', `/api/alert-rules/${id}/test`, {})).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});

describe('a capture with invented calls', () => {
  it('names its uploader and forges no call of a front end', async () => {
    expect((await system.client.post(userStartRecord('real', 'anna'))).status).toBe(200);
    const before = await found<{ state: string }>('/api/calls/real');
    for (const callId of ['real', 'made-up']) {
      const path = '/api/captures?frontEnd=fe1.example.test';
      const sent = await eventually('room for a capture', async () => {
        const options = { method: 'POST' as const, body: captureOf(callId, 'alice', 'bob'), headers: TYPE };
        const answer = await system.client.as(carol, path, options);
        return answer.status === 202 && answer;
      });
      const report = await found<{ state: string }>(
        String(sent.headers['location']),
        ({ state }) => state !== 'reading',
      );
      expect(report).toMatchObject({
        state: 'done',
        uploader: 'carol@example.test',
        frontEnd: 'upload~carol~fe1.example.test',
        callIds: [callId],
      });
    }
    const forged = await found<{ state: string }>('/api/calls/made-up', ({ state }) => state === 'active');
    expect(forged).toMatchObject({ frontEnds: ['upload~carol~fe1.example.test'] });
    const records = await found<{ records: readonly unknown[] }>('/api/calls/real', (call) => call.records.length > 1);
    expect(records).toMatchObject({ state: before.state, frontEnds: ['fe1.example.test'] });
    expect(JSON.stringify(Object(records).parties)).not.toContain('alice');
    await logged(
      system.process,
      /carol@example\.test.*capture of an operator has been read|capture of an operator has been read.*carol@example\.test/s,
    );
  });

  it('is not imitated by who may post records', async () => {
    for (const name of ['upload~carol~fe1.example.test', 'UPLOAD~carol', 'fe2.example.test,upload~carol']) {
      const record = userStartRecord(`as ${name}`, 'anna').replace('<FrontEnd>fe1.example.test</FrontEnd>', '');
      const list = record
        .replace('Version="1.0"', 'Version="D"')
        .replace('<CSEQ>', `<FrontEnds>${name}</FrontEnds><CSEQ>`);
      const { status, text } = await system.client.post(list);
      expect([name, status, text]).toEqual([name, 403, expect.stringContaining('front-end-not-allowed')]);
    }
  });

  it('makes nobody busy', async () => {
    const application = await send(
      'POST',
      '/uc/v1/applications',
      { culture: 'en', endpointId: 'e', UserAgent: 'u' },
      carol,
    );
    const [, search = ''] = /"search":\{"href":"([^"]+)"/.exec(application.text) ?? [];
    const isBusy = async (name: string): Promise<boolean> => {
      const people = await system.client.as(carol, `${search}?query=${name}@example.test`);
      const [, presence = ''] = /"contactPresence":\{"href":"([^"]+)"/.exec(people.text) ?? [];
      expect(presence).not.toBe('');
      return (await system.client.as(carol, presence)).text.includes('"Busy"');
    };
    // Bob is in the invented call too; a front end reports a call of his now.
    expect((await system.client.post(userStartRecord('of-bob', 'bob'))).status).toBe(200);
    await eventually('the presence of Bob', () => isBusy('bob'));
    expect(await isBusy('alice')).toBe(false);
  });

  it('is left out of statistics', async () => {
    const { text } = await system.client.as(carol, '/api/statistics/streams?by=frontEnd');
    expect(text).toContain('fe1.example.test');
    expect(text).not.toContain('upload~');
    expect((await system.client.as(carol, '/api/statistics/streams?by=frontEnd&uploads=only')).text).toContain(
      'upload~',
    );
  });
});

describe('an answer under way', () => {
  let admin: string;

  beforeAll(async () => {
    admin = await system.client.signIn('carol');
    const fat = FAT_RECORDS['pairs'];
    for (let n = 0; n < FAT_CALLS; n++) await system.client.post(fat?.(`fat${n}`) ?? '');
    await found(`/api/calls/fat${FAT_CALLS - 1}`);
  });

  async function change(username: string, content: object): Promise<void> {
    const path = `/api/people/${encodeURIComponent(username)}`;
    const person = await system.client.as(admin, path);
    const { hasPassword: _known, ...account } = Object(JSON.parse(person.text));
    const body = JSON.stringify({ ...account, ...content });
    const headers = { 'if-match': String(person.headers['etag']) };
    const changed = await system.client.as(admin, path, { method: 'PUT', body, headers });
    expect(`${changed.status} ${changed.text}`).toMatch(/^200 /);
  }

  it.each([
    ['is blocked', (username: string) => change(username, { blocked: true })],
    ['loses the role reveal', (username: string) => change(username, { roles: ['user', 'operator'] })],
    [
      'is removed',
      async (username: string) => {
        const path = `/api/people/${encodeURIComponent(username)}`;
        const { headers } = await system.client.as(admin, path);
        const options = { method: 'DELETE' as const, headers: { 'if-match': String(headers['etag']) } };
        expect((await system.client.as(admin, path, options)).status).toBe(204);
      },
    ],
    [
      'signs out',
      async (_username: string, token: string) => {
        expect((await system.client.as(token, '/uc/token/revoke', { method: 'POST' })).status).toBeLessThan(300);
      },
    ],
  ])('ends within two seconds when its reader %s', async (why, lose) => {
    const username = readers[['is blocked', 'loses the role reveal', 'is removed', 'signs out'].indexOf(why)] ?? '';
    const token = await system.tokenOf(username);
    // 40 MB. A CSV of the same calls has 15 KB, so that it is sent, and no more under way, before a role is checked again.
    const path = '/api/calls.ndjson';
    const answer = await startedExport(`${system.client.origin}${path}`, { token, ca: system.ca });
    await lose(username, token);
    const since = performance.now();
    // Nothing is read before: on a busy machine, a fast reader would have all of it first.
    await logged(system.process, new RegExp(`"operator":"${username}","route":"${path}","msg":"an answer was ended`));
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(await answer.isWhole()).toBe(false);
  });

  it('is kept by no cache, and neither is an error', async () => {
    const paths = [
      '/api/calls',
      '/api/people',
      '/api/me',
      '/api/me/password-rules',
      '/api/nothing',
      '/api',
      '/api/%zz',
    ];
    for (const path of [...paths, '/api/calls.csv', '/api/alerts', '/api/services']) {
      for (const token of [carol, 'wrong']) {
        const { headers } = await system.client.as(token, path);
        expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
      }
    }
  });
});
