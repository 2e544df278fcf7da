import { isIP } from 'node:net';

/** Text formats that only machines write. */

const LABEL = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{N}_-]{0,62})`;
const HOST = new RegExp(String.raw`^${LABEL}(?:\.${LABEL}){0,20}\.?(?::\d{1,5})?$`, 'u');
const UPLOAD = /^upload~[\w.-]{1,64}(?:~[\w.-]{1,64})?$/i;
const MACHINE_ID = /^\{?[\da-f]+(?:[-:.][\da-f]+)*\}?$/i;
const CALL_ID = /^(?!(?:sips?|tel|im|mailto):)[\x21-\x7e]+$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,12})?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const TOKEN = /^[\dA-F]{16}$/;
const MARK = /^hidden-[\dA-F]{16}$/;
const MARK_WITHIN = /hidden-[\da-f]{16}/i;
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '2.0', 'A', 'B', 'C', 'D']);

/** The front end of an uploaded capture: its uploader and a name of theirs, neither of a call. */
export function isUpload(text: string): boolean {
  return UPLOAD.test(text);
}

/** The name or address of a machine, with its port. */
export function isHost(text: string): boolean {
  return HOST.test(text) || isAddress(text);
}

export function isAddress(text: string): boolean {
  return isIP(text.replace(/^\[([^\]]{2,45})\](?::\d{1,5})?$/, '$1').replace(/%\d{1,3}$/, '')) !== 0;
}

/** An address of a network, with or without its prefix length. */
export function isSubnet(text: string): boolean {
  return isAddress(text.replace(/\/\d{1,3}$/, ''));
}

/** Hexadecimal digits, as in tags, ids of devices, GUIDs and MAC addresses. */
export function isMachineId(text: string): boolean {
  return text.length <= 128 && (MACHINE_ID.test(text) || isMark(text));
}

/** The characters of a Call-ID of SIP, and of similar ids: they are used to link and find calls. */
export function isCallId(text: string): boolean {
  return CALL_ID.test(text);
}

export function isTime(text: string): boolean {
  return TIME.test(text);
}

export function isVersion(text: string): boolean {
  return VERSIONS.has(text);
}

/** The token of a user: 16 hex digits with a letter among them. A number of 16 digits may be one that was dialled. */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && /[A-F]/.test(text);
}

export function isMark(text: string): boolean {
  return MARK.test(text);
}

/** Whether a word of the text is hidden. In keys, which have no case, also marks in lower case. */
export function hasMark(text: string): boolean {
  return MARK_WITHIN.test(text);
}
