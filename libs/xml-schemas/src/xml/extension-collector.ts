import type { Extensions } from '../model/extensions.js';
import { cutTo, TEXT_LIMITS } from '../model/text-limits.js';
import { isFieldName, present } from '../model/values.js';
import { CutTexts } from './cut-texts.js';
import type { Element } from './element.js';

/**
 * The limit of all extensions of one record together, in characters: paths repeat the names of the surrounding
 * elements, so a small document could otherwise become a large record.
 */
export const EXTENSIONS_LIMIT = 32_768;

/** The unused part of {@link EXTENSIONS_LIMIT} while a record is read, and the texts that were cut. */
export class ReadingBudget {
  readonly cut = new CutTexts();
  private left = EXTENSIONS_LIMIT;

  spend(characters: number): boolean {
    if (characters > this.left) return false;
    this.left -= characters;
    return true;
  }
}

/** Path from the element itself: empty for its text, `@Unit`, `/Rain`, `/Rain[2]@Unit`. */
type Entry = readonly [path: string, text: string];

/**
 * Collects the content without a field in the model as {@link Extensions}; unusual names are skipped, long texts are
 * cut.
 */
export class ExtensionCollector {
  /** Created at the first entry: most elements of the feed are known. */
  private fields: Map<string, string> | undefined;
  private kept: SiblingCounts | undefined;

  constructor(private readonly budget: ReadingBudget) {}

  /**
   * An element that was not read, or everything except the paths in `read`.
   * `holder`: path of the container of the element, with a slash at its end.
   */
  add(element: Element, holder = '', read: readonly string[] = []): void {
    if (!isFieldName(element.name)) return;
    const entries = elementEntries(element).filter(([path]) => !read.includes(path));
    if (entries.length === 0) return;
    this.kept ??= new SiblingCounts();
    const name = this.kept.next(holder + element.name);
    for (const [path, text] of entries) this.put(name + path, text);
  }

  /** An element whose text was read; most have no other content. */
  addAllExceptText(element: Element, holder = '', read: readonly string[] = []): void {
    if (element.attributes.size > 0 || element.children.length > 0) this.add(element, holder, ['', ...read]);
  }

  /** Attributes other than `known` of the element that contains these fields (`path` empty), or of one inside. */
  addAttributes({ attributes }: Element, known?: string, path = ''): void {
    if (attributes.size === 0 || (attributes.size === 1 && known !== undefined && attributes.has(known))) return;
    for (const [attribute, text] of attributeEntries(attributes)) {
      if (attribute !== `@${known ?? ''}`) this.put(path + attribute, text);
    }
  }

  /** Undefined when there are none. */
  result(): Extensions | undefined {
    return this.fields && Object.fromEntries(this.fields);
  }

  private put(path: string, text: string): void {
    const kept = cutTo(text, TEXT_LIMITS.text.characters);
    const hasRoom = this.budget.spend(path.length + kept.length);
    if (!hasRoom || kept.length < text.length) this.budget.cut.add(lastNameOf(path));
    if (!hasRoom) return;
    this.fields ??= new Map();
    this.fields.set(path, kept);
  }
}

/** Numbers elements of the same path from the second on. */
class SiblingCounts {
  private readonly counts = new Map<string, number>();

  next(path: string): string {
    const count = (this.counts.get(path) ?? 0) + 1;
    this.counts.set(path, count);
    return count === 1 ? path : `${path}[${count}]`;
  }
}

/** Recursive; the limited depth of a document limits the recursion. */
function elementEntries({ text, attributes, children }: Element): Entry[] {
  const own = present(text);
  const entries: Entry[] = own === undefined ? [] : [['', own]];
  entries.push(...attributeEntries(attributes));
  const siblings = new SiblingCounts();
  for (const child of children) {
    const inside = isFieldName(child.name) ? elementEntries(child) : [];
    if (inside.length === 0) continue;
    const name = siblings.next(child.name);
    for (const [path, value] of inside) entries.push([`/${name}${path}`, value]);
  }
  return entries;
}

function attributeEntries(attributes: Element['attributes']): Entry[] {
  return [...attributes].flatMap(([name, value]): Entry[] => {
    const text = isFieldName(name) ? present(value) : undefined;
    return text === undefined ? [] : [[`@${name}`, text]];
  });
}

/** `Rain` of `Weather/Rain[2]`, `Unit` of `Weather@Unit`. */
function lastNameOf(path: string): string {
  const start = Math.max(path.lastIndexOf('/'), path.lastIndexOf('@')) + 1;
  return path.slice(start).split('[', 1)[0] ?? path;
}
