// node client.ts SERVER USERNAME PASSWORD              answers every message
// node client.ts SERVER USERNAME PASSWORD NAME TEXT    sends a message and prints the answer
const [server, username = '', password = '', name, text = ''] = process.argv.slice(2);
let authorization = '';

interface Resource {
  readonly uri?: string;
  readonly _links: Readonly<Record<string, { readonly href: string } | undefined>>;
  readonly _embedded?: Readonly<Record<string, Resource | readonly Resource[] | undefined>>;
  readonly sender?: readonly { readonly events: readonly Event[] }[];
}
interface Event extends Pick<Resource, '_embedded'> {
  readonly link: { readonly rel: string };
  readonly type: string;
  readonly reason?: object;
}

async function call(href: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (authorization) headers.set('authorization', authorization);
  const response = await fetch(new URL(href, server), { ...init, headers });
  if (response.ok || (response.status === 401 && !authorization)) return response;
  throw new Error(`${href}: ${response.status} ${await response.text()}`);
}

function post(href: string, body: object = {}): Promise<Response> {
  return call(href, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

function link({ _links: links }: Resource, rel: string): string {
  return links[rel]?.href ?? '';
}

function embedded({ _embedded: all }: Pick<Resource, '_embedded'>, rel: string): Resource {
  return [all?.[rel] ?? { _links: {} }].flat()[0] ?? { _links: {} };
}

async function json(response: Response): Promise<Resource> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a missing link reads as an empty one
  return (await response.json()) as Resource;
}

// Sign in: discovery links the user resource, whose challenge names the token service.
const user = link(await json(await call('/')), 'user');
const [, tokenService = ''] = /href="([^"]+)"/.exec((await call(user)).headers.get('www-authenticate') ?? '') ?? [];
const form = new URLSearchParams({ grant_type: 'password', username, password });
const { access_token: token } = Object(await (await call(tokenService, { method: 'POST', body: form })).json());
authorization = `Bearer ${token}`;

// Create an application, which is one client of the user, and be available in it.
const endpoint = { culture: 'en-US', endpointId: crypto.randomUUID(), userAgent: 'Guide/1.0' };
const application = await json(await post(link(await json(await call(user)), 'applications'), endpoint));
await post(link(embedded(application, 'me'), 'makeMeAvailable'), { supportedModalities: ['Messaging'] });

// Find a person and send a message.
if (name !== undefined) {
  const search = `${link(embedded(application, 'people'), 'search')}?query=${encodeURIComponent(name)}`;
  const { uri: to } = embedded(await json(await call(search)), 'contact');
  const message = `data:text/plain,${encodeURIComponent(text)}`;
  await post(link(embedded(application, 'communication'), 'startMessaging'), { to, message });
}

// Follow the events.
for (let next = link(application, 'events'), done = false; !done;) {
  const batch = await json(await call(next));
  next = link(batch, 'next') || link(batch, 'resync');
  for (const event of batch.sender?.flatMap(({ events }) => events) ?? []) {
    const resource = embedded(event, event.link.rel);
    const said = link(resource, 'plainMessage')
      .replace(/^[^,]*,/, '')
      .replaceAll('+', ' ');
    if (event.type === 'started' && link(resource, 'accept')) await post(link(resource, 'accept'));
    if (event.reason) process.stderr.write(`${event.link.rel}: ${JSON.stringify(event.reason)}\n`);
    if (said) {
      process.stdout.write(`${decodeURIComponent(said)}\n`);
      const headers = { 'content-type': 'text/plain' };
      const body = `You said: ${decodeURIComponent(said)}`;
      if (name === undefined) await call(link(resource, 'self'), { method: 'POST', headers, body });
    }
    done ||= name !== undefined && (said !== '' || event.reason !== undefined);
  }
}
await call(link(application, 'self'), { method: 'DELETE' });
