import { nodeErrorCode } from '@ringdown/errors';
import { TextDecoder } from 'node:util';

/**
 * The charset that a content type names, in lower case; undefined when it names none. Some clients put it into single
 * or double quotes (web-interface.md, section 2).
 */
export function contentTypeCharset(contentType: string): string | undefined {
  const parameters = contentType.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return given?.replace(/^(["'])(.*)\1$/, '$2');
}

/**
 * The text of bytes in a charset; undefined when the bytes are not valid in it. Without a charset, or with an unknown
 * one, UTF-8 is assumed.
 */
export function textIn(charset: string | undefined, bytes: Uint8Array): string | undefined {
  const decoder = decoderOf(charset ?? UTF_8) ?? decoderOf(UTF_8);
  return unless('ERR_ENCODING_INVALID_ENCODED_DATA', () => decoder?.decode(bytes));
}

const UTF_8 = 'utf-8';

function decoderOf(charset: string): TextDecoder | undefined {
  return unless('ERR_ENCODING_NOT_SUPPORTED', () => new TextDecoder(charset, { fatal: true, ignoreBOM: true }));
}

/** Returns undefined when the function fails with exactly this error. */
function unless<T>(code: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (nodeErrorCode(error) === code) return undefined;
    throw error;
  }
}
