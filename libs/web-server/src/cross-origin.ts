import { setting, type Setting } from '@ringdown/settings';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { Fault } from './errors.js';
import { diagnosis } from './diagnosis.js';
import type { PublicOrigins } from './public-origins.js';

const ANY = '*';

const oneOrigin = setting.origin('ALLOWED_ORIGINS', {
  task: 'addresses',
  about:
    'Origins whose pages may call the web interface and `/api` from a browser, or * for all. ' +
    'Default: only pages of the public origins themselves',
});

const allowedOrigins: Setting<readonly string[]> = {
  ...oneOrigin,
  allowed: 'https://host[:port], comma-separated, or *',
  fallback: [],
  required: false,
  parse: (text) => {
    const items = text.split(',').map((item) => item.trim());
    return items.includes(ANY) ? [ANY] : items.map((item) => oneOrigin.parse(item));
  },
};

export const crossOriginSettings = { allowedOrigins };

export interface CrossOriginOptions {
  readonly web: WebNames;
  readonly publicOrigins: PublicOrigins;
  readonly allowedOrigins: readonly string[];
}

const METHODS = 'GET, HEAD, POST, PUT, DELETE';
/** Seconds for which a browser may cache the result of a preflight request. */
const MAX_AGE = '600';
/** What clients send in addition to the vendor's own headers (web-interface.md, section 1). */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'If-Match',
  'If-None-Match',
  'X-Requested-With',
  'Client-Request-Id',
  'Last-Event-ID',
];
const VENDOR_REQUEST_HEADERS = [
  'Origin',
  'Namespace',
  'WebTicket',
  'Correlation-Id',
  'SDK-Instance',
  'SDK-Version',
  'SDK-Host',
  'RequiresMinResourceVersion',
];
const ANSWER_HEADERS = [
  'WWW-Authenticate',
  'Location',
  'ETag',
  'Retry-After',
  'Allow',
  'X-Request-Id',
  'Client-Request-Id',
];
const VENDOR_ANSWER_HEADERS = ['Namespace', 'Server-Fqdn'];

const NONE = {};
const BY_ORIGIN = { vary: 'origin' };

/**
 * Which pages of other origins may call the interface, and the headers for their browsers (web-interface.md, section
 * 1).
 */
export class CrossOrigin {
  private readonly allowHeaders: string;
  private readonly exposeHeaders: string;
  /** Origin of the application that embeds the cross-frame page, which itself is of our origin. */
  private readonly framedOrigin: string;
  private readonly allowsAny: boolean;
  private readonly allowed: ReadonlySet<string>;

  constructor(private readonly options: CrossOriginOptions) {
    const { headerPrefix, diagnosticsHeader, versionHeader } = options.web;
    this.allowsAny = options.allowedOrigins.includes(ANY);
    this.allowed = new Set([...options.publicOrigins.all, ...options.allowedOrigins]);
    const ofVendor = (names: readonly string[]): string[] => names.map((name) => headerPrefix + name);
    this.framedOrigin = `${headerPrefix}Origin`.toLowerCase();
    this.allowHeaders = [...REQUEST_HEADERS, ...ofVendor(VENDOR_REQUEST_HEADERS)].join(', ');
    this.exposeHeaders = [...ANSWER_HEADERS, diagnosticsHeader, versionHeader, ...ofVendor(VENDOR_ANSWER_HEADERS)].join(
      ', ',
    );
  }

  /** Whether the response, or its existence, depends on the origin of the requesting page. */
  get varies(): boolean {
    return !this.allowsAny;
  }

  /** Throws {@link Fault} `forbidden` for a request from a page of an origin that is not allowed. */
  check(request: FastifyRequest): void {
    const framed = request.headers[this.framedOrigin];
    const { origin } = request.headers;
    if (origin === undefined && framed === undefined) return;
    const origins = [origin, ...[framed].flat()];
    if (origins.every((each) => each === undefined || this.allows(each))) return;
    const { web, publicOrigins } = this.options;
    const message = 'Service does not allow a cross domain request from this origin.';
    const source = publicOrigins.forHost(request.host);
    throw new Fault('forbidden', { message, headers: diagnosis(web, source, DIAGNOSIS, message) });
  }

  /** The headers of the response to a request that {@link check} has accepted. */
  headers(request: FastifyRequest): Readonly<Record<string, string>> {
    const { origin } = request.headers;
    if (origin === undefined) return this.allowsAny ? NONE : BY_ORIGIN;
    const shared = { 'access-control-expose-headers': this.exposeHeaders };
    if (this.allowsAny) return { ...shared, 'access-control-allow-origin': ANY };
    // Some clients always send requests with credentials; the only cookie there is gives access to photos.
    const credentials = { 'access-control-allow-credentials': 'true' };
    return { ...shared, ...credentials, 'access-control-allow-origin': origin, ...BY_ORIGIN };
  }

  /** The additional headers of the response to a preflight request; undefined for any other request. */
  preflight(request: FastifyRequest): Readonly<Record<string, string>> | undefined {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || wanted === undefined) return undefined;
    return {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': this.allowHeaders,
      'access-control-max-age': MAX_AGE,
    };
  }

  /**
   * Only the configured origins: a page under another name of this server, or loaded without encryption, is not ours.
   */
  private allows(origin: string): boolean {
    return this.allowsAny || this.allowed.has(origin.toLowerCase());
  }
}

/** The diagnosis number that deployed servers use for this error. */
const DIAGNOSIS = 28_070;
