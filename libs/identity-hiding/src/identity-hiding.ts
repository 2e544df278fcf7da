import { addressParts, hideAddress } from './hide-address.js';
import { hideInDiagnostics, hideValue } from './hide-diagnostics.js';
import { hideInSdp } from './hide-sdp.js';
import { hideInText } from './hide-text.js';
import { SHORTEST_SEED } from './settings.js';
import { userTokens, type UserToken } from './user-token.js';

/** Ids that join records and calls. Many have the form of an address, but name no user. */
const IDS: ReadonlySet<string> = new Set([
  'callId',
  'conversationId',
  'conferenceId',
  'correlationId',
  'id',
  'epId',
  'replaces',
]);
/** Fields that are one address and nothing else. */
const ADDRESSES: ReadonlySet<string> = new Set(['uri', 'from', 'to', 'conferenceUri']);
const DIAGNOSTICS_TEXT = 'diagnostics.text';
/** What no field of a record takes, by its path in the document. */
const FURTHER = 'further';
/** The same addresses come again and again, several times in each call. */
const REMEMBERED_TEXTS = 5_000;
const REMEMBERED_LENGTH = 256;

/**
 * Hides users in what is given away: the user part of every address becomes a token of 16 hex digits, made with the
 * seed, so that two receivers with different seeds cannot join what they know. Domains, IP addresses and ids stay.
 */
export class IdentityHiding {
  /** The token of one user, to search for: `alice`, `+14255550100`. */
  readonly token: UserToken;
  /** Short texts with users that came lately, and what became of them; the oldest first. */
  private readonly remembered = new Map<string, string>();

  /** `seed`: secret text; whoever knows it can try names. */
  constructor(seed: string) {
    if (seed.length < SHORTEST_SEED) {
      throw new Error(`the seed for hiding identities needs at least ${SHORTEST_SEED} characters`);
    }
    this.token = userTokens(seed);
  }

  /** `alice` of `alice@host`, `sip:alice@host` or `tel:+1425`. */
  tokenOfAddress(address: string): string {
    return this.token(addressParts(address)?.user ?? address);
  }

  /** Free text, which may hold any number of addresses. */
  text(text: string): string {
    return this.remembering(`text ${text}`, text, hideInText);
  }

  /** A text that is one address, also where it is malformed: `sip:anna meyer@host`, `anna`. */
  address(text: string): string {
    return this.remembering(`address ${text}`, text, hideAddress);
  }

  diagnostics(text: string): string {
    return hideInDiagnostics(text, this.token);
  }

  sdp(text: string): string {
    return hideInSdp(text, this.token);
  }

  /** Plain data, a record or a call for example: every text in it, wherever it is, by the name of its field. */
  data<T>(data: T): T {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same shape comes back: only texts are replaced, by texts.
    return this.value(data, '') as T;
  }

  private value(value: unknown, name: string): unknown {
    if (typeof value === 'string') return this.field(name, value);
    if (Array.isArray(value)) return value.map((item: unknown) => this.value(item, name));
    if (typeof value !== 'object' || value === null) return value;
    if (isPair(value)) return { ...value, value: hideValue(value.key, value.value, this.token) };
    const isDiagnostics = name.startsWith('diagnostics');
    const fields = Object.entries(value).map(([key, inner]: [string, unknown]) => {
      if (name === FURTHER && typeof inner === 'string') return [key, this.further(key, inner)];
      return [key, this.value(inner, isDiagnostics && key === 'text' ? DIAGNOSTICS_TEXT : key)];
    });
    return Object.fromEntries(fields);
  }

  /** `Owner`, `Party[2]/Name` and `Party@Owner` name somebody as a key of diagnostics does. */
  private further(path: string, text: string): string {
    const name = (path.split(/[/@]/).at(-1) ?? path).replace(/\[\d+\]$/, '');
    return text.startsWith('v=0') ? this.sdp(text) : hideValue(name, text, this.token);
  }

  private remembering(key: string, text: string, hide: (text: string, token: UserToken) => string): string {
    const known = this.remembered.get(key);
    if (known !== undefined) return known;
    const hidden = hide(text, this.token);
    if (hidden !== text && text.length <= REMEMBERED_LENGTH) this.remember(key, hidden);
    return hidden;
  }

  private remember(key: string, hidden: string): void {
    if (this.remembered.size >= REMEMBERED_TEXTS) {
      const [oldest] = this.remembered.keys();
      if (oldest !== undefined) this.remembered.delete(oldest);
    }
    this.remembered.set(key, hidden);
  }

  private field(name: string, text: string): string {
    if (IDS.has(name)) return text;
    if (name === 'rawSdp' || text.startsWith('v=0')) return this.sdp(text);
    if (name === DIAGNOSTICS_TEXT) return this.diagnostics(text);
    return ADDRESSES.has(name) ? this.address(text) : this.text(text);
  }
}

function isPair(value: object): value is { key: string; value: string } {
  return 'key' in value && 'value' in value && typeof value.key === 'string' && typeof value.value === 'string';
}
