import { Fault, rejectParameter } from '@ringdown/web-server/errors';
import { contentTypeCharset, textIn } from '../http/charset.js';
import type { InputRequest } from '../http/parameters.js';
import type { Content } from './conversations/conversation.js';
import { messageFormat } from './data-uri.js';

/**
 * The text that is the whole body of a request (web-interface.md, section 8, "Send"). It has no parameters that a class
 * could declare: only the content type says how to read the bytes. Throws a {@link Fault}.
 */
export function readTextMessage({ headers, body }: InputRequest): Content {
  const contentType = headers['content-type'] ?? '';
  const [mediaType = ''] = contentType.split(';', 1);
  const format = messageFormat(mediaType.trim().toLowerCase());
  if (format === undefined)
    throw new Fault('unsupported-media-type', { message: 'Supported media types: text/plain, text/html.' });
  if (body === undefined || body.length === 0) return rejectParameter('message', 'the message must not be empty');
  const charset = contentTypeCharset(contentType);
  const text = textIn(charset, body);
  if (text !== undefined) return { format, text };
  throw new Fault('unreadable-body', { message: `The text is not in ${charset ?? 'UTF-8'}.` });
}
