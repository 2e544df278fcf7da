import { Fault, InterfaceError, parseJson } from '@ringdown/web-server';
import { mediaTypes, reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';
import { charsetOf } from './charset.js';
import { queryParameters } from './query-parameters.js';
import { readXmlInput } from './xml-input.js';

export interface RequestBody {
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
}

/**
 * The parameters in a request's body, JSON or XML, as plain data with the names that `known` spells: clients differ in
 * their case (web-interface.md, sections 0 and 9). Names that are not known are left out. No body is no parameters.
 * Throws {@link InterfaceError} `DeserializationFailure`, or {@link Fault} `unsupported-media-type`.
 */
export function readInput(request: RequestBody, known: readonly string[], web: WebNames): Record<string, unknown> {
  const body = withoutMark(request.body);
  if (body === undefined || body.length === 0) return {};
  const form = formOf(request.contentType, web);
  if (!isUtf8(body)) unreadable('The body is not UTF-8.');
  const input = form === 'xml' ? readXmlInput(body.toString('utf8')) : parseJson(body, reasons.deserializationFailure);
  return namedAs(known, input);
}

/**
 * As {@link readInput}, for a POST: its parameters may stand in the query as well. What the body says as well counts
 * from there.
 */
export function readParameters(
  request: FastifyRequest<{ Body: Buffer | undefined }>,
  known: readonly string[],
  web: WebNames,
): Record<string, unknown> {
  const inQuery = [...queryParameters(request.url)].map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  const body = { contentType: request.headers['content-type'], body: request.body };
  return { ...namedAs(known, Object.fromEntries(inQuery)), ...readInput(body, known, web) };
}

function namedAs(known: readonly string[], input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) unreadable('An object is expected.');
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

/** A body without a type is taken for JSON: some clients send none. */
function formOf(contentType: string | undefined, web: WebNames): 'json' | 'xml' {
  const [mediaType = ''] = (contentType ?? '')
    .toLowerCase()
    .split(';', 1)
    .map((part) => part.trim());
  const readable = mediaTypes(web);
  if (mediaType !== '' && !readable.includes(mediaType)) unsupported(`Read here: ${readable.join(', ')}.`);
  if (!/^(?:utf-?8|us-ascii)$/.test(charsetOf(contentType ?? '') ?? 'utf-8')) unsupported('Bodies are read as UTF-8.');
  return mediaType.endsWith('xml') ? 'xml' : 'json';
}

function withoutMark(body: Buffer | undefined): Buffer | undefined {
  return body?.subarray(0, 3).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function unreadable(message: string): never {
  throw new InterfaceError(reasons.deserializationFailure, { message });
}

function unsupported(message: string): never {
  throw new Fault('unsupported-media-type', { message });
}
