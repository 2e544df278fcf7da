import { SignInRefused, UnexpectedAnswer, Unreachable } from './errors.js';
import { challengedHref, guestGrant, TokenClient } from './token.js';

describe('the challenge', () => {
  it.each([
    ['RingdownOAuth href="https://h/uc/token",grant_type="password"'],
    ['RingdownOAuth href="https://h/uc/token",grant_type="password", Bearer realm="uc"'],
    ['Bearer realm="uc", RingdownOAuth href="https://h/uc/token",grant_type="password"'],
    ['Bearer trusted_issuers="", client_id="00", MsRtcOAuth href="https://h/uc/token",grant_type="password"'],
  ])('names the token service: %s', (header) => {
    expect(challengedHref(header)).toBe('https://h/uc/token');
  });

  it.each(['', 'Bearer realm="uc"', 'Basic href="https://h"'])('is rejected as %j', (header) => {
    expect(() => challengedHref(header)).toThrow(UnexpectedAnswer);
  });
});

describe('the grant for guests', () => {
  it.each([
    ['RingdownOAuth href="h",grant_type="urn:ringdown:uc:anonmeeting,password"', 'urn:ringdown:uc:anonmeeting'],
    ['MsRtcOAuth href="h",grant_type="urn:microsoft.rtc:anonmeeting,password"', 'urn:microsoft.rtc:anonmeeting'],
    ['MsRtcOAuth href="h",grant_type="urn:a:windows,urn:a:anonmeeting,password"', 'urn:a:anonmeeting'],
  ])('is read from %s', (challenge, grant) => {
    expect(guestGrant(challenge)).toBe(grant);
  });

  it('is reported as missing', () => {
    expect(() => guestGrant('RingdownOAuth href="h",grant_type="password"')).toThrow(UnexpectedAnswer);
  });
});

describe('TokenClient', () => {
  /** Scripted answers: a system at another address, or overloaded, cannot be set up in a test. */
  function client(...answers: readonly Response[]): TokenClient {
    const left = [...answers];
    const fetch = async (): Promise<Response> => left.shift() ?? Response.error();
    return new TokenClient({ origin: 'https://uc.example.test', fetch, now: () => 0 });
  }
  const root = (): Response => Response.json({ _links: { user: { href: '/user' } } });
  const challenge = (): Response =>
    new Response('', { status: 401, headers: { 'www-authenticate': 'XOAuth href="/token",grant_type="password"' } });
  const credentials = { username: 'alice', password: 'secret' };

  it('names the system at which other users sign in', async () => {
    const elsewhere = client(Response.json({ _links: { redirect: { href: 'https://uc.elsewhere.test/' } } }));
    const refusal = new SignInRefused('The people of this domain sign in at https://uc.elsewhere.test/.');
    await expect(elsewhere.signIn(credentials)).rejects.toEqual(refusal);
  });

  it('reports too many sign-ins', async () => {
    const body = { error: 'temporarily_unavailable', error_description: 'Too many sign-ins; try again later.' };
    const busy = Response.json(body, { status: 429, headers: { 'retry-after': '60' } });
    const refusal = new SignInRefused('Signing in is not possible at the moment; try again shortly.');
    await expect(client(root(), challenge(), busy).signIn(credentials)).rejects.toEqual(refusal);
  });

  describe('admits a guest', () => {
    const meeting = { organizer: 'sip:alice@example.test', id: 'K7' };
    const offer = (): Response => {
      const header = 'XOAuth href="/token",grant_type="urn:x:anonmeeting,password"';
      return new Response('', { status: 401, headers: { 'www-authenticate': header } });
    };

    it('unless the meeting is over', async () => {
      const refused = Response.json({ error: 'invalid_grant', error_description: 'It is over.' }, { status: 400 });
      await expect(client(root(), offer(), refused).admit(meeting)).rejects.toEqual(
        new SignInRefused('The server did not accept the sign-in.'),
      );
    });

    it('later when the server has too many requests', async () => {
      const busy = Response.json(
        { error: 'temporarily_unavailable' },
        { status: 429, headers: { 'retry-after': '9' } },
      );
      await expect(client(root(), offer(), busy).admit(meeting)).rejects.toThrow(Unreachable);
    });
  });

  it('rejects a user URL that requires no token', async () => {
    await expect(client(root(), Response.json({})).signIn(credentials)).rejects.toThrow(UnexpectedAnswer);
  });
});
