import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

const KEY_ID = 'key-1';
const ACCESS_TOKEN = 'an access token of the provider';

/** How an ID token is signed. */
export type Signing = 'RS256' | 'none' | 'public key' | 'secret';

/** An OpenID Connect provider that answers each code as a test says, however wrong. */
export class MadeUpProvider {
  /** Answers instead, by path. */
  readonly instead = new Map<string, RequestListener>();
  /** Paths that were requested. */
  readonly requests: string[] = [];
  /** The ID token for any code. */
  idToken = '';
  /** Members of its description. */
  description: Record<string, unknown> = {};

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly privateKey: CryptoKey,
    private readonly publicKey: CryptoKey,
  ) {}

  static async start(): Promise<MadeUpProvider> {
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    const issuer = `http://127.0.0.1:${address.port}`;
    const provider = new MadeUpProvider(server, issuer, privateKey, publicKey);
    server.on('request', (request, response) => {
      const { pathname } = new URL(request.url ?? '/', issuer);
      provider.requests.push(pathname);
      const instead = provider.instead.get(pathname);
      if (instead !== undefined) return instead(request, response);
      response.setHeader('content-type', 'application/json');
      void provider.answer(pathname).then((body) => response.end(JSON.stringify(body)));
    });
    return provider;
  }

  /** A token with these claims beside the usual ones; `secret` is the secret of the client. */
  async sign(claims: JWTPayload, how: Signing = 'RS256', secret = ''): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const whole = { iss: this.issuer, aud: 'ringdown', sub: 'alice-1', iat: now, exp: now + 300, ...claims };
    if (how === 'RS256') return new SignJWT(whole).setProtectedHeader({ alg: how, kid: KEY_ID }).sign(this.privateKey);
    const input = [{ alg: how === 'none' ? how : 'HS256', kid: KEY_ID }, whole]
      .map((part) => base64Url(JSON.stringify(part)))
      .join('.');
    if (how === 'none') return `${input}.`;
    const key = how === 'secret' ? secret : await exportSPKI(this.publicKey);
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`;
  }

  /** What `at_hash` is for the access token that comes along. */
  get accessTokenHash(): string {
    return createHash('sha256').update(ACCESS_TOKEN).digest().subarray(0, 16).toString('base64url');
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(pathname: string): Promise<object> {
    if (pathname === '/token') return { access_token: ACCESS_TOKEN, token_type: 'Bearer', id_token: this.idToken };
    if (pathname === '/jwks') return { keys: [await this.jwk()] };
    const [authorization, token, keys] = ['/auth', '/token', '/jwks'].map((path) => this.issuer + path);
    const endpoints = { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keys };
    const algorithms = { id_token_signing_alg_values_supported: ['RS256'] };
    return { issuer: this.issuer, ...endpoints, ...algorithms, ...this.description };
  }

  private async jwk(): Promise<JWK> {
    return { ...(await exportJWK(this.publicKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  }
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
