import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { IncomingMessage, ServerResponse } from 'node:http';

const HTTP_PATH = '/.well-known/acme-challenge/';
/** RFC 8737, section 6.2. */
const ACME_TLS = 'acme-tls/1';
const HTTP = 'http/1.1';

/** The answers by which an authority sees that this system has the names that it asks for, for as long as it looks. */
export class Challenges {
  private readonly texts = new Map<string, string>();
  private readonly contexts = new Map<string, SecureContext>();

  /** For http-01: RFC 8555, section 8.3. */
  answerWithText(token: string, keyAuthorization: string): void {
    this.texts.set(token, keyAuthorization);
  }

  /** For tls-alpn-01: RFC 8737, section 3. */
  answerWithCertificate(host: string, files: { readonly cert: string; readonly key: string }): void {
    this.contexts.set(host.toLowerCase(), createSecureContext(files));
  }

  clear(): void {
    this.texts.clear();
    this.contexts.clear();
  }

  /** Whether the request of the plain port was one of an authority; it has been answered then. */
  readonly answered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '', method } = request;
    if (!url.startsWith(HTTP_PATH) || (method !== 'GET' && method !== 'HEAD')) return false;
    const text = this.texts.get(url.slice(HTTP_PATH.length).split('?', 1)[0] ?? '');
    if (text === undefined) return false;
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': Buffer.byteLength(text) });
    response.end(text);
    return true;
  };

  /**
   * Which protocol a TLS connection has, and which certificate: that of a challenge only for who asks for the protocol of challenges, so
   * that other clients of the same name never see it. Undefined ends the handshake, as without this function.
   */
  alpnCallback(): (this: TLSSocket, offer: { servername: string; protocols: string[] }) => string | undefined {
    const { contexts } = this;
    return function select({ servername, protocols }) {
      if (!protocols.includes(ACME_TLS)) return protocols.includes(HTTP) ? HTTP : undefined;
      const context = contexts.get(servername.toLowerCase());
      if (context === undefined) return undefined;
      this.setKeyCert(context);
      return ACME_TLS;
    };
  }
}

/** An authority has seen all that it wants in the handshake; nothing may be sent (RFC 8737, section 3). */
export function isOfChallenge({ alpnProtocol }: TLSSocket): boolean {
  return alpnProtocol === ACME_TLS;
}
