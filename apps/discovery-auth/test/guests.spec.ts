import { TOKENS_INTROSPECT_PATTERN } from '@ringdown/contracts/tokens';
import { conferenceUri, Meetings, type Meeting, type NewMeeting } from '@ringdown/meetings';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { tokenHash } from '@ringdown/token-validation';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const ORGANIZER = 'sip:alice@example.test';
const USER = '/Autodiscover/AutodiscoverService.svc/root/oauth/user';

describe('a guest of a meeting', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-guests-'));
  const started = new Started();
  let nats: TestNats;
  let service: RunningService;
  let meetings: Meetings;
  let meeting: Meeting;

  beforeAll(async () => {
    nats = started.add(await startNats());
    service = started.add(
      await startService(nats.urlOf('discovery-auth'), { DATA_DIR: dataDir, VENDOR_PROFILE: 'ms' }),
    );
    meetings = await Meetings.open({ bus: service.bus });
    meeting = await make();
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  function make(over: Partial<NewMeeting> = {}): Promise<Meeting> {
    return meetings.create({ organizer: ORGANIZER, accessLevel: 'Everyone', ...over });
  }

  function requestToken(fields: Record<string, string> = {}, of: Meeting = meeting): Promise<Response> {
    const own = { password: of.id, ms_rtc_conferenceuri: conferenceUri(of) };
    const form = { grant_type: 'urn:microsoft.rtc:anonmeeting', ...own, ...fields };
    return postForm(service.base, form, '/WebTicket/oauthtoken');
  }

  async function tokenFrom(answer: Response): Promise<string> {
    expect(answer.status).toBe(200);
    return String(Object(await answer.json()).access_token);
  }

  async function userWith(token: string): Promise<Response> {
    return fetch(service.base + USER, { headers: { authorization: `Bearer ${token}` } });
  }

  /** The reply of the token service to the other services. */
  async function principal(token: string): Promise<unknown> {
    const question = { tokenHash: tokenHash(token) };
    return Object(await service.bus.request(TOKENS_INTROSPECT_PATTERN, question, 60_000)).principal;
  }

  it('waits when too many have joined the meeting, wherever they are', async () => {
    const env = { DATA_DIR: dataDir, VENDOR_PROFILE: 'ms', SIGN_INS_PER_ACCOUNT: '2', TRUSTED_PROXIES: '127.0.0.1' };
    const { base } = started.add(await startService(nats.urlOf('discovery-auth'), env));
    const joining = async (of: Meeting, ip: string): Promise<Response> =>
      fetch(`${base}/WebTicket/oauthtoken`, {
        method: 'POST',
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': ip },
        body: new URLSearchParams({
          grant_type: 'urn:microsoft.rtc:anonmeeting',
          password: of.id,
          ms_rtc_conferenceuri: conferenceUri(of),
        }),
      });
    const [full, other] = [await make(), await make()];
    const answers = [
      await joining(full, '192.0.2.1'),
      await joining(full, '192.0.2.2'),
      await joining(full, '192.0.2.3'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await joining(other, '192.0.2.3')).status).toBe(200);
  });

  it('gets a token for one hour and only for the meeting', async () => {
    const answer = await requestToken();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = Object(await answer.json());
    expect(body).toEqual({
      access_token: expect.stringMatching(/^cwt=/),
      expires_in: 3_600,
      ms_rtc_identityscope: 'local',
      token_type: 'Bearer',
    });
    expect(await (await userWith(body.access_token)).json()).toHaveProperty('_links.applications');
    expect(await principal(body.access_token)).toEqual({
      username: expect.stringMatching(/^[0-9a-f-]{36}@anonymous\.invalid$/),
      sipAddress: expect.stringMatching(/^sip:[0-9a-f-]{36}@anonymous\.invalid$/),
      roles: [],
      expiresAt: expect.any(Number),
      guestOf: conferenceUri(meeting),
    });
  });

  it.each<[string, () => Record<string, string>]>([
    ['the id in small letters', () => ({ password: meeting.id.toLowerCase() })],
    ['the organizer in capitals', () => ({ ms_rtc_conferenceuri: conferenceUri(meeting).replace('alice', 'ALICE') })],
    ['unknown parameters', () => ({ resource: 'x', username: 'Ann' })],
  ])('may send %s', async (_what, fields) => {
    expect((await requestToken(fields())).status).toBe(200);
  });

  it('keeps the identity with a renewed token, even shortly after it has expired', async () => {
    const first = await tokenFrom(await requestToken());
    const brief = started.add(
      await startService(nats.urlOf('discovery-auth'), {
        DATA_DIR: dataDir,
        VENDOR_PROFILE: 'ms',
        GUEST_TOKEN_LIFETIME_SECONDS: '1',
      }),
    );
    const form = { grant_type: 'urn:microsoft.rtc:anonmeeting', password: meeting.id, ms_rtc_renew: first };
    const fields = { ...form, ms_rtc_conferenceuri: conferenceUri(meeting) };
    // On a busy machine the token may expire before it is checked.
    const { renewed, owner } = await eventually('a token that is good still', async () => {
      const token = await tokenFrom(await postForm(brief.base, fields, '/webticket/oauthtoken'));
      const found = await principal(token);
      return found !== null && { renewed: token, owner: found };
    });
    expect(owner).toMatchObject({ username: Object(await principal(first)).username });
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await principal(renewed)).toBeNull();
    const again = await tokenFrom(await requestToken({ ms_rtc_renew: renewed }));
    expect(await principal(again)).toMatchObject({ username: Object(await principal(first)).username });
  });

  it.each<[string, () => Promise<Response>]>([
    ['a wrong id', () => requestToken({ password: 'ABCDEFGHJKLMNPQR' })],
    [
      'a meeting that never was',
      () => requestToken({ password: 'ABC', ms_rtc_conferenceuri: `${ORGANIZER};gruu;opaque=app:conf:focus:id:ABC` }),
    ],
    ['another organizer', () => requestToken({}, { ...meeting, organizer: 'sip:bob@example.test' })],
    ['an invalid conference URI', () => requestToken({ ms_rtc_conferenceuri: `sip:${meeting.id}` })],
    ['a meeting without guests', async () => requestToken({}, await make({ accessLevel: 'Invited' }))],
    ['a meeting that is over', async () => requestToken({}, await make({ expiresAt: Date.now() - 1 }))],
    ['an unknown token to renew', () => requestToken({ ms_rtc_renew: 'cwt=nothing' })],
    [
      'a token to renew of another meeting',
      async () => requestToken({ ms_rtc_renew: await tokenFrom(await requestToken({}, await make())) }),
    ],
    [
      'the token of a person to renew',
      async () => {
        const form = { grant_type: 'password', username: 'alice', password: await firstUserPassword(dataDir, 'alice') };
        return requestToken({
          ms_rtc_renew: await tokenFrom(await postForm(service.base, form, '/WebTicket/oauthtoken')),
        });
      },
    ],
  ])('is rejected with %s', async (_what, requesting) => {
    const answer = await requesting();
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-ms-diagnostics')).toBe(
      '28020;source="uc.example.test";reason="The meeting does not exist, or does not admit guests."',
    );
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('loses access when the meeting is deleted', async () => {
    const short = await make();
    const token = await tokenFrom(await requestToken({}, short));
    expect((await userWith(token)).status).toBe(200);
    await meetings.delete(ORGANIZER, short.id);
    expect(await principal(token)).toBeNull();
    expect((await requestToken({}, short)).status).toBe(400);
  });
});
