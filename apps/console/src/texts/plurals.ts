import { locale, type Language } from './language.js';

/** The forms of a text by the plural categories of both languages; `#` stands for the number. */
export interface Forms {
  readonly one: string;
  readonly other: string;
}

const number = new Intl.NumberFormat(locale);

/** Selects the form for a number, and inserts the number in the format of the locale. */
export function pluralFormatter(language: Language): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language);
  return (count, { one, other }) =>
    (rules.select(count) === 'one' ? one : other).replaceAll('#', () => number.format(count));
}
