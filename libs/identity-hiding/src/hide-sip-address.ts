import { isIP } from 'node:net';
import { PHRASE_WORDS } from './known-words.js';
import { hideUnknownWords, hiddenMark, type ShownWords } from './hide-unknown-words.js';
import { isHost, isMachineId } from './shapes.js';
import type { UserToken } from './user-token.js';

export const SIP_METHODS: ReadonlySet<string> = new Set(
  'INVITE ACK BYE CANCEL PRACK UPDATE INFO REFER NOTIFY SUBSCRIBE OPTIONS REGISTER MESSAGE PUBLISH'.split(' '),
);

/** Option tags, events, values of parameters: words of the protocol that are not in free text. */
const PROTOCOL_WORDS = `subscribe register options ack bye cancel prack info refer notify publish 100rel timer replaces path gruu outbound norefersub tdialog
  histinfo eventlist early join resource uas uac refresher initial active terminated pending dialog presence message summary
  simple sipfrag pidf rpidf xml text plain html isub ob precondition trickle recvonly user phone yes no party calling called
  screen counter unconditional unavailable deflection away cause header session critical none q expires`;

export const SIP_WORDS: ReadonlySet<string> = new Set([
  ...PHRASE_WORDS,
  ...PROTOCOL_WORDS.split(/\s+/).filter((word) => word !== ''),
]);
const WORDS: ShownWords = { known: SIP_WORDS, numbers: 'none' };

const SCHEMES: ReadonlySet<string> = new Set(['sip', 'sips', 'tel', 'im', 'pres', 'urn']);
/** Parameters whose values are machine-made ids, hosts, or short numbers. */
const IDS: ReadonlySet<string> = new Set([
  'tag',
  'to-tag',
  'from-tag',
  'ftag',
  'vst',
  'did',
  'reg-id',
  '+sip.instance',
]);
const HOSTS: ReadonlySet<string> = new Set(['received', 'maddr']);
const NUMBERS: ReadonlySet<string> = new Set('rport ttl expires q index cause refresher-expires text'.split(' '));
const WORD_PARAMETERS: ReadonlySet<string> = new Set(
  'lr transport user method comp ob gr refresher early-only privacy screen party reason counter r2 handling charset retry-after'.split(
    ' ',
  ),
);
const BRANCH_COOKIE = 'z9hG4bK';
/** A number of up to so many digits may be a telephone number. */
const PHONE_DIGITS = 15;

/** Whether the name of a host, in lower case, may be shown: it is not that of a phone. */
export type IsShownHost = (name: string) => boolean;

/** Of the addresses of users: their hosts are domains. */
export const ANY_HOST: IsShownHost = () => true;

/** One URI: `sip:alice@host;transport=udp` becomes `sip:<token>@host;transport=udp`. */
export function hideSipAddress(uri: string, token: UserToken, isShownHost: IsShownHost): string {
  const colon = uri.indexOf(':');
  const scheme = uri.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!SCHEMES.has(scheme)) return hiddenMark(uri, token);
  const rest = uri.slice(colon + 1);
  if (scheme === 'urn') return `urn:${hiddenMark(rest, token)}`;
  if (scheme === 'tel') return `${scheme}:${token(rest)}`;
  const at = rest.lastIndexOf('@');
  const user = at === -1 ? '' : `${token(rest.slice(0, at).split(':', 1)[0] ?? '')}@`;
  const place = rest.slice(at + 1);
  const [, host = '', after = ''] = /^([^;?]*)(.*)$/s.exec(place) ?? [];
  const [parameters = '', ...embedded] = after.split('?');
  const headers = embedded.length === 0 ? '' : `?${hiddenMark(embedded.join('?'), token)}`;
  // Without a user, a single word may be one.
  const isWord = user === '' && !host.includes('.') && !host.includes(':');
  const server = isWord && host !== '' ? hiddenMark(host, token) : hideHost(host, token, isShownHost);
  return `${scheme}:${user}${server}${hideParameters(parameters, token)}${headers}`;
}

/** IP addresses are shown, and names of hosts that may be; ports remain. A telephone number in the place of a host is hidden. */
export function hideHost(host: string, token: UserToken, isShownHost: IsShownHost): string {
  const name = hostWithoutPort(host);
  const isServer =
    isIP(name.replaceAll(/[[\]]/g, '')) !== 0 || (isHost(host) && !isPhoneLike(name) && isShownHost(name));
  if (isServer || host === '') return host;
  // The port is only kept of what is a host: other texts may be anything.
  return isHost(host) ? hiddenMark(name, token) + host.slice(name.length) : hiddenMark(host, token);
}

/** The domain of the address of a user, in lower case; empty without one. */
export function domainIn(address: string): string {
  // A display name may contain an address as well.
  const uri = address.slice(address.lastIndexOf('<') + 1);
  const [, host = ''] = /@([^@;?>\s]{1,300})(?:[;?>\s]|$)/.exec(uri) ?? [];
  return hostWithoutPort(host);
}

/** Without the port and in lower case. */
function hostWithoutPort(host: string): string {
  return host.replace(/:\d{1,5}$/, '').toLowerCase();
}

/** `;tag=1;lr`, with the leading semicolon or empty. */
export function hideParameters(text: string, token: UserToken): string {
  if (text.trim() === '') return '';
  const [, ...parameters] = text.split(';');
  return parameters.map((parameter) => `;${hideParameter(parameter.trim(), token)}`).join('');
}

function hideParameter(parameter: string, token: UserToken): string {
  const equals = parameter.indexOf('=');
  const written = equals === -1 ? parameter : parameter.slice(0, equals).trimEnd();
  const name = written.toLowerCase();
  const value = equals === -1 ? undefined : parameter.slice(equals + 1).trim();
  const isKnown = [IDS, HOSTS, NUMBERS, WORD_PARAMETERS].some((names) => names.has(name)) || name === 'branch';
  if (!isKnown) return hiddenMark(parameter, token);
  return value === undefined ? written : `${written}=${hideValue(name, value, token)}`;
}

function hideValue(name: string, value: string, token: UserToken): string {
  if (name === 'branch') return hideBranch(value, token);
  if (IDS.has(name)) return machineIdOrMark(value, token);
  if (HOSTS.has(name)) return isIP(value.replaceAll(/[[\]]/g, '')) === 0 ? hiddenMark(value, token) : value;
  if (NUMBERS.has(name)) return /^[\d.]{1,6}$/.test(value) || value === '' ? value : hiddenMark(value, token);
  return hideUnknownWords(value, WORDS, token);
}

/** The cookie marks the version of the protocol; what follows is made by machines, some of which write names there. */
function hideBranch(value: string, token: UserToken): string {
  if (!value.startsWith(BRANCH_COOKIE)) return hiddenMark(value, token);
  const rest = value.slice(BRANCH_COOKIE.length);
  return BRANCH_COOKIE + (rest === '' ? '' : machineIdOrMark(rest, token));
}

function machineIdOrMark(value: string, token: UserToken): string {
  const bare = value.replace(/^[-.]/, '');
  return isMachineId(bare) && !isPhoneLike(bare) ? value : hiddenMark(value, token);
}

function isPhoneLike(text: string): boolean {
  return /^[+\d().-]*$/.test(text) && text.replaceAll(/\D/g, '').length <= PHONE_DIGITS;
}
