import { crc32 } from 'node:zlib';

/** At most ten digits, as clients know them; they change with the content. */
export function contentEtag(content: unknown): string {
  return etagOfText(JSON.stringify(content));
}

/** The same for content that is JSON already. */
export function etagOfText(json: string): string {
  return String(crc32(json));
}

/**
 * Whether an `If-None-Match` or `If-Match` header contains the entity tag (RFC 9110, section 13.1). Clients send it
 * with and without quotes.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  );
  return tags.includes(etag) || tags.includes('*');
}
