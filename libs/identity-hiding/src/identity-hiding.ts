import { createHmac } from 'node:crypto';
import { BoundedTexts } from './bounded-texts.js';
import { fieldRule, type FieldRule } from './field-rules.js';
import { addressParts } from './hide-address.js';
import { hideData } from './hide-data.js';
import { hideSipMessage } from './hide-sip-message.js';
import { reportBlocks } from './report-blocks.js';
import { TextCache } from './text-cache.js';
import { SHORTEST_SEED } from './settings.js';
import { userTokens, type UserToken } from './user-token.js';

const CACHED_TEXTS = 10_000;
const CACHED_LENGTH = 256;

/**
 * Hides users in exported data: the user part of every address becomes a token of 16 hex digits, made with the seed, so
 * that two receivers with different seeds cannot join their data. Of all other text, only words that are known not to
 * be names are shown; a mark (`hidden-` and a token of the text) replaces the rest. Domains, IP addresses and ids are
 * shown.
 */
export class IdentityHiding {
  /** The token of one user, for a search: `alice`, `+14255550100`. */
  readonly token: UserToken;
  /** Several for each call, by their rules. */
  private readonly cache = new TextCache(CACHED_TEXTS, CACHED_LENGTH);

  /** `seed`: secret text; with it, names can be found by trying. */
  constructor(private readonly seed: string) {
    if (seed.length < SHORTEST_SEED) {
      throw new Error(`the seed for hiding identities needs at least ${SHORTEST_SEED} characters`);
    }
    this.token = userTokens(seed);
  }

  /** With tokens of its own, which cannot be joined with those of other purposes. */
  for(purpose: string): IdentityHiding {
    return new IdentityHiding(createHmac('sha256', this.seed).update(`tokens for ${purpose}`).digest('hex'));
  }

  /** `alice` of `alice@host`, `sip:alice@host` or `tel:+1425`. */
  tokenOfAddress(address: string): string {
    return this.token(addressParts(address)?.user ?? address);
  }

  /** A text that is one address, even if it is malformed: `sip:anna meyer@host`, `anna`. */
  address(text: string): string {
    return this.field(text, 'uri');
  }

  /** The whole text of a field of a record or a call; free text if the field has no rule. */
  field(text: string, field: string, holder = ''): string {
    const rule = fieldRule(field, holder);
    return rule.isShown?.(text) === true ? text : this.hidden(text, rule);
  }

  /** A message of SIP as it was captured. */
  sipMessage(text: string): string {
    return hideSipMessage(text, this.token);
  }

  /** The reports in a packet of RTCP: descriptions of sources name users. */
  rtcp(packet: Buffer): Buffer {
    return reportBlocks(packet);
  }

  /**
   * Plain data, one record or call: hides every text in it by the name of its field. It takes at most a few tens of
   * milliseconds for any amount of data: text over the limit of {@link BoundedTexts} is cut.
   */
  data<T>(data: T): T {
    return this.bounded(data);
  }

  /** The same, but shows only texts that need no hiding. */
  outline<T>(data: T): T {
    return this.bounded(data, 0);
  }

  private bounded<T>(data: T, characters?: number): T {
    const texts = new BoundedTexts((text, rule) => this.hidden(text, rule), characters);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same shape comes back: only texts are replaced, by texts.
    return hideData(data, texts) as T;
  }

  private hidden(text: string, rule: FieldRule): string {
    return this.cache.get(`${rule.name} ${text}`, () => rule.hide(text, this.token));
  }
}
