// not shown: parts of errors for developers
import { UnexpectedAnswer } from './errors.js';

export interface Link {
  readonly href: string;
  readonly title?: string;
}

/**
 * Reads unknown JSON. A requested field must exist and have its type, otherwise UnexpectedAnswer is
 * thrown with its place; other fields may have any value, because resources get new fields.
 */
export class JsonReader {
  constructor(
    private readonly value: unknown,
    /** For messages: `invitation._embedded.from`. */
    private readonly where: string,
  ) {}

  has(name: string): boolean {
    return this.member(name) !== undefined;
  }

  field(name: string): JsonReader {
    return new JsonReader(this.member(name), `${this.where}.${name}`);
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.wrong(name, 'a text');
  }

  optionalText(name: string): string | undefined {
    const value = this.member(name);
    return value === undefined || typeof value === 'string' ? value : this.wrong(name, 'a text');
  }

  /** Empty if they are missing. */
  texts(name: string): readonly string[] {
    return this.listOf(name).map((item) => (typeof item === 'string' ? item : this.wrong(name, 'a list of texts')));
  }

  flag(name: string): boolean {
    const value = this.member(name);
    return typeof value === 'boolean' ? value : this.wrong(name, 'true or false');
  }

  positive(name: string): number {
    const value = this.member(name);
    return typeof value === 'number' && value > 0 ? value : this.wrong(name, 'a number above zero');
  }

  oneOf<const T extends string>(name: string, choices: readonly T[]): T {
    const value = this.member(name);
    return choices.find((choice) => choice === value) ?? this.wrong(name, `one of ${choices.join(', ')}`);
  }

  /** Milliseconds since 1970. */
  time(name: string): number {
    return this.optionalTime(name) ?? this.wrong(name, 'a time');
  }

  optionalTime(name: string): number | undefined {
    const value = this.member(name);
    if (value === undefined) return undefined;
    const [, digits] = (typeof value === 'string' ? /^\/Date\((\d+)\)\/$/.exec(value) : undefined) ?? [];
    return digits === undefined ? this.wrong(name, 'a time') : Number(digits);
  }

  link(rel: string): string {
    return this.optionalLink(rel) ?? this.wrong(`_links.${rel}`, 'a link');
  }

  optionalLink(rel: string): string | undefined {
    const links = this.field('_links');
    return links.has(rel) ? links.field(rel).text('href') : undefined;
  }

  /** Empty if there are none. */
  links(rel: string): readonly Link[] {
    return this.field('_links')
      .list(rel)
      .map((link) => {
        const title = link.optionalText('title');
        return { href: link.text('href'), ...(title === undefined ? {} : { title }) };
      });
  }

  embedded(rel: string): JsonReader {
    return this.field('_embedded').field(rel);
  }

  /** Empty if they are left out, as in an empty search result (web-interface.md, section 5). */
  embeddedList(rel: string): readonly JsonReader[] {
    return this.has('_embedded') ? this.field('_embedded').list(rel) : [];
  }

  /** Empty if it is missing. */
  list(name: string): readonly JsonReader[] {
    return this.listOf(name).map((item, index) => new JsonReader(item, `${this.where}.${name}[${index}]`));
  }

  /** Names of the fields with this text. */
  namesOf(text: string): readonly string[] {
    if (typeof this.value !== 'object' || this.value === null) return [];
    return Object.entries(this.value).flatMap(([name, value]) => (value === text ? [name] : []));
  }

  private listOf(name: string): readonly unknown[] {
    const value = this.member(name);
    if (value === undefined) return [];
    return Array.isArray(value) ? value : this.wrong(name, 'a list');
  }

  private member(name: string): unknown {
    const { value } = this;
    if (typeof value !== 'object' || value === null) throw new UnexpectedAnswer(`${this.where} is no resource`);
    const found: unknown = Reflect.get(value, name);
    return found ?? undefined;
  }

  private wrong(name: string, wanted: string): never {
    throw new UnexpectedAnswer(`${this.where}.${name} is not ${wanted}`);
  }
}
