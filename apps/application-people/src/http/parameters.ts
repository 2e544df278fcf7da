import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { listenerWebNames } from '@ringdown/web-server';
import { Fault } from '@ringdown/web-server/errors';
import { ParameterSource, parseJson, QuerySource } from '@ringdown/web-server/input';
import { mediaTypes } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { contentTypeCharset } from './charset.js';
import { readXmlInput } from './xml-input.js';

/** The parts of a request that contain parameters. */
export interface SentParameters {
  readonly url: string;
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
}

/**
 * The parameters of a POST or PUT: in its body, JSON or XML, and in its query (web-interface.md, section 9). If both
 * contain a parameter, the body wins. Clients use different case for names (web-interface.md, section 0). Without a
 * body and a query there are no parameters.
 */
export class RequestParameters extends ParameterSource {
  constructor(
    private readonly sent: SentParameters,
    private readonly web: WebNames,
  ) {
    super();
  }

  /** Throws {@link Fault} `unreadable-body` or `unsupported-media-type`. */
  override named(names: readonly string[]): Readonly<Record<string, unknown>> {
    return { ...new QuerySource(this.sent.url).named(names), ...this.inBody(names) };
  }

  private inBody(names: readonly string[]): Readonly<Record<string, unknown>> {
    const body = withoutMark(this.sent.body);
    if (body === undefined || body.length === 0) return {};
    const form = formOf(this.sent.contentType, this.web);
    if (!isUtf8(body)) unreadable('The body is not UTF-8.');
    return namedAs(names, form === 'xml' ? readXmlInput(body.toString('utf8')) : parseJson(body));
  }
}

/** The {@link RequestParameters} of a request, as an instance of the class that is the argument's type. */
export const Parameters = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  requestParameters(context.switchToHttp().getRequest<InputRequest>()),
);

export type InputRequest = FastifyRequest<{ Body: Buffer | undefined }>;

export function requestParameters(request: InputRequest): RequestParameters {
  const { url, headers, body } = request;
  return new RequestParameters({ url, contentType: headers['content-type'], body }, listenerWebNames(request));
}

function namedAs(known: readonly string[], input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) unreadable('The body must be an object.');
  const names = new Map(known.map((name) => [name.toLowerCase(), name]));
  const named = new Map<string, unknown>();
  for (const [key, value] of Object.entries(input)) {
    const name = names.get(key.toLowerCase());
    if (name === undefined) continue;
    if (named.has(name)) unreadable(`${name} is given more than once.`);
    named.set(name, value);
  }
  return Object.fromEntries(named);
}

/** A body without a type is read as JSON: some clients send none. */
function formOf(contentType: string | undefined, web: WebNames): 'json' | 'xml' {
  const [mediaType = ''] = (contentType ?? '')
    .toLowerCase()
    .split(';', 1)
    .map((part) => part.trim());
  const readable = mediaTypes(web);
  if (mediaType !== '' && !readable.includes(mediaType)) unsupported(`Supported media types: ${readable.join(', ')}.`);
  if (!/^(?:utf-?8|us-ascii)$/.test(contentTypeCharset(contentType ?? '') ?? 'utf-8'))
    unsupported('The only supported charset is UTF-8.');
  return mediaType.endsWith('xml') ? 'xml' : 'json';
}

function withoutMark(body: Buffer | undefined): Buffer | undefined {
  return body?.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function unreadable(message: string): never {
  throw new Fault('unreadable-body', { message });
}

function unsupported(message: string): never {
  throw new Fault('unsupported-media-type', { message });
}
