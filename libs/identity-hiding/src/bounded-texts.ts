import type { FieldRule } from './field-rules.js';
import { MARK } from './hide-unknown-words.js';

/**
 * How much text of one record or call is processed, in characters: its sender decides how long it is, and other work
 * waits meanwhile. A repeated text counts once.
 */
const MAX_CHARACTERS = 32_768;
/** The limit for one text, unless its rule sets another; as long as an address may be. */
const MAX_TEXT_CHARACTERS = 2_048;
/** Looking up a cached text takes time as well. */
const CHARACTERS_PER_TEXT = 16;
/**
 * A mark is longer than most words, and is sent for each occurrence of the text: so many of its characters count as
 * one.
 */
const SENT_PER_CHARACTER = 8;
/** A text is cut between words if a word ends within this distance. */
const LONGEST_WORD = 128;
const WORD_END = /[\s;,]/;

/** The texts of one record or call while users are hidden in it. */
export class BoundedTexts {
  private readonly done = new Map<string, string>();

  constructor(
    private readonly hide: (text: string, rule: FieldRule) => string,
    private left = MAX_CHARACTERS,
  ) {}

  /** The visible form of a text: the whole text, or its beginning, marked as cut. */
  shown(text: string, rule: FieldRule): string {
    return this.within(text, rule) ?? `… (cut, ${text.length} characters)`;
  }

  /** The same for a name, which is never cut; all names over the limit get the same name. */
  name(text: string, rule: FieldRule): string {
    return this.within(text, rule) ?? `${MARK}-cut`;
  }

  private within(text: string, rule: FieldRule): string | undefined {
    if (text === '' || rule.isShown?.(text) === true) return text;
    const key = `${rule.name} ${text}`;
    const known = this.done.get(key);
    if (known !== undefined) return this.sent(known);
    const limit = Math.min(rule.characters ?? MAX_TEXT_CHARACTERS, this.left - CHARACTERS_PER_TEXT);
    if (limit < Math.min(text.length, LONGEST_WORD)) return undefined;
    const processed = text.length <= limit ? text : beginning(text, limit);
    this.left -= processed.length + CHARACTERS_PER_TEXT;
    const hidden = this.hide(processed, rule);
    const result = processed === text ? hidden : `${hidden}… (cut, ${text.length} characters)`;
    this.done.set(key, result);
    return this.sent(result);
  }

  private sent(text: string): string | undefined {
    if (this.left < 0) return undefined;
    this.left -= Math.ceil(text.length / SENT_PER_CHARACTER);
    return text;
  }
}

/** Cut between words, because a part of a number could be shown even if the whole number is hidden. */
function beginning(text: string, limit: number): string {
  let end = limit;
  while (end > limit - LONGEST_WORD && !WORD_END.test(text.charAt(end))) end--;
  return text.slice(0, end > limit - LONGEST_WORD ? end : limit).toWellFormed();
}
