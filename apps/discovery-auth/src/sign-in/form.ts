import { InterfaceError } from '@ringdown/web-server/errors';
import { tokenErrors } from './token-errors.js';

const URLENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/**
 * The parameters of a form, by their names in lower case: real clients differ in the case of names and in the spelling
 * of the charset, and all use UTF-8 (web-interface.md, section 2). An empty parameter counts as missing, a repeated one
 * is an error (RFC 6749, section 3.2). Throws {@link InterfaceError} with a row of {@link tokenErrors}.
 */
export async function readForm(
  contentType: string | undefined,
  body: Buffer | undefined,
): Promise<ReadonlyMap<string, string>> {
  const parameters = new Map<string, string>();
  for (const [name, value] of await parseFormEntries(contentType ?? '', body ?? Buffer.alloc(0))) {
    const key = name.trim().toLowerCase();
    if (parameters.has(key)) {
      throw new InterfaceError(tokenErrors.invalidRequest, { message: 'a parameter is given more than once' });
    }
    parameters.set(key, value);
  }
  return new Map([...parameters].filter(([, value]) => value !== ''));
}

async function parseFormEntries(contentType: string, body: Buffer): Promise<Iterable<[string, string]>> {
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (!mediaType || mediaType === URLENCODED) return new URLSearchParams(body.toString('utf8'));
  if (mediaType === MULTIPART) return multipartEntries(contentType, body);
  throw new InterfaceError(tokenErrors.wrongMediaType);
}

async function multipartEntries(contentType: string, body: Buffer): Promise<[string, string][]> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new InterfaceError(tokenErrors.invalidRequest, { message: 'the form could not be read', cause });
    });
  return Promise.all(
    [...form].map(async ([name, value]): Promise<[string, string]> => {
      return [name, typeof value === 'string' ? value : await value.text()];
    }),
  );
}
