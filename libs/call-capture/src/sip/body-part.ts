import type { SipMessage } from './sip-message.js';

const PARTS_LIMIT = 16;

/** The body if it has this media type, or the part of a multipart body that has it (RFC 2046, 5.1). */
export function bodyPart({ headers, body }: SipMessage, mediaType: string): string | undefined {
  if (body === '') return undefined;
  const contentType = headers.first('content-type') ?? '';
  if (isType(contentType, mediaType)) return body;
  if (!/^multipart\//i.test(contentType)) return undefined;
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return undefined;
  for (const part of body.split(`--${mark}`, PARTS_LIMIT).slice(1)) {
    const [head = '', ...rest] = part.split(/\r?\n\r?\n/);
    const type = /^content-type\s*:\s*(.*)$/im.exec(head)?.[1] ?? '';
    if (isType(type, mediaType)) return rest.join('\r\n\r\n').trimEnd();
  }
  return undefined;
}

function isType(contentType: string, mediaType: string): boolean {
  return contentType === mediaType || contentType.split(';', 1)[0]?.trim().toLowerCase() === mediaType;
}
