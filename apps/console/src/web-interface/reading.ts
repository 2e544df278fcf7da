import { UnexpectedAnswer } from './errors.js';

export interface Link {
  readonly href: string;
  readonly title?: string;
}

/**
 * Reads JSON of which nothing is known yet. What is asked for has to be there and of its type, else UnexpectedAnswer is
 * thrown, which says where; what nobody asks for may be anything, as resources grow.
 */
export class Reading {
  constructor(
    private readonly value: unknown,
    /** For messages: `invitation._embedded.from`. */
    private readonly where: string,
  ) {}

  has(name: string): boolean {
    return this.member(name) !== undefined;
  }

  field(name: string): Reading {
    return new Reading(this.member(name), `${this.where}.${name}`);
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.wrong(name, 'a text');
  }

  optionalText(name: string): string | undefined {
    const value = this.member(name);
    return value === undefined || typeof value === 'string' ? value : this.wrong(name, 'a text');
  }

  /** None when they are missing. */
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

  /** None when there are none. */
  links(rel: string): readonly Link[] {
    return this.field('_links')
      .list(rel)
      .map((link) => {
        const title = link.optionalText('title');
        return { href: link.text('href'), ...(title === undefined ? {} : { title }) };
      });
  }

  embedded(rel: string): Reading {
    return this.field('_embedded').field(rel);
  }

  /** None when they are left out, as an empty search leaves them out (web-interface.md, section 5). */
  embeddedList(rel: string): readonly Reading[] {
    return this.has('_embedded') ? this.field('_embedded').list(rel) : [];
  }

  /** None when it is missing. */
  list(name: string): readonly Reading[] {
    return this.listOf(name).map((item, index) => new Reading(item, `${this.where}.${name}[${index}]`));
  }

  /** Names of the fields whose text is this one. */
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
