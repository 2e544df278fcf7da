import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { findUser, createSession, tokenServiceIn, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

/** web-interface.md, section 14: clients look for the token service with a GET of the URL that they are about to post to. */
describe('a request without a valid token', () => {
  const client = new WebClient();
  const { names } = client.system;
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, client.system.user, unique('probe-'));
  });
  afterAll(async () => {
    await client.call('deleteApplication', { method: 'DELETE', url: session.self, token: session.token });
    await client.close();
  });

  const POST_ONLY = [
    '',
    '/me/makeMeAvailable',
    '/me/reportMyActivity',
    '/reportMyActivity',
    '/communication/messagingInvitations',
    '/communication/participantInvitations',
    '/communication/conversations/1/messaging/messages',
    '/communication/conversations/1/messaging/terminate',
    '/people/groupMemberships/removeContactFromAllGroups',
    '/batch',
  ] as const;

  const urlOf = (path: string): string => (path === '' ? session.applications : session.self + path);

  function challengeIn(answer: Answer): string {
    expect(answer.status).toBe(401);
    expect(header(answer, 'allow')).toBeUndefined();
    return tokenServiceIn(answer, names.challengeScheme);
  }

  it.each(POST_ONLY)('gets the challenge before the method is checked: "%s"', async (path) => {
    const { challenge } = await findUser(client);
    const tokenService = tokenServiceIn(challenge, names.challengeScheme);
    const url = urlOf(path);
    expect(challengeIn(await client.send({ url }))).toBe(tokenService);
    expect(challengeIn(await client.send({ method: 'HEAD', url }))).toBe(tokenService);
    expect(challengeIn(await client.send({ url, token: 'wrong' }))).toBe(tokenService);
    expect(challengeIn(await client.send({ method: 'PATCH', url }))).toBe(tokenService);
    expect((await client.send({ url, token: session.token })).status).toBe(405);
  });

  it('gets the challenge also at the user URL and at unknown paths of the applications', async () => {
    const { userUrl } = await findUser(client);
    challengeIn(await client.send({ method: 'POST', url: userUrl }));
    challengeIn(await client.send({ url: `${session.self}/nothing` }));
    challengeIn(await client.send({ url: `${session.applications}/` }));
    const unknown = await client.send({ url: `${session.self}/nothing`, token: session.token });
    expect([unknown.status, at(json(unknown), 'code')]).toEqual([404, 'NotFound']);
  });

  it('is not challenged where no token is needed', async () => {
    const root = await client.send({ method: 'POST', url: client.system.webUrl.href });
    expect([root.status, header(root, 'allow')]).toEqual([405, 'GET, HEAD']);
    const { challenge } = await findUser(client);
    const service = tokenServiceIn(challenge, names.challengeScheme);
    expect((await client.send({ url: service })).status).toBe(405);
    const preflight = { origin: 'https://page.example.test', 'access-control-request-method': 'POST' };
    const answer = await client.send({ method: 'OPTIONS', url: session.applications, headers: preflight });
    expect([204, 403]).toContain(answer.status);
  });

  it('leads a client that follows it to a token', async () => {
    const service = tokenServiceIn(await client.send({ url: session.applications }), names.challengeScheme);
    expect(new URL(service).origin).toBe(
      new URL(textAt(json(await client.call('discover', { url: client.system.webUrl.href })), '_links', 'user', 'href'))
        .origin,
    );
  });
});
