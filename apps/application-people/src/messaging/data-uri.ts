import { isUtf8 } from 'node:buffer';
import type { MessageFormat } from '../presence-store/presence-record.js';
import type { Content } from './conversations/conversation.js';

const MEDIA_TYPES: Readonly<Record<MessageFormat, string>> = { Plain: 'text/plain', Html: 'text/html' };

/** Spaces as plus signs, as clients expect them (web-interface.md, section 8, "Data URIs"). */
export function dataUri({ format, text }: Content): string {
  return `data:${MEDIA_TYPES[format]};charset=utf-8,${encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')}`;
}

/** Undefined for anything that is not text in a data URI. Without a media type it is plain text (RFC 2397). */
export function parseDataUri(uri: string): Content | undefined {
  const [, head, data] = /^data:([^,]{0,200}),(.*)$/is.exec(uri) ?? [];
  if (head === undefined || data === undefined) return undefined;
  const [mediaType = '', ...parameters] = head.split(';').map((part) => part.trim().toLowerCase());
  const format = messageFormat(mediaType);
  const text = parameters.includes('base64') ? fromBase64(data) : fromPercent(data);
  return format === undefined || text === undefined ? undefined : { format, text };
}

/** The format for a media type without parameters, in lower case; undefined for a type that messages do not have. */
export function messageFormat(mediaType: string): MessageFormat | undefined {
  if (mediaType === MEDIA_TYPES.Html) return 'Html';
  return ['', MEDIA_TYPES.Plain].includes(mediaType) ? 'Plain' : undefined;
}

function fromPercent(data: string): string | undefined {
  try {
    return decodeURIComponent(data.replaceAll('+', ' '));
  } catch {
    // An invalid escape sequence: decodeURIComponent throws for nothing else.
    return undefined;
  }
}

/** `+`, `/` and `=` have a meaning in URLs, so they may be percent-encoded. */
function fromBase64(data: string): string | undefined {
  const plain = fromPercent(data.replaceAll('+', '%2B'));
  if (plain === undefined || !/^[a-z0-9+/\s]*(?:={1,2}\s*)?$/i.test(plain)) return undefined;
  const bytes = Buffer.from(plain, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
