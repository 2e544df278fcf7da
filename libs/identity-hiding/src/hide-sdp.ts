import { hideInText } from './hide-text.js';
import { hideUnknownWords, hiddenMark, type ShownWords } from './hide-unknown-words.js';
import { SDP_ATTRIBUTES } from './known-names.js';
import { MEDIA_WORDS } from './known-words.js';
import type { UserToken } from './user-token.js';

const SHOWN: ShownWords = { known: MEDIA_WORDS, numbers: 'all' };
/** Values that programs write if the session has no name. */
const NO_NAME = /^(?:-|\s*|session)$/i;
const ATTRIBUTE = /^([\w-]{1,64})(:.*)?$/s;
const FINGERPRINT = /^:sha-\d{1,3} [\da-f:]{1,200}$/i;
/** Session name, information, link, mail, key: texts written by people, and secrets of the media. */
const WORDS_OF_PEOPLE = new Set(['s', 'i', 'u', 'e', 'k']);
const NUMBERS_AND_WORDS = new Set(['v', 'c', 'b', 't', 'r', 'z', 'm']);
/** Secrets that give access to the media. */
const SECRETS = new Set(['ice-pwd', 'ice-ufrag']);

/** Known lines with their known words, and marks for all others: what has not the form of a line of SDP may be any text. */
export function hideInSdp(sdp: string, token: UserToken): string {
  return sdp
    .split(/(\r\n|\n|\r)/)
    .map((line) => hideInLine(line, token))
    .join('');
}

function hideInLine(line: string, token: UserToken): string {
  if (line.trim() === '') return line;
  if (line.charAt(1) !== '=') return hiddenMark(line, token);
  const type = line.charAt(0);
  const value = line.slice(2);
  if (type === 'o') return `o=${hideOrigin(value, token)}`;
  if (type === 'p') return `p=${token(value.replaceAll(/\s/g, ''))}`;
  if (type === 'a') return `a=${hideAttribute(value, token)}`;
  if (WORDS_OF_PEOPLE.has(type))
    return `${type}=${type === 's' && NO_NAME.test(value) ? value : hiddenMark(value, token)}`;
  return NUMBERS_AND_WORDS.has(type) ? `${type}=${hideMedia(value, token)}` : hiddenMark(line, token);
}

function hideOrigin(value: string, token: UserToken): string {
  const space = value.indexOf(' ');
  const user = space === -1 ? value : value.slice(0, space);
  const rest = value.slice(user.length);
  return (user === '-' ? user : token(user.split('@')[0] ?? user)) + hideMedia(rest, token);
}

function hideAttribute(attribute: string, token: UserToken): string {
  const [, name = '', value = ''] = ATTRIBUTE.exec(attribute) ?? [];
  if (!SDP_ATTRIBUTES.has(name)) return hiddenMark(attribute, token);
  if (name === 'fingerprint' && FINGERPRINT.test(value)) return attribute;
  if (SECRETS.has(name) && value !== '') return `${name}:${hiddenMark(value.slice(1), token)}`;
  return name + hideMedia(value, token);
}

function hideMedia(text: string, token: UserToken): string {
  return hideUnknownWords(hideInText(text, token), SHOWN, token);
}
