import { errorReason } from '@ringdown/errors';
import { readFile } from 'node:fs/promises';

export interface OperatorAccess {
  /** Origin of the web interface. */
  readonly origin: string;
  /** JSON file with users, their passwords and roles, as `npm start` writes it. */
  readonly usersFile: string;
}

interface User {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly string[];
}

const TIMEOUT_MS = 10_000;

/** The query API of the system that receives the demo, signed in as its operator. */
export class OperatorApi {
  private constructor(
    private readonly origin: string,
    private readonly token: string,
  ) {}

  /** Throws an Error that says why the operator could not be signed in. */
  static async signIn({ origin, usersFile }: OperatorAccess): Promise<OperatorApi> {
    const users: unknown = JSON.parse(await readFile(usersFile, 'utf8'));
    const operator = Array.isArray(users)
      ? users.filter(isUser).find(({ roles }) => roles.includes('operator'))
      : undefined;
    if (operator === undefined) throw new Error(`${usersFile} has no operator`);
    const { username, password } = operator;
    const body = new URLSearchParams({ grant_type: 'password', username, password });
    const { access_token: token } = objectValue(await send(await tokenService(origin), { method: 'POST', body }));
    if (typeof token !== 'string') throw new Error('the token service sent no token');
    return new OperatorApi(origin, token);
  }

  get(path: string): Promise<unknown> {
    return this.request(path, {});
  }

  post(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return this.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  private request(path: string, init: RequestInit): Promise<unknown> {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${this.token}` };
    return send(`${this.origin}${path}`, { ...init, headers });
  }
}

/** Found as every client finds it: the discovery document links the user, whose challenge names the token service. */
async function tokenService(origin: string): Promise<string> {
  const discovery = objectValue(await send(origin, { headers: { accept: 'application/json' } }));
  const { href: user } = objectValue(objectValue(discovery['_links'])['user']);
  if (typeof user !== 'string') throw new Error(`the discovery document of ${origin} links no user`);
  const { headers } = await request(new URL(user, origin).href, {});
  const [, href] = /\bhref="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  if (href === undefined) throw new Error(`${user} names no token service`);
  return new URL(href, origin).href;
}

/** The list in an answer; empty if it has none. */
export function answerItems(answer: unknown, name: string): readonly Readonly<Record<string, unknown>>[] {
  const { [name]: items } = objectValue(answer);
  return Array.isArray(items) ? items.map(objectValue) : [];
}

function objectValue(value: unknown): Readonly<Record<string, unknown>> {
  return { ...Object(value) };
}

function isUser(value: unknown): value is User {
  const { username, password, roles } = objectValue(value);
  return typeof username === 'string' && typeof password === 'string' && Array.isArray(roles);
}

/** Empty if it is not a text. */
export function textValue(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  const answer = await request(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    const { cause } = Object(error);
    throw new Error(`${url}: ${errorReason(cause ?? error)}`, { cause: error });
  }
}
