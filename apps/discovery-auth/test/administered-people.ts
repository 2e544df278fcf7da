import { eventually } from '@ringdown/testing/eventually';
import { postForm, type RunningService } from './running-service.js';
import { runPeopleCommand } from '../src/people-command/people-command.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // What the interface answers is checked by the tests.
  readonly body: Record<string, unknown>;
}

export interface Request {
  readonly method?: string;
  readonly body?: unknown;
  readonly ifMatch?: string | undefined;
}

/** Requests to `/api/people`, with a token. */
export async function request(
  { base }: RunningService,
  token: string,
  path: string,
  { method = 'GET', body, ifMatch }: Request = {},
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${base}/api/people${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: text }),
  });
  const read = await answer.text();
  return { status: answer.status, headers: answer.headers, body: read === '' ? {} : Object(JSON.parse(read)) };
}

/** Runs `npm run people`, which has to work; returns its output. */
export async function people(natsUrl: string, ...argv: readonly string[]): Promise<string> {
  let out = '';
  const code = await runPeopleCommand(argv, {
    env: { NATS_URL: natsUrl },
    readInput: () => Promise.resolve(''),
    out: (text) => void (out += text),
    err: (text) => void (out += text),
  });
  expect([code, out]).toEqual([0, expect.any(String)]);
  return out;
}

export async function tokenFor(
  { base }: RunningService,
  username: string,
  password: string,
): Promise<string | undefined> {
  const answer = await postForm(base, { grant_type: 'password', username, password });
  return answer.status === 200 ? String(Object(await answer.json()).access_token) : undefined;
}

/** Adds a person with roles; returns a token of theirs. */
export async function addAndSignIn(
  natsUrl: string,
  service: RunningService,
  name: string,
  ...roles: readonly string[]
): Promise<string> {
  const flags = roles.flatMap((role) => ['--role', role]);
  const line = await people(natsUrl, 'add', `${name}@example.test`, '--name', name, ...flags);
  const password = line.trim().split(' ').at(-1) ?? '';
  return eventually('the sign-in', async () => (await tokenFor(service, name, password)) ?? '');
}

export async function isValid({ base }: RunningService, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${base}/uc/discovery/user`, { headers })).status === 200;
}
