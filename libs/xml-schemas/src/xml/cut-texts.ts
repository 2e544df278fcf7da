import { cutTo, TEXT_LIMITS, type TextKind } from '../model/text-limits.js';
import type { Element } from './element.js';
import { FeedSyntaxError } from './feed-syntax-error.js';

/** The maximum number of names of cut texts that are kept for one record. */
const CUT_NAMES_LIMIT = 32;

/** The names of the elements of one record whose texts were cut. */
export class CutTexts {
  private names: Set<string> | undefined;

  /** Undefined when no text was cut. */
  get list(): readonly string[] | undefined {
    return this.names && [...this.names];
  }

  add(name: string): void {
    this.names ??= new Set();
    if (this.names.size < CUT_NAMES_LIMIT) this.names.add(name);
  }

  /** The text within the limit of its kind. Throws {@link FeedSyntaxError} `bad-value`, which names the element. */
  within<T extends string | undefined>(text: T, kind: TextKind, element: Element, name = element.name): T | string {
    const { characters, beyond } = TEXT_LIMITS[kind];
    if (text === undefined || text.length <= characters) return text;
    if (beyond === 'rejected') {
      throw new FeedSyntaxError('bad-value', `${name} is longer than ${characters} characters.`, element.position);
    }
    this.add(name);
    return cutTo(text, characters);
  }
}
