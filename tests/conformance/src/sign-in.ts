import { at, header, json, textAt, type Answer } from './answer.js';
import type { KnownUser, SystemUnderTest } from './environment.js';
import type { WebClient } from './web-client.js';

export const FORM = 'application/x-www-form-urlencoded';

/** Rows 1 and 2: the user URL, and its response to a client without a token. */
export async function findUser(client: WebClient): Promise<{ userUrl: string; challenge: Answer }> {
  const discovery = json(await client.call('discover', { url: client.system.webUrl.href }));
  const userUrl = textAt(discovery, '_links', 'User', 'href');
  return { userUrl, challenge: await client.call('readUser', { url: userUrl }) };
}

/** URL of the token service in a challenge. Throws an Error when the challenge is not as the specification requires. */
export function tokenServiceIn(challenge: Answer, scheme: string): string {
  const value = header(challenge, 'www-authenticate') ?? '';
  const href = new RegExp(`(?:^|, ?)${scheme} href="(https?://[^"]+)"`).exec(value)?.[1];
  if (href === undefined) throw new Error(`no href of the scheme ${scheme} in the challenge "${value}"`);
  return href;
}

/** Row 3, with the names as the specification writes them. */
export function tokenRequest({ username, password }: Pick<KnownUser, 'username' | 'password'>): string {
  return new URLSearchParams({ grant_type: 'password', Username: username, password }).toString();
}

/** The form that a guest sends to join a meeting. */
export function guestTokenRequest(
  { names }: SystemUnderTest,
  meeting: unknown,
  more: Readonly<Record<string, string>> = {},
): string {
  return new URLSearchParams({
    grant_type: `${names.grantPrefix}anonmeeting`,
    password: textAt(meeting, 'conferenceId'),
    [names.conferenceUriField]: textAt(meeting, 'onlineMeetingUri'),
    ...more,
  }).toString();
}

/** Rows 1 to 3: a token, by following the links of the system. */
export function signIn(client: WebClient, user: KnownUser): Promise<string> {
  return requestToken(client, tokenRequest(user));
}

/** The token for this form. Throws an Error when none is issued. */
export async function requestToken(client: WebClient, body: string): Promise<string> {
  const { challenge } = await findUser(client);
  const answer = await client.call('requestToken', {
    method: 'POST',
    url: tokenServiceIn(challenge, client.system.names.challengeScheme),
    headers: { 'content-type': FORM },
    body,
  });
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.body}`);
  return textAt(json(answer), 'access_token');
}

/** Row 4: URL of the applications. */
export async function findApplications(client: WebClient, token: string): Promise<string> {
  const { userUrl } = await findUser(client);
  return textAt(json(await client.call('readUser', { url: userUrl, token })), '_links', 'applications', 'href');
}

/** A signed-in client with its application, and the links of the application. */
export interface Session {
  readonly token: string;
  readonly applications: string;
  readonly application: unknown;
  readonly self: string;
  readonly search: string;
  readonly contacts: string;
}

/** Row 5. */
export async function createApplication(
  client: WebClient,
  url: string,
  token: string,
  endpointId: string,
): Promise<unknown> {
  const answer = await client.call('createApplication', {
    method: 'POST',
    url,
    token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ culture: 'en-US', endpointId, UserAgent: 'conformance/1.0' }),
  });
  if (answer.status !== 201) throw new Error(`no application: ${answer.status} ${answer.body}`);
  return json(answer);
}

/** Rows 1 to 5. */
export async function createSession(client: WebClient, user: KnownUser, endpointId: string): Promise<Session> {
  const token = await signIn(client, user);
  const applications = await findApplications(client, token);
  const application = await createApplication(client, applications, token, endpointId);
  const people = at(application, '_embedded', 'people', '_links');
  return {
    token,
    applications,
    application,
    self: textAt(application, '_links', 'self', 'href'),
    search: textAt(people, 'search', 'href'),
    contacts: textAt(people, 'myContacts', 'href'),
  };
}
