import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { freePort } from '@ringdown/embedded';

export interface OpenIdServerOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it sends people back to, after sign-in and sign-out. */
  readonly redirectUris: readonly string[];
  /** Claims of the person who signs in, by `login_hint`; the first one without a hint. */
  readonly people: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A real OpenID Connect provider that asks nobody for a password. */
export interface OpenIdServer {
  readonly issuer: string;
  /** A token with these claims beside `iss`, `iat` and `exp`, signed with its present key. */
  sign(claims: JWTPayload, header?: { readonly typ: string }): Promise<string>;
  /** The same without `exp`. */
  signForEver(claims: JWTPayload): Promise<string>;
  /** Continues with other keys; it forgets all sign-ins. */
  rotateKeys(): Promise<void>;
  /** Sends people back to these addresses from now on. */
  redirectTo(uris: readonly string[]): Promise<void>;
  /** Closes its port like a crash. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** Loaded when it is needed: few tests are about sign-in at a provider. */
export async function startOpenIdServer(options: OpenIdServerOptions): Promise<OpenIdServer> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let keys = await newKeys();
  let handler = await handlerOf(issuer, options, keys);
  let server = await listen(port, (request, response) => handler(request, response));
  return {
    issuer,
    sign: (claims, header) => sign(keys, { iss: issuer, exp: now() + 300, ...claims }, header),
    signForEver: (claims) => sign(keys, { iss: issuer, ...claims }),
    rotateKeys: async () => {
      keys = await newKeys();
      handler = await handlerOf(issuer, options, keys);
    },
    redirectTo: async (redirectUris) => {
      handler = await handlerOf(issuer, { ...options, redirectUris }, keys);
    },
    stop: () => close(server),
    restart: async () => {
      server = await listen(port, (request, response) => handler(request, response));
    },
  };
}

interface Keys {
  readonly id: string;
  readonly privateKey: CryptoKey;
}

let made = 0;

async function newKeys(): Promise<Keys> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { id: `key-${++made}`, privateKey };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function sign({ id, privateKey }: Keys, claims: JWTPayload, header = {}): Promise<string> {
  const protectedHeader = { alg: 'RS256', kid: id, ...header };
  return new SignJWT({ iat: now(), ...claims }).setProtectedHeader(protectedHeader).sign(privateKey);
}

async function handlerOf(issuer: string, options: OpenIdServerOptions, keys: Keys): Promise<Handler> {
  const { default: Provider } = await import('oidc-provider');
  const { clientId, clientSecret, redirectUris, people } = options;
  const claimNames = [...new Set(Object.values(people).flatMap((claims) => Object.keys(claims)))];
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...redirectUris],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(keys.privateKey)), kid: keys.id, alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub', ...claimNames], profile: [], email: [] },
    conformIdTokenClaims: false,
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, Session: 300 },
    pkce: { required: () => true },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider: own } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  return async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const hint = params['login_hint'];
    const accountId = typeof hint === 'string' ? hint : (Object.keys(people)[0] ?? 'nobody');
    await provider.interactionFinished(request, response, { login: { accountId } });
  };
}

async function listen(port: number, handler: Handler): Promise<Server> {
  const server = createServer((request, response) => {
    void Promise.resolve(handler(request, response)).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
