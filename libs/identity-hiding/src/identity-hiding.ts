import { BoundedTexts } from './bounded-texts.js';
import { ruleOf, type FieldRule } from './field-rules.js';
import { addressParts } from './hide-address.js';
import { hideData } from './hide-data.js';
import { RememberedTexts } from './remembered-texts.js';
import { SHORTEST_SEED } from './settings.js';
import { userTokens, type UserToken } from './user-token.js';

const REMEMBERED_TEXTS = 10_000;
const REMEMBERED_LENGTH = 256;

/**
 * Hides users in what is given away: the user part of every address becomes a token of 16 hex digits, made with the
 * seed, so that two receivers with different seeds cannot join what they know. Of everything else only that is shown
 * which is known to be no name; a mark (`hidden-` and a token of the text) stands for the rest. Domains, IP addresses
 * and ids stay.
 */
export class IdentityHiding {
  /** The token of one user, to search for: `alice`, `+14255550100`. */
  readonly token: UserToken;
  /** Several in each call, by their rules. */
  private readonly remembered = new RememberedTexts(REMEMBERED_TEXTS, REMEMBERED_LENGTH);

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

  /** A text that is one address, also where it is malformed: `sip:anna meyer@host`, `anna`. */
  address(text: string): string {
    return this.field(text, 'uri');
  }

  /** The whole text of a field of a record or a call; free text where the field has no rule. */
  field(text: string, field: string, holder = ''): string {
    const rule = ruleOf(field, holder);
    return rule.leaves?.(text) === true ? text : this.hidden(text, rule);
  }

  /**
   * Plain data, one record or call: every text in it, wherever it is, by the name of its field. However much is in it, it
   * takes some tens of milliseconds at most: what is beyond {@link BoundedTexts} is cut.
   */
  data<T>(data: T): T {
    return this.bounded(data);
  }

  /** The same with no more of it than what is shown as it is. */
  outline<T>(data: T): T {
    return this.bounded(data, 0);
  }

  private bounded<T>(data: T, characters?: number): T {
    const texts = new BoundedTexts((text, rule) => this.hidden(text, rule), characters);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same shape comes back: only texts are replaced, by texts.
    return hideData(data, texts) as T;
  }

  private hidden(text: string, rule: FieldRule): string {
    return this.remembered.get(`${rule.name} ${text}`, () => rule.hide(text, this.token));
  }
}
