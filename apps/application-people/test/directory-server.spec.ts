import { directorySettingsFor } from '@ringdown/testing/directory-access';
import { eventually } from '@ringdown/testing/eventually';
import { staff } from '@ringdown/testing/ldif';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { Started } from '@ringdown/testing/started';
import { startApplicationPeople, startDiscoveryAuth, type RunningService } from './running-services.js';

const everyone = [...staff(3_000)];

interface Found {
  readonly uris: readonly string[];
  readonly more: boolean;
}

describe('people of a directory server', () => {
  const started = new Started();
  let slapd: TestDirectory;
  let nats: TestNats;
  let auth: RunningService;
  let service: RunningService;
  let token: string;
  let A: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    slapd = started.add(await startSlapd({ entries: everyone }));
    nats = started.add(await startNats());
    env = { ...directorySettingsFor(slapd.url), DIRECTORY_REFRESH_SECONDS: '1' };
    auth = started.add(await startDiscoveryAuth(nats.urlOf('discovery-auth'), env));
    service = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
    token = await signIn('p1', 'password of p1');
    A = await newApplication();
  });
  afterAll(() => started.stopAll());

  async function signIn(username: string, password: string): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'password', username, password });
    const response = await fetch(`${auth.base}/uc/token`, { method: 'POST', body });
    expect(response.status).toBe(200);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async function newApplication(): Promise<string> {
    const response = await fetch(`${service.base}/uc/v1/applications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ culture: 'en', endpointId: 'e', userAgent: 'u' }),
    });
    return `/uc/v1/applications/${((await response.json()) as { id: string }).id}`;
  }

  function get(path: string, at = service): Promise<Response> {
    return fetch(at.base + path, { headers: { authorization: `Bearer ${token}` } });
  }

  async function search(query: string, limit = 100): Promise<Found> {
    const response = await get(`${A}/people/search?query=${encodeURIComponent(query)}&limit=${limit}`);
    expect(response.status).toBe(200);
    const { moreResultsAvailable: more, _embedded: embedded } = (await response.json()) as {
      moreResultsAvailable: boolean;
      _embedded?: { contact: readonly { uri: string }[] };
    };
    return { uris: (embedded?.contact ?? []).map(({ uri }) => uri), more };
  }

  async function uris(query: string): Promise<readonly string[]> {
    return (await search(query)).uris;
  }

  it('are found by name, address, phone number and work, in any script', async () => {
    expect((await uris('p777'))[0]).toBe('sip:p777@example.test');
    expect(await uris('+1 202 555 0777')).toEqual(['sip:p777@example.test']);
    for (const number of [6, 21, 24, 28, 33, 1_234]) {
      const entry = everyone[number + 1];
      const words = `${String(entry?.['title'])} ${String(entry?.['cn']).normalize('NFD').toUpperCase()}`
        .split(' ')
        .toReversed()
        .join(' ');
      expect(await uris(words)).toContain(`sip:p${number}@example.test`);
    }
  });

  it('are all listed, a hundred at a time', async () => {
    const { uris, more } = await search('example', 100);
    expect([uris.length, more]).toEqual([100, true]);
    expect(await search('p2999')).toEqual({ uris: ['sip:p2999@example.test'], more: false });
  });

  it.each(['*', '*()\\', 'p1*', '(uid=*)', 'p1)(uid=*', '\u0000', 'p1\u0000*', '\\2a', '|(&'])(
    'are not found by the characters of filters: %j',
    async (query) => {
      const words = query.match(/[a-z0-9]+/g);
      expect(await uris(query)).toEqual(words === null ? [] : await uris(words.join(' ')));
    },
  );

  it('are still found while the directory is down, with a warning in the response', async () => {
    await slapd.kill();
    try {
      const warning = await eventually('the warning to appear', async () => {
        return (await get(`${A}/people/search?query=p5`)).headers.get('warning') ?? false;
      });
      expect(warning).toBe('111 - "The directory cannot be read now; the people may be outdated."');
      expect(await uris('p777')).toContain('sip:p777@example.test');
      expect((await get(`${A}/people/p5@example.test`)).status).toBe(200);

      const late = started.add(await startApplicationPeople(nats.urlOf('application-people'), env));
      const answer = await get(`${A}/people/search?query=p5`, late);
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        503,
        '5',
        expect.objectContaining({ code: 'ServiceUnavailable' }),
      ]);
      await slapd.restart();
      await eventually('the people to be found', async () => (await get(`${A}/people/search?query=p5`, late)).ok);
    } finally {
      await slapd.kill();
      await slapd.restart();
    }
    await eventually('the warning to end', async () => {
      return (await get(`${A}/people/search?query=p5`)).headers.get('warning') === null;
    });
  });
});
