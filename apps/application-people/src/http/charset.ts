import { codeOf } from '@ringdown/errors';
import { TextDecoder } from 'node:util';

/**
 * The charset that a content type names, in lower case; undefined when it names none. Some clients quote it, with either
 * quote (web-interface.md, section 2).
 */
export function charsetOf(contentType: string): string | undefined {
  const parameters = contentType.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return given?.replace(/^(["'])(.*)\1$/, '$2');
}

/**
 * The text that bytes are in a charset; undefined when they are none. UTF-8 is meant by whoever names no charset, or one
 * that nobody knows.
 */
export function textIn(charset: string | undefined, bytes: Uint8Array): string | undefined {
  const decoder = decoderOf(charset ?? UTF_8) ?? decoderOf(UTF_8);
  return unless('ERR_ENCODING_INVALID_ENCODED_DATA', () => decoder?.decode(bytes));
}

const UTF_8 = 'utf-8';

function decoderOf(charset: string): TextDecoder | undefined {
  return unless('ERR_ENCODING_NOT_SUPPORTED', () => new TextDecoder(charset, { fatal: true, ignoreBOM: true }));
}

/** What is made, or undefined when that fails in this one way. */
function unless<T>(code: string, make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (codeOf(error) === code) return undefined;
    throw error;
  }
}
