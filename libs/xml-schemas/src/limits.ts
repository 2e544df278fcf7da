import { FeedSyntaxError } from './feed-syntax-error.js';
import type { Element } from './element.js';

/** What the feed's own manager accepts; records need six. */
export const DEPTH_LIMIT = 32;
/** The largest known records (two audio directions with quality, route and WiFi fields) have some 200. */
export const ELEMENT_LIMIT = 2_000;
/** Of one element. No known element has more than four. */
export const ATTRIBUTE_LIMIT = 32;

/** How long a text of a record may be, in characters, and what becomes of a longer one. */
export interface TextLimit {
  readonly characters: number;
  /** A name that is cut would be another name. Senders never send again, so all that is only read by people is cut. */
  readonly beyond: 'refused' | 'cut';
}

/** docs/records.md shows them. Real records have a tenth of these at most. */
export const TEXT_LIMITS = {
  /** Tags, ids of endpoints, conversations, conferences, tenants: keys of stores. */
  identifier: { characters: 512, beyond: 'refused' },
  /** Names and addresses of machines, subnets and devices. */
  host: { characters: 255, beyond: 'refused' },
  /** Of users and services, with their parameters. */
  address: { characters: 2_048, beyond: 'refused' },
  /** Also versions, media types and verdicts. */
  word: { characters: 128, beyond: 'refused' },
  text: { characters: 1_024, beyond: 'cut' },
  diagnostics: { characters: 32_768, beyond: 'cut' },
  sdp: { characters: 65_536, beyond: 'cut' },
} as const satisfies Record<string, TextLimit>;

export type TextKind = keyof typeof TEXT_LIMITS;

/** So many names of cut texts are kept of one record. */
const CUT_NAMES_LIMIT = 32;

/** The names of the elements of one record whose texts were cut. */
export class CutTexts {
  private names: Set<string> | undefined;

  /** Undefined when nothing was. */
  get list(): readonly string[] | undefined {
    return this.names && [...this.names];
  }

  add(name: string): void {
    this.names ??= new Set();
    if (this.names.size < CUT_NAMES_LIMIT) this.names.add(name);
  }

  /** The text as far as its kind allows. Throws {@link FeedSyntaxError} `bad-value`, which names the element. */
  within<T extends string | undefined>(text: T, kind: TextKind, element: Element, name = element.name): T | string {
    const { characters, beyond } = TEXT_LIMITS[kind];
    if (text === undefined || text.length <= characters) return text;
    if (beyond === 'refused') {
      throw new FeedSyntaxError('bad-value', `${name} is longer than ${characters} characters.`, element.position);
    }
    this.add(name);
    return cutTo(text, characters);
  }
}

/** No half of a surrogate pair stays behind. */
export function cutTo(text: string, characters: number): string {
  const isPair = (text.codePointAt(characters - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? characters - 1 : characters);
}
