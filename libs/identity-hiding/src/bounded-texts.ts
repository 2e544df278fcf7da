import type { FieldRule } from './field-rules.js';
import { MARK } from './hide-words.js';

/**
 * How much is hidden of one record or call, in characters: whoever sends it decides how much there is to hide, and others
 * wait meanwhile. A text that is there several times is hidden once.
 */
const MOST_CHARACTERS = 32_768;
/** Of one text, where its rule does not say otherwise; as much as an address may have. */
const MOST_OF_TEXT = 2_048;
/** Finding a text among those that are there already takes time as well. */
const CHARACTERS_FOR_TEXT = 16;
/** A mark is longer than most words, and is sent each time that the text is there: so many of them count as one. */
const SENT_FOR_ONE = 8;
/** A text is cut between words where one ends so near. */
const LONGEST_WORD = 128;
const WORD_END = /[\s;,]/;

/** The texts of one record or call while users are hidden in it. */
export class BoundedTexts {
  private readonly done = new Map<string, string>();

  constructor(
    private readonly hide: (text: string, rule: FieldRule) => string,
    private left = MOST_CHARACTERS,
  ) {}

  /** What is shown of it: all that there is to see, or its beginning, marked as cut. */
  shown(text: string, rule: FieldRule): string {
    return this.within(text, rule) ?? `… (cut, ${text.length} characters)`;
  }

  /** The same for a name, of which there is no half; those that are too many have one name. */
  name(text: string, rule: FieldRule): string {
    return this.within(text, rule) ?? `${MARK}-cut`;
  }

  private within(text: string, rule: FieldRule): string | undefined {
    if (text === '' || rule.leaves?.(text) === true) return text;
    const key = `${rule.name} ${text}`;
    const known = this.done.get(key);
    if (known !== undefined) return this.sent(known);
    const most = Math.min(rule.characters ?? MOST_OF_TEXT, this.left - CHARACTERS_FOR_TEXT);
    if (most < Math.min(text.length, LONGEST_WORD)) return undefined;
    const taken = text.length <= most ? text : beginning(text, most);
    this.left -= taken.length + CHARACTERS_FOR_TEXT;
    const hidden = this.hide(taken, rule);
    const result = taken === text ? hidden : `${hidden}… (cut, ${text.length} characters)`;
    this.done.set(key, result);
    return this.sent(result);
  }

  private sent(text: string): string | undefined {
    if (this.left < 0) return undefined;
    this.left -= Math.ceil(text.length / SENT_FOR_ONE);
    return text;
  }
}

/** Half of a number could be shown where the whole is not. */
function beginning(text: string, most: number): string {
  let end = most;
  while (end > most - LONGEST_WORD && !WORD_END.test(text.charAt(end))) end--;
  return text.slice(0, end > most - LONGEST_WORD ? end : most).toWellFormed();
}
